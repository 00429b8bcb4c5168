/** The parser beside its oracle: the same verdict, and the same algebra of what both accept. */
import type { ParsedSparql } from '../../packages/sparql/src/algebra/request.js';
import { parseSparql } from '../../packages/sparql/src/syntax/parse.js';
import { canonical, type CanonicalForm } from './canonical.js';
import type { Difference } from './known.js';
import { parseByTraqula, type OracleOptions } from './oracle/traqula-parser.js';

type Outcome<T> = { readonly parsed: T } | { readonly refused: string };

export function outcomeOf<T>(parse: () => T): Outcome<T> {
  try {
    return { parsed: parse() };
  } catch (error) {
    return { refused: String((error as Error).message).split('\n')[0] ?? '' };
  }
}

/** What differs; undefined where nothing does. */
export function differenceOf(text: string, options: OracleOptions): Difference | undefined {
  const ours = outcomeOf(() => parseSparql(text, options));
  const theirs = outcomeOf(() => parseByTraqula(text, options));
  if ('refused' in ours) {
    return 'refused' in theirs ? undefined : { text, kind: 'refused', message: ours.refused };
  }
  if ('refused' in theirs) return { text, kind: 'accepted', message: theirs.refused };
  // The oracle finds the order of the columns that * stands for by a regular expression over the text.
  const form = { written: new Set(ours.parsed.variables), keepsColumns: !text.includes('*') };
  const mine = shown(ours.parsed, form);
  const other = shown(theirs.parsed, form);
  if (mine === other) return undefined;
  return { text, kind: 'algebra', message: firstDifference(mine, other), algebra: [mine, other] };
}

function shown(request: Omit<ParsedSparql, 'variables'>, form: CanonicalForm): string {
  const { prefixes, ...rest } = request;
  // The oracle does not resolve the base, leaves out the graph of WITH where nothing is done with it, and gives a prefix the last of
  // its meanings.
  const { baseIRI: _, graphs: __, variables: ___, ...algebra } = rest as ParsedSparql;
  return canonical({ ...algebra, prefixes: Object.keys(prefixes).toSorted() }, form);
}

function firstDifference(mine: string, other: string): string {
  const theirs = other.split('\n');
  const lines = mine.split('\n');
  const at = lines.findIndex((line, index) => line !== theirs[index]);
  const around = (all: readonly string[]): string => all.slice(Math.max(0, at - 2), at + 3).join(' ');
  return `${around(lines)} | ${around(theirs)}`;
}
