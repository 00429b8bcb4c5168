/** From text to algebra, once per request: the parser, run at once or in parts, and a cache. */
import type * as RDF from '@rdfjs/types';
import { ParseError, RecentMap } from '@quadrille/model';
import type { ParsedSparql, ParsedText } from '../algebra/request.js';
import type { PrologueOptions } from './grammar/prologue.js';
import { RequestParser } from './grammar/request-parser.js';
import type { Parsing } from './grammar/token-reader.js';
import { variableNames } from './lexer/variable-names.js';
import { maskTerms } from './shape/mask-terms.js';
import { ShapeCache } from './shape/shape-cache.js';

export { MAX_NESTING } from './lexer/trail.js';
/** What a text is parsed with. */
export type ParseOptions = PrologueOptions;

const CACHED_REQUESTS = 512;
/** One text may be asked of several repositories. */
const MOST_MEANINGS = 8;
const MAX_CACHED_TEXT = 16_384;
/** A long text is read in parts of this length, in characters. A part takes about 1 ms. */
const PART_CHARS = 8192;

/** What a text means with these prefixes and this base. */
interface Meaning {
  readonly prefixes: number;
  readonly baseIRI: string | undefined;
  readonly aggregates: ParseOptions['aggregates'];
}
interface Known<T> extends Meaning {
  readonly result: T;
}
/** About how many bytes the algebra of a character takes, of a text, and of all texts in half a cache. */
const CHARACTER_BYTES = 64;
const TEXT_BYTES = 512;
const CACHED_BYTES = 12 * 1024 ** 2;

const textCache = <T>(): RecentMap<string, readonly Known<T>[]> =>
  new RecentMap(CACHED_REQUESTS, {
    weigh: (text, meanings) => TEXT_BYTES + text.length * CHARACTER_BYTES * meanings.length,
    limitWeight: CACHED_BYTES,
  });
const requests = textCache<ParsedSparql>();
const texts = textCache<ParsedText>();
let shapes = new WeakMap<object, ShapeCache>();

/** Drops all parsed texts: they are parsed again where they are asked for. */
export function forgetTexts(): void {
  requests.clear();
  texts.clear();
  shapes = new WeakMap();
}

/**
 * Parses a query or an update. The result is shared: do not change it.
 * @throws ParseError `SPARQL_SYNTAX`
 */
export function parseSparql(text: string, options: ParseOptions = {}): ParsedSparql {
  return remembered(requests, text, options, () => parse(text, options));
}

/**
 * As {@link parseSparql}; a query may be one with placeholders that texts of the same shape share.
 * @throws ParseError `SPARQL_SYNTAX`
 */
export function parseText(text: string, options: ParseOptions = {}): ParsedText {
  return remembered(texts, text, options, (meaning) => parseByShape(text, options, meaning));
}

function remembered<T>(
  cache: RecentMap<string, readonly Known<T>[]>,
  text: string,
  options: ParseOptions,
  make: (meaning: Meaning) => T,
): T {
  const { baseIRI, aggregates } = options;
  const prefixes = prefixesKey(options.prefixes);
  const meaning = { prefixes, baseIRI, aggregates };
  if (text.length > MAX_CACHED_TEXT) return make(meaning);
  const known = cache.get(text) ?? [];
  for (const other of known) {
    const isSame = other.prefixes === prefixes && other.baseIRI === baseIRI && other.aggregates === aggregates;
    if (isSame) return other.result;
  }
  const result = make(meaning);
  cache.set(text, [{ prefixes, baseIRI, aggregates, result }, ...known.slice(0, MOST_MEANINGS - 1)]);
  return result;
}

function parseByShape(text: string, options: ParseOptions, { prefixes, baseIRI, aggregates }: Meaning): ParsedText {
  const masked = maskTerms(text);
  const cache = shapesFor(aggregates ?? NO_AGGREGATES);
  const meaning = `${prefixes} ${baseIRI} `;
  if (masked === undefined || cache.isFirst(masked, meaning)) {
    return { parsed: parse(text, options), values: [], byShape: false };
  }
  const known = cache.find(text, masked, meaning);
  if (known !== undefined) return known;
  const origins = new Map<RDF.Term, number>();
  const parsed = parse(text, options, origins);
  if (parsed.kind === 'update') return { parsed, values: [], byShape: false };
  return cache.add(text, masked, meaning, parsed, origins);
}

/** IRIs that are aggregates decide how a text is read. */
function shapesFor(aggregates: object): ShapeCache {
  let cache = shapes.get(aggregates);
  if (cache === undefined) shapes.set(aggregates, (cache = new ShapeCache()));
  return cache;
}

/** Whether a text is so long that parsing it at once would hold up the event loop. */
export const isLongText = (text: string): boolean => text.length > MAX_CACHED_TEXT;

/**
 * As {@link parseSparql}; a long text is read in parts, and `pause` is asked in between.
 * @throws ParseError `SPARQL_SYNTAX`; what `pause` throws
 */
export async function parseSparqlPaced(
  text: string,
  options: ParseOptions,
  pause: () => Promise<void> | undefined,
): Promise<ParsedSparql> {
  if (!isLongText(text)) return parseSparql(text, options);
  const attempt = async (taken?: ReadonlySet<string>): Promise<ParsedSparql> => {
    const parser = new RequestParser(text, options, taken);
    const parsing = parser.request();
    for (;;) {
      parser.pauseAt = parser.at + PART_CHARS;
      const step = next(parsing, parser, taken);
      if (step === 'clash') return attempt(await namesPaced(text, pause));
      if (step.done === true) return step.value;
      await pause();
    }
  };
  try {
    return await attempt();
  } catch (error) {
    throw withoutStackOverflow(error);
  }
}

async function namesPaced(text: string, pause: () => Promise<void> | undefined): Promise<ReadonlySet<string>> {
  const reading = variableNames(text);
  for (;;) {
    const step = reading.next();
    if (step.done === true) return step.value;
    await pause();
  }
}

function parse(text: string, options: ParseOptions, origins?: Map<RDF.Term, number>): ParsedSparql {
  const attempt = (taken?: ReadonlySet<string>): ParsedSparql => {
    const parser = new RequestParser(text, options, taken, origins);
    const step = next(parser.request(), parser, taken);
    if (step === 'clash') return attempt(wholly(variableNames(text)));
    return finished(step);
  };
  try {
    return attempt();
  } catch (error) {
    throw withoutStackOverflow(error);
  }
}

/**
 * The next part of a text. `clash`: a variable of the algebra has the name of one of the text, which a rule may have refused for that
 * reason. The text is to be read again with `taken`, the names that variables of the algebra must not have.
 */
function next(
  parsing: Parsing<ParsedSparql>,
  parser: RequestParser,
  taken: ReadonlySet<string> | undefined,
): IteratorResult<undefined, ParsedSparql> | 'clash' {
  try {
    const step = parsing.next();
    return step.done === true && taken === undefined && parser.clashes ? 'clash' : step;
  } catch (error) {
    if (taken === undefined && parser.clashes) return 'clash';
    throw error;
  }
}

function wholly<T>(reading: Parsing<T>): T {
  for (;;) {
    const step = reading.next();
    if (step.done === true) return step.value;
  }
}

function finished<T>(step: IteratorResult<undefined, T>): T {
  if (step.done === true) return step.value;
  throw new Error('the parser paused without being asked to');
}

/** A chain of tens of thousands of operators, or a caller that has used most of the stack. */
function withoutStackOverflow(error: unknown): unknown {
  return error instanceof RangeError
    ? new ParseError('SPARQL_SYNTAX', 'an expression is too long', {}, { cause: error })
    : error;
}

const NO_PREFIXES = {};
const NO_AGGREGATES = {};
const prefixNumbers = new Map<string, number>();
const numberOfPrefixes = new WeakMap<object, number>();
let lastNumber = 0;

/** A number for each set of prefixes. Callers pass the same object with each request. */
function prefixesKey(prefixes: ParseOptions['prefixes'] = NO_PREFIXES): number {
  let number = numberOfPrefixes.get(prefixes);
  if (number === undefined) {
    const text = JSON.stringify(Object.entries(prefixes));
    number = prefixNumbers.get(text) ?? ++lastNumber;
    if (prefixNumbers.size >= CACHED_REQUESTS) prefixNumbers.clear();
    prefixNumbers.set(text, number);
    numberOfPrefixes.set(prefixes, number);
  }
  return number;
}
