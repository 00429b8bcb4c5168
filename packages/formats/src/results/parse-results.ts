/** Reads SPARQL results by media type or name. The document is not trusted, so every member is checked. */
import { InvalidArgumentError } from '@quadrille/model';
import { parseJsonResults } from './parse-json.js';
import { parseCsvResults, parseTsvResults } from './parse-separated.js';
import { resultError } from './result-terms.js';
import type { ParsedResults } from './result-terms.js';

type ParseText = (text: string) => ParsedResults;

let xml: typeof import('./parse-xml.js') | undefined;

// Servers answer with the general types of JSON and XML as well.
const READERS: readonly { readonly names: readonly string[]; readonly parse: ParseText }[] = [
  { names: ['application/sparql-results+json', 'application/json', 'srj', 'json'], parse: parseJsonResults },
  { names: ['application/sparql-results+xml', 'application/xml', 'text/xml', 'srx', 'xml'], parse: parseXml },
  { names: ['text/tab-separated-values', 'tsv'], parse: parseTsvResults },
  { names: ['text/csv', 'csv'], parse: parseCsvResults },
  { names: ['text/boolean', 'boolean'], parse: parseBoolean },
];

/**
 * Reads one answer.
 * @throws ParseError `RDF_SYNTAX`; InvalidArgumentError `INVALID_OPTION` where nothing here has that media type or name
 * @example (await parseResultsAsync('?x\n1\n', 'text/tab-separated-values')).type // 'bindings'
 */
export async function parseResultsAsync(text: string | Uint8Array, mediaTypeOrName: string): Promise<ParsedResults> {
  await loadResultParser(mediaTypeOrName);
  return parseResults(text, mediaTypeOrName);
}

/** The synchronous {@link parseResultsAsync}. For XML, await {@link loadResultParser} first. */
export function parseResults(text: string | Uint8Array, mediaTypeOrName: string): ParsedResults {
  const parse = readerOf(mediaTypeOrName);
  return parse(typeof text === 'string' ? text.replace(/^\uFEFF/, '') : decode(text));
}

/** Loads the modules that a format needs. Only XML needs one: its parser, which most programs never use. */
export async function loadResultParser(mediaTypeOrName: string): Promise<void> {
  if (readerOf(mediaTypeOrName) === parseXml) xml ??= await import('./parse-xml.js');
}

function readerOf(mediaTypeOrName: string): ParseText {
  const wanted = (mediaTypeOrName.split(';')[0] ?? '').trim().toLowerCase();
  const found = READERS.find(({ names }) => names.includes(wanted));
  if (found !== undefined) return found.parse;
  const known = READERS.map(({ names }) => names[0]).join(', ');
  throw new InvalidArgumentError(
    'INVALID_OPTION',
    `no reader of results for ${mediaTypeOrName.slice(0, 100)}; there are ${known}`,
  );
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw resultError('not UTF-8', {}, error);
  }
}

function parseXml(text: string): ParsedResults {
  if (xml === undefined) throw new Error('await loadResultParser() before parseResults() of XML');
  return xml.parseXmlResults(text);
}

function parseBoolean(text: string): ParsedResults {
  const word = text.trim();
  if (word !== 'true' && word !== 'false') throw resultError('neither true nor false');
  return { type: 'boolean', value: word === 'true' };
}
