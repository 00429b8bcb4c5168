/** Objects of the client behind the calls of the library: its errors, its refs, and what it does not have. */
import { RemoteView } from '@quadrille/client';
import { HOLDER_DOES, libraryError, unsupported } from './errors.js';

type Call = (...given: readonly unknown[]) => unknown;
export type Members = Readonly<Record<PropertyKey, unknown>>;
/** What has them already. */
const made = new WeakSet<object>();

const OF_STORES = new Set(['host', 'store', 'core', 'context']);

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** A revision in the place of a ref is its id. */
function withoutRevisions(value: unknown): unknown {
  if (!isObject(value) || Symbol.iterator in value || Symbol.asyncIterator in value) return value;
  if ('id' in value && 'number' in value && 'parents' in value) return value.id;
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  const entries = Object.entries(value).map(([name, each]) => [
    name,
    isObject(each) && 'id' in each && 'parents' in each ? each.id : each,
  ]);
  return Object.fromEntries(entries) as unknown;
}

/** What has calls of its own: results, views, and objects with functions. Terms, revisions and dates have none that ask. */
function hasCalls(value: unknown): value is object {
  if (!isObject(value) || Array.isArray(value)) return false;
  if (Symbol.asyncIterator in value || value instanceof RemoteView) return true;
  if (Object.getPrototypeOf(value) !== Object.prototype) return false;
  return Object.values(value).some(
    (each) => typeof each === 'function' || (isObject(each) && Symbol.asyncIterator in each),
  );
}

function told<T>(result: T): unknown {
  if (result instanceof Promise)
    return result.then(told, (error: unknown) => {
      throw libraryError(error);
    });
  return hasCalls(result) && !made.has(result) ? asLibrary(result) : result;
}

function called(call: Call, on: object, given: readonly unknown[]): unknown {
  try {
    return told(call.apply(on, given.map(withoutRevisions)));
  } catch (error) {
    throw libraryError(error);
  }
}

/**
 * The calls of an object with the errors of the library.
 * @param more members that are other than those of the object, or that it does not have
 * @param missing names of calls that it does not have
 */
export function asLibrary(target: object, more: Members = {}, missing: readonly string[] = []): object {
  const library = new Proxy(target, {
    has: (_, name) => name in more || name in target,
    get(_, name) {
      const value: unknown = Object.hasOwn(more, name) ? more[name] : Reflect.get(target, name, target);
      // What hosts and moves need of a store: `hostOf` reads a member that is a symbol.
      if (value === undefined && typeof name === 'symbol' && OF_STORES.has(name.description ?? ''))
        throw unsupported('this', HOLDER_DOES);
      if (value === undefined && typeof name === 'string' && missing.includes(name)) return refused(name);
      if (typeof value === 'function') return (...given: readonly unknown[]) => called(value as Call, target, given);
      return told(value);
    },
  });
  made.add(library);
  return library;
}

/** A call, or a group of calls, that a guest does not have. */
export function refused(name: string): object {
  const refuse = (): never => {
    throw unsupported(name, HOLDER_DOES);
  };
  return new Proxy(refuse, {
    get: (_, member) => (typeof member === 'string' && member !== 'then' ? refused(`${name}.${member}`) : undefined),
  });
}
