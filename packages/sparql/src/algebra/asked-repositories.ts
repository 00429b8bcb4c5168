/** The other repositories that an operation asks by SERVICE. */
import { isNode, mapChildren, type Expression, type Operation, type Service } from './algebra.js';
import { isOtherRepository } from './repository-address.js';
import { makeVariable } from './terms.js';
import { visibleVariables } from './variables.js';

/** The repositories that a request asks by SERVICE. */
export interface AskedRepositories {
  /** Their addresses, each once. */
  readonly all: readonly string[];
  /** Those that a SERVICE without SILENT asks: it fails where they cannot be opened. */
  readonly needed: ReadonlySet<string>;
}

const NOTHING_ASKED: AskedRepositories = { all: [], needed: new Set() };
const asked = new WeakMap<Operation, AskedRepositories>();

export function askedRepositories(operation: Operation): AskedRepositories {
  let known = asked.get(operation);
  if (known === undefined) asked.set(operation, (known = findAsked(operation)));
  return known;
}

function findAsked(operation: Operation): AskedRepositories {
  const all = new Set<string>();
  const needed = new Set<string>();
  eachService(operation, (service) => {
    const address = service.name.value;
    if (!isOtherRepository(service)) return false;
    all.add(address);
    if (!service.silent) needed.add(address);
    return true;
  });
  return all.size === 0 ? NOTHING_ASKED : { all: [...all], needed };
}

/** Whether the answer depends on more than the queried repository by a SERVICE, wherever it leads. */
export function hasService(operation: Operation): boolean {
  let found = false;
  eachService(operation, () => {
    found = true;
    return false;
  });
  return found;
}

/** Calls `visit` for each SERVICE, also in EXISTS; the result says whether those inside it follow. */
function eachService(operation: Operation, visit: (service: Service) => boolean): void {
  // Not recursive: a chain of operations may be long.
  const open: object[] = [operation];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if ((node as Operation).type === 'service' && !visit(node as Service)) continue;
    for (const value of Object.values(node) as unknown[]) {
      if (!Array.isArray(value)) pushNode(open, value);
      // From the last to the first: they leave the stack in the order of the request.
      else for (let at = value.length - 1; at >= 0; at--) pushNode(open, value[at]);
    }
  }
}

function pushNode(open: object[], value: unknown): void {
  if (isNode(value)) open.push(value);
}

/** The operation with a solution that binds nothing in the place of each SILENT SERVICE of these repositories. */
export function withoutServices(operation: Operation, failed: ReadonlySet<string>): Operation {
  const replace = (node: Operation | Expression): Operation | Expression => {
    if (node.type !== 'service') return mapChildren(node, replace);
    if (!isOtherRepository(node)) return node;
    if (!failed.has(node.name.value)) return mapChildren(node, replace);
    const variables = [...visibleVariables(node.input)].map(makeVariable);
    return { type: 'values', variables, bindings: [{}] };
  };
  return replace(operation) as Operation;
}
