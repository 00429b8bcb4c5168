/** The other repositories that an operation asks by SERVICE. */
import { isNode, mapChildren, type Expression, type Operation, type Service } from './algebra.js';
import { isOtherRepository } from './repository-address.js';
import { atOnce, type Task } from './rewrite.js';
import { makeVariable } from './terms.js';
import { visibleVariables } from './variables.js';

/** What a request asks by SERVICE. */
export interface AskedRepositories {
  /** The addresses of other repositories, each once. */
  readonly all: readonly string[];
  /** Those that a SERVICE without SILENT asks: it fails where they cannot be opened. */
  readonly needed: ReadonlySet<string>;
  /** Whether there is a SERVICE at all, wherever it leads. */
  readonly any: boolean;
}

const NOTHING_ASKED: AskedRepositories = { all: [], needed: new Set(), any: false };
const asked = new WeakMap<Operation, AskedRepositories>();

/** Notes that an operation has no SERVICE, so that nobody looks for one. */
export const noteNoService = (operation: Operation): void => void asked.set(operation, NOTHING_ASKED);

/** What {@link findAsked} has found before. */
export const knownAsked = (operation: Operation): AskedRepositories | undefined => asked.get(operation);

/** What an operation asks by SERVICE, also in EXISTS. */
export const askedRepositories = (operation: Operation): AskedRepositories =>
  asked.get(operation) ?? atOnce(findAsked(operation));

/** Whether the answer depends on more than the queried repository by a SERVICE, wherever it leads. */
export const hasService = (operation: Operation): boolean => askedRepositories(operation).any;

/** As {@link askedRepositories}, in steps: an operation may have a hundred thousand parts. */
export function* findAsked(operation: Operation): Task<AskedRepositories> {
  const known = asked.get(operation);
  if (known !== undefined) return known;
  const all = new Set<string>();
  const needed = new Set<string>();
  let any = false;
  // Not recursive: a chain of operations may be long.
  const open: object[] = [operation];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    yield;
    const { type } = node as Operation;
    if (type === 'service') {
      any = true;
      const service = node as Service;
      if (!isOtherRepository(service)) continue;
      all.add(service.name.value);
      if (!service.silent) needed.add(service.name.value);
    }
    for (const value of Object.values(node) as unknown[]) {
      if (!Array.isArray(value)) pushNode(open, value);
      // From the last to the first: they leave the stack in the order of the request.
      else for (let at = value.length - 1; at >= 0; at--) pushNode(open, value[at]);
    }
  }
  const found = any ? { all: [...all], needed, any } : NOTHING_ASKED;
  asked.set(operation, found);
  return found;
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
