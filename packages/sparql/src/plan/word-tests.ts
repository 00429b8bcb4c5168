/** What filters say of the text of a variable: an index of words then tells which terms can pass. The filters are checked again. */
import type * as RDF from '@rdfjs/types';
import type { Expression } from '../algebra/algebra.js';
import { isPlaceholder } from '../algebra/template.js';
import type { Resolve } from '../algebra/terms.js';
import type { WordTest } from '../dataset/id-dataset.js';

/** Letters and digits of ASCII that stand side by side are in one word. */
const PIECES = /[A-Za-z0-9]+/g;
const SHORTEST = 2;
/** A longer piece may be cut in two words. */
const LONGEST = 64;
/** What never stands within a word, and is no other letter in lower case. */
const BREAK = /[\t\n\r -&(-+\-/<-@[-^`{-~]/;
/** Parts of a regular expression that are not looked into: alternatives, groups, and escapes of letters and digits. */
const DIFFICULT = /[|(]|\\[A-Za-z0-9]/;
/** What does not stand for itself: escapes, classes, what may be left out or repeated, and all but letters and digits. */
const SPECIAL = /\\.|\[(?:\\.|[^\]\\])*\]|[A-Za-z0-9](?:[*?]|\{[^}]*\})|\{[^}]*\}|[^A-Za-z0-9]/gs;
/** Their sides may be exchanged. */
const EQUALS = new Set(['=', 'sameterm']);

/** A condition for the text of a variable, in a filter. */
export interface WordCondition {
  readonly says: 'contains' | 'starts' | 'fits' | 'equals';
  readonly term: RDF.Term;
  /** It is about `STR` of the variable, which other terms than strings have, too. */
  readonly ofAnyTerm: boolean;
}

/** The conditions that a term has to pass for all filters to hold. */
export function wordConditionsOf(variable: string, filters: readonly Expression[]): readonly WordCondition[] {
  return filters.flatMap((filter) => conditionsOf(variable, filter));
}

/** Whether terms that are no strings may pass. */
export const mayBeAnyTerm = (conditions: readonly WordCondition[]): boolean =>
  conditions.every(({ ofAnyTerm }) => ofAnyTerm);

/** Whether another value of a parameter may stand in a condition. */
export const areForOne = (conditions: readonly WordCondition[]): boolean =>
  !conditions.some(({ term }) => isPlaceholder(term.value));

/** What the words of a string have to be, for the values that parameters have. */
export function wordTestsOf(conditions: readonly WordCondition[], resolve: Resolve): readonly WordTest[] {
  return conditions.flatMap(({ says, term: given }) => {
    const term = resolve(given);
    if (term.termType !== 'Literal') return [];
    switch (says) {
      case 'contains':
        return piecesOf(term.value, false, false);
      case 'starts':
        return piecesOf(term.value, true, false);
      case 'equals':
        return piecesOf(term.value, true, true);
      case 'fits':
        return fixedParts(term.value);
    }
  });
}

function conditionsOf(variable: string, expression: Expression): readonly WordCondition[] {
  if (expression.subType !== 'operator') return [];
  const { operator, args } = expression;
  if (operator === '&&') return args.flatMap((arg) => conditionsOf(variable, arg));
  const isSwapped = EQUALS.has(operator) && args[0]?.subType === 'term';
  const [text, part] = isSwapped ? args.toReversed() : args;
  const says = saysOf(operator, args[2]);
  if (says === undefined || text === undefined || part?.subType !== 'term') return [];
  const { term } = part;
  const textOf = kindOf(variable, text);
  if (textOf === undefined || (term.termType !== 'Literal' && !isPlaceholder(term.value))) return [];
  // What a variable equals is its only value already.
  if (says === 'equals' && text.subType === 'term') return [];
  return [{ says, term, ofAnyTerm: textOf === 'any' }];
}

function saysOf(operator: string, flags: Expression | undefined): WordCondition['says'] | undefined {
  switch (operator) {
    case 'contains':
      return 'contains';
    case 'strstarts':
      return 'starts';
    case 'regex':
      return isPlainFlag(flags) ? 'fits' : undefined;
    default:
      return EQUALS.has(operator) ? 'equals' : undefined;
  }
}

/**
 * The variable, STR or LCASE of it: words are compared without case. UCASE makes I of what is no i. What LCASE makes of other terms than
 * strings is an error.
 */
function kindOf(variable: string, expression: Expression): 'string' | 'any' | undefined {
  if (expression.subType === 'term')
    return expression.term.termType === 'Variable' && expression.term.value === variable ? 'string' : undefined;
  if (expression.subType !== 'operator') return undefined;
  const [inner] = expression.args;
  if (expression.operator === 'lcase') return kindOf(variable, inner!);
  if (expression.operator !== 'str') return undefined;
  return inner!.subType === 'term' && kindOf(variable, inner!) !== undefined ? 'any' : kindOf(variable, inner!);
}

const isPlainFlag = (flags: Expression | undefined): boolean =>
  flags === undefined ||
  (flags.subType === 'term' &&
    flags.term.termType === 'Literal' &&
    ['', 'i'].includes((flags.term as RDF.Literal).value));

/**
 * The pieces of a text that stands in another one, from its start or to its end where these are given. A piece between breaks is a word.
 */
function piecesOf(text: string, fromStart: boolean, toEnd: boolean): WordTest[] {
  const tests: WordTest[] = [];
  for (const { 0: piece, index } of text.matchAll(PIECES)) {
    const end = index + piece.length;
    const begins = index === 0 ? fromStart : BREAK.test(text[index - 1]!);
    const ends = end === text.length ? toEnd : BREAK.test(text[end]!);
    const isWhole = begins && ends && piece.length <= LONGEST;
    if (!isWhole && piece.length < SHORTEST) continue;
    tests.push({ kind: isWhole ? 'is' : begins ? 'starts' : 'contains', piece: piece.toLowerCase() });
  }
  return tests;
}

const fixedParts = (pattern: string): WordTest[] =>
  DIFFICULT.test(pattern) ? [] : piecesOf(pattern.replaceAll(SPECIAL, '.'), false, false);
