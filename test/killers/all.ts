/** All hostile requests. */
import { joins, paths, updates } from './joins.js';
import type { Killer } from './killer.js';
import { nesting, parts, tokens } from './syntax.js';
import { expressions, floods, longTexts, numbers, strings, triples } from './values.js';

const FAMILIES = {
  nesting,
  tokens,
  parts,
  strings,
  triples,
  longTexts,
  numbers,
  floods,
  expressions,
  joins,
  paths,
  updates,
};
export const ALL: readonly Killer[] = Object.values(FAMILIES).flat();
