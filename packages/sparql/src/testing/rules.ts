/** Shorthands for tests of rewriting rules: groups in, the text of what the rule makes of them out. */
import type { Operation } from '../algebra/algebra.js';
import { atOnce, type Task } from '../algebra/rewrite.js';
import { parseSparql } from '../syntax/parse.js';
import { patternText } from '../syntax/write/algebra-text.js';
import { PREFIXES } from './fixtures.js';

/** The operation of a group. */
export function groupOf(group: string): Operation {
  const parsed = parseSparql(`SELECT * { ${group} }`, { prefixes: PREFIXES });
  if (parsed.kind !== 'select' || parsed.algebra.type !== 'project') throw new Error('not a query');
  return parsed.algebra.input;
}

export const textOf = (operation: Operation): string =>
  patternText(operation)
    .replace(/<http:\/\/example\.org\/([^>]*)>/g, 'ex:$1')
    .replace(/"(\d+)"\^\^<http:\/\/www\.w3\.org\/2001\/XMLSchema#integer>/g, '$1')
    .replace(/\s+/g, ' ');

/** What a rule makes of a group; new variables are called `new0`, `new1`, … */
export function rewritten(
  group: string,
  rule: (operation: Operation, newName: () => string) => Operation | Task<Operation>,
): string {
  let names = 0;
  const made = rule(groupOf(group), () => `new${names++}`);
  return textOf('type' in made ? made : atOnce(made));
}
