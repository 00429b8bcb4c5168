/** Finds out whether the packages and programs that a store needs are installed. */
import { versionOf } from './installed.js';
import type { StoreKind } from './store.js';

/** What to do to install the missing parts of a store; `undefined` if nothing is missing. */
export function missingOf({ packages, program }: StoreKind): string | undefined {
  const missing = packages.filter((name) => versionOf(name) === undefined);
  if (missing.length > 0) return `npm install ${missing.join(' ')}`;
  return program === undefined || program.version() !== undefined ? undefined : program.get;
}

/** The versions of the packages and the program that a store uses. */
export function versionsOf({ packages, program }: StoreKind): Record<string, string> {
  const all = packages.map((name) => [name, versionOf(name) ?? 'unknown'] as const);
  return Object.fromEntries(program === undefined ? all : [...all, [program.name, program.version() ?? 'unknown']]);
}
