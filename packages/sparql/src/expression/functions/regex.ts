/** REGEX and REPLACE: constant patterns are translated once, others kept in a small cache. */
import type { Expression } from '../../algebra/algebra.js';
import {
  ERROR_NODE,
  foldNode,
  textsOf,
  type Compilation,
  type Evaluate,
  type ExpressionNode,
  type Row,
  type TextCount,
} from '../expression-node.js';
import { isText, withText } from './string.js';
import { EvaluationError } from '@quadrille/model';
import { RegexFault } from '../regex/regex-parse.js';
import { createRegex, MAX_COMPUTED_PATTERN, regexOrFault, type Regex } from '../regex/regex.js';
import { ERROR, StringValue, toBoolean, type Value } from '../values/value.js';

const CACHED_PATTERNS = 64;
/** Of a pattern that is refused. */
const SHOWN_CHARACTERS = 60;
/** What a match takes while a text is replaced, in characters. */
const MATCH_CHARACTERS = 128;
const NO_FLAGS = new StringValue('');

interface Replacement {
  readonly isLiteral: boolean;
  readonly text: string;
}
type Find = (pattern: Value, flags: Value) => Regex | undefined;

/** The function from pattern and flags to their expression, which remembers the last ones. */
function createCache(): Find {
  const cache = new Map<string, Regex | undefined>();
  return (pattern, flags) => {
    if (pattern.kind !== 'string' || flags.kind !== 'string' || pattern.value.length > MAX_COMPUTED_PATTERN) {
      return undefined;
    }
    const key = `${flags.value}/${pattern.value}`;
    if (cache.has(key)) return cache.get(key);
    if (cache.size === CACHED_PATTERNS) cache.clear();
    const regex = createRegex(pattern.value, flags.value);
    cache.set(key, regex);
    return regex;
  };
}

type RegexOf = (row: Row) => Regex | undefined;

/** The expression for each row; undefined where the constants make none at all. */
function regexNode(pattern: ExpressionNode, flags: ExpressionNode): RegexOf | undefined {
  if (pattern.constant !== undefined && flags.constant !== undefined) {
    if (pattern.constant.kind !== 'string' || flags.constant.kind !== 'string') return undefined;
    const regex = regexOrFault(pattern.constant.value, flags.constant.value);
    if (!(regex instanceof RegexFault)) return () => regex;
    const { unsupported } = regex;
    if (unsupported === undefined) return undefined;
    const text = pattern.constant.value.slice(0, SHOWN_CHARACTERS);
    throw new EvaluationError(
      'UNSUPPORTED',
      `the regular expression '${text}' has what is not supported: ${unsupported}`,
    );
  }
  const find = createCache();
  return (row) => find(pattern.evaluate(row), flags.evaluate(row));
}

const flagsNode: ExpressionNode = { evaluate: () => NO_FLAGS, constant: NO_FLAGS };

function regex(args: readonly Expression[], { compile }: Compilation): ExpressionNode {
  const nodes = args.map(compile);
  const [text, pattern, flags = flagsNode] = nodes;
  if (text === undefined || pattern === undefined || nodes.length > 3)
    throw new Error('the parser counts the arguments of REGEX');
  const regexOf = regexNode(pattern, flags);
  if (regexOf === undefined) return ERROR_NODE;
  return foldNode(nodes, (row) => {
    const value = text.evaluate(row);
    if (!isText(value)) return ERROR;
    const expression = regexOf(row);
    return expression === undefined ? ERROR : toBoolean(expression.test(value.value));
  });
}

function replace(args: readonly Expression[], { compile, context }: Compilation): ExpressionNode {
  const nodes = args.map(compile);
  const [text, pattern, replacement, flags = flagsNode] = nodes;
  if (text === undefined || pattern === undefined || replacement === undefined || nodes.length > 4) {
    throw new Error('the parser counts the arguments of REPLACE');
  }
  const regexOf = regexNode(pattern, flags);
  if (regexOf === undefined) return ERROR_NODE;
  const texts = textsOf(context);
  const evaluate: Evaluate = (row) => {
    const value = text.evaluate(row);
    const by = replacement.evaluate(row);
    const expression = regexOf(row);
    const options = flags.evaluate(row);
    if (!isText(value) || by.kind !== 'string' || expression === undefined || options.kind !== 'string') return ERROR;
    const replacing = { text: by.value, isLiteral: options.value.includes('q') };
    const result = replaceAll(value.value, expression, replacing, texts);
    return result === undefined ? ERROR : withText(value, result);
  };
  return foldNode(nodes, evaluate);
}

/** Undefined for an error: an expression that matches nothing at all, or an ill-formed replacement. */
function replaceAll(
  text: string,
  expression: Regex,
  { text: replacement, isLiteral }: Replacement,
  texts: TextCount,
): string | undefined {
  if (expression.matchesEmpty) return undefined;
  const parts = isLiteral ? [replacement] : parseReplacement(replacement, expression.groups);
  if (parts === undefined) return undefined;
  let { length } = text;
  texts.reserveText(length);
  return expression.replace(text, (groups) => {
    let added = 0;
    for (const part of parts) added += typeof part === 'number' ? (groups[part]?.length ?? 0) : part.length;
    // The whole text has a limit, and what is added takes memory, as each match does.
    texts.reserveText(added + MATCH_CHARACTERS, (length += added));
    return parts.map((part) => (typeof part === 'number' ? (groups[part] ?? '') : part)).join('');
  });
}

const REPLACEMENT_PART = /\$(\d+)|\\([\\$])|([^\\$]+)/y;

/** Text and numbers of groups: `$1`, with `\$` and `\\` for the characters themselves. */
function parseReplacement(replacement: string, groups: number): (string | number)[] | undefined {
  const parts: (string | number)[] = [];
  REPLACEMENT_PART.lastIndex = 0;
  while (REPLACEMENT_PART.lastIndex < replacement.length) {
    const match = REPLACEMENT_PART.exec(replacement);
    if (match === null) return undefined;
    const [, digits, escaped, text] = match;
    if (digits === undefined) parts.push(escaped ?? text ?? '');
    else parts.push(...groupReference(digits, groups));
  }
  return parts;
}

/** As many digits as make the number of a group; the first one is taken in any case. */
function groupReference(digits: string, groups: number): [number, string] {
  let length = digits.length;
  while (length > 1 && Number(digits.slice(0, length)) > groups) length--;
  return [Number(digits.slice(0, length)), digits.slice(length)];
}

export const regexForms: ReadonlyMap<
  string,
  (args: readonly Expression[], compilation: Compilation) => ExpressionNode
> = new Map([
  ['regex', regex],
  ['replace', replace],
]);
