/** What a text says, also where it is wrong: all its errors, as editors show them. */
import { ParseError } from '@quadrille/model';
import type { ParsedSparql } from '../../algebra/request.js';
import { noteOf } from '../hints/error-notes.js';
import { Lexer } from '../lexer/lexer.js';
import type { Token } from '../lexer/tokens.js';
import { type NamedSource, sourcesOf } from '../named-sources.js';
import { parseSparqlPaced, type ParseOptions } from '../parse.js';
import { statementAround, type TextSpan } from './statement-around.js';
import { WELL_KNOWN } from './well-known-prefixes.js';

/**
 * An error of a text.
 * @since 0.1.0
 */
export interface TextFault {
  /** Number of the line, from 1. */
  readonly line: number;
  /** Number of the column in UTF-16 units, from 1. */
  readonly column: number;
  /** What is wrong. */
  readonly message: string;
  /** What the grammar has at this place; `undefined` where the text breaks another rule. */
  readonly expected: string | undefined;
  /** What can be written there instead, or `PREFIX` with what can be declared; `undefined` where that is not known. */
  readonly suggestion: string | undefined;
}

/**
 * What a text of SPARQL says, and all its errors.
 * @since 0.1.0
 */
export interface Inspection {
  /** `undefined` where the text is so wrong that its kind cannot be told. */
  readonly kind: ParsedSparql['kind'] | undefined;
  /** The names of all variables, in the order of the text. */
  readonly variables: readonly string[];
  /** The IRIs of the graphs that the text names. Those in wrong statements are left out. */
  readonly graphs: readonly string[];
  /** What FROM and SERVICE name, in the order of the text. Those in wrong statements are left out. */
  readonly sources: readonly NamedSource[];
  /** The prefixes that are used, with their namespaces. */
  readonly prefixes: Readonly<Record<string, string>>;
  /** The errors in the order of the text, at most 20. */
  readonly errors: readonly TextFault[];
}

const MOST_ERRORS = 20;
/** The namespace of a prefix that is not declared, until the rest is read. */
const UNDECLARED = 'urn:undeclared:';
const TOKENS_AT_ONCE = 1024;

type Pause = () => Promise<void> | undefined;

/**
 * Reads a text as a query or an update. After an error it goes on behind the statement that is wrong, so that later errors are told too;
 * what only follows from an error before is not told. `pause` is asked between parts of long texts.
 * @throws what `pause` throws
 */
export async function inspectText(text: string, options: ParseOptions, pause: Pause): Promise<Inspection> {
  const errors: TextFault[] = [];
  const undeclared = new Map<string, string>();
  let readable = text;
  let end = -1;
  for (;;) {
    const prefixes = { ...options.prefixes, ...Object.fromEntries(undeclared) };
    const parsed = await attempt(readable, { ...options, prefixes }, pause);
    if (!(parsed instanceof ParseError)) return inspectionOf(text, parsed, undeclared, errors, pause);
    const fault = noteOf(parsed);
    const follows = fault !== undefined && end >= 0 && readable.slice(end, fault.offset).trim() === '';
    if (fault !== undefined && follows) return inspectionOf(text, undefined, undeclared, errors, pause);
    errors.push(faultOf(parsed));
    if (fault === undefined || errors.length >= MOST_ERRORS)
      return inspectionOf(text, undefined, undeclared, errors, pause);
    if (fault.prefix !== undefined) {
      undeclared.set(fault.prefix, UNDECLARED);
      continue;
    }
    const span = await statementAround(readable, fault.offset, pause);
    if (readable.slice(span.from, span.to).trim() === '')
      return inspectionOf(text, undefined, undeclared, errors, pause);
    readable = without(readable, span);
    end = span.to;
  }
}

/** The text without the span. Lines and columns of what follows stay as they are. */
function without(text: string, { from, to, filler }: TextSpan): string {
  const blanks = text.slice(from, to).replace(/[^\n\r]/g, ' ');
  const isFilled = filler !== '' && blanks.slice(0, filler.length) === ' '.repeat(filler.length);
  return text.slice(0, from) + (isFilled ? filler + blanks.slice(filler.length) : blanks) + text.slice(to);
}

async function attempt(text: string, options: ParseOptions, pause: Pause): Promise<ParsedSparql | ParseError> {
  try {
    return await parseSparqlPaced(text, options, pause);
  } catch (error) {
    if (error instanceof ParseError) return error;
    throw error;
  }
}

function faultOf(error: ParseError): TextFault {
  const { line = 1, column = 1, reason } = error;
  const { expected, suggestion, prefix } = noteOf(error) ?? {};
  const namespace = prefix === undefined || !Object.hasOwn(WELL_KNOWN, prefix) ? undefined : WELL_KNOWN[prefix];
  const declaration = namespace === undefined ? undefined : `PREFIX ${prefix!}: <${namespace}>`;
  return { line, column, message: reason, expected, suggestion: suggestion ?? declaration };
}

async function inspectionOf(
  text: string,
  parsed: ParsedSparql | undefined,
  undeclared: ReadonlyMap<string, string>,
  found: readonly TextFault[],
  pause: Pause,
): Promise<Inspection> {
  const isWhole = parsed !== undefined && found.length === 0;
  const words = isWhole ? undefined : await wordsOf(text, pause);
  const prefixes = Object.entries(parsed?.prefixes ?? {}).filter(([prefix]) => !undeclared.has(prefix));
  return {
    kind: parsed?.kind ?? words?.kind,
    variables: isWhole ? parsed.variables : words!.variables,
    graphs: [...new Set(parsed?.graphs.map(({ value }) => value))],
    sources: parsed === undefined ? [] : sourcesOf(parsed),
    prefixes: Object.fromEntries(prefixes),
    errors: found.toSorted((one, other) => one.line - other.line || one.column - other.column),
  };
}

const QUERIES: ReadonlyMap<Token, ParsedSparql['kind']> = new Map<Token, ParsedSparql['kind']>([
  ['SELECT', 'select'],
  ['CONSTRUCT', 'construct'],
  ['DESCRIBE', 'describe'],
  ['ASK', 'ask'],
]);
const UPDATES: ReadonlySet<Token> = new Set<Token>([
  'INSERT',
  'DELETE',
  'WITH',
  'LOAD',
  'CLEAR',
  'DROP',
  'CREATE',
  'ADD',
  'MOVE',
  'COPY',
]);

/** What the tokens of a text tell: its kind by its first form, and its variables. */
async function wordsOf(
  text: string,
  pause: Pause,
): Promise<{ kind: ParsedSparql['kind'] | undefined; variables: string[] }> {
  const lexer = new Lexer(text);
  const variables = new Set<string>();
  let kind: ParsedSparql['kind'] | undefined;
  for (let tokens = 1; ; tokens++) {
    lexer.next();
    const { token } = lexer;
    if (token === 'end') return { kind, variables: [...variables] };
    if (token === 'variable') variables.add(lexer.value.slice(1));
    else kind ??= QUERIES.get(token) ?? (UPDATES.has(token) ? 'update' : undefined);
    if (tokens % TOKENS_AT_ONCE === 0) await pause();
  }
}
