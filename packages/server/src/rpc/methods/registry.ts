/** Every method by every name that it answers to. A new method is one entry in one of the lists. */
import { RPC, RpcError } from '../calls/rpc-error.js';
import { accountMethods } from './accounts.js';
import { branchMethods } from './branches.js';
import { serviceMethods } from './describe-service.js';
import type { Method, MethodDirectory } from './method.js';
import { operationMethods } from './operations.js';
import { queryMethods } from './queries.js';
import { repositoryMethods } from './repositories.js';
import { systemMethods } from './system.js';

export class MethodRegistry implements MethodDirectory {
  // A Map, so that names such as `__proto__` and `constructor` are unknown.
  readonly #byName = new Map<string, Method>();
  readonly methods: readonly Method[];

  constructor() {
    this.methods = [
      ...serviceMethods,
      ...accountMethods,
      ...repositoryMethods,
      ...branchMethods,
      ...operationMethods,
      ...queryMethods,
      ...systemMethods(this),
    ];
    for (const method of this.methods) for (const name of spellings(method)) this.#add(name, method);
  }

  #add(name: string, method: Method): void {
    if (this.#byName.has(name)) throw new Error(`two methods are called ${name}`);
    this.#byName.set(name, method);
  }

  names(): Iterable<string> {
    return this.#byName.keys();
  }

  /** @throws RpcError */
  need(name: string): Method {
    const method = this.#byName.get(name);
    if (method !== undefined) return method;
    throw new RpcError(RPC.METHOD_NOT_FOUND, `there is no method ${name.slice(0, 100)}`);
  }
}

/** `datagraph.` is the older word for `dydra.`. */
export function spellings({ names }: Method): readonly string[] {
  const older = names.filter((name) => name.startsWith('dydra.')).map((name) => name.replace('dydra.', 'datagraph.'));
  return [...names, ...older];
}
