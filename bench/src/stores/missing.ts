/** What stores need that is not part of this program, and whether it is there. */
import { versionOf } from './installed.js';
import type { StoreKind } from './store.js';

/** What it needs and is not there, as what one does to have it; `undefined` where all is there. */
export function missingOf({ packages, program }: StoreKind): string | undefined {
  const missing = packages.filter((name) => versionOf(name) === undefined);
  if (missing.length > 0) return `npm install ${missing.join(' ')}`;
  return program === undefined || program.version() !== undefined ? undefined : program.get;
}

/** Of what it is made of. */
export function versionsOf({ packages, program }: StoreKind): Record<string, string> {
  const all = packages.map((name) => [name, versionOf(name) ?? 'unknown'] as const);
  return Object.fromEntries(program === undefined ? all : [...all, [program.name, program.version() ?? 'unknown']]);
}
