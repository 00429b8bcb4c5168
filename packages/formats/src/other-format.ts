/** Recognises a document of another format than the one it is read as, for the message of the error that this leads to. */
import { ParseError } from '@quadrille/model';

/** The bytes at the start of a document by which its format is known. */
export const SIGN_BYTES = 512;
/** The formats, and how their documents begin behind space and comments. */
const SIGNS: readonly (readonly [name: string, pattern: RegExp, readers: readonly string[]])[] = [
  ['gzip', /^\x1f\x8b/, []],
  ['bzip2', /^BZh[1-9](?:1AY&SY|\x17rE8P\x90)/, []],
  ['zstd', /^\x28\xb5\x2f\xfd/, []],
  ['xz', /^\xfd7zXZ/, []],
  ['a ZIP archive', /^PK\x03\x04/, []],
  ['HTML', /^<(?:!doctype html|html)\b/i, ['JSON-LD in HTML']],
  ['SPARQL results in XML', /^(?:<\?xml[^>]*>\s*)?<sparql\b/, []],
  ['TriX', /^(?:<\?xml[^>]*>\s*)?<TriX\b/i, ['TriX']],
  ['RDF/XML', /^<(?:\?xml|!DOCTYPE|(?:\w+:)?RDF)\b/, ['RDF/XML', 'TriX']],
  ['JSON-LD', /^[{[][^]{0,400}"@(?:context|id|graph|type)"\s*:/, ['JSON-LD', 'JSON', 'JSON Lines']],
  ['JSON', /^(?:\{\s*["}]|\[\s*[{"])/, ['JSON-LD', 'RDF/JSON', 'JSON', 'JSON Lines']],
  ['OWL in functional syntax', /^(?:Prefix|Ontology)\s*\(/, []],
  ['OWL in Manchester syntax', /^(?:Prefix|Ontology|Class):\s/, []],
  ['RDF Patch', /^(?:H\s+\w+\s|TX\s*\.|[AD]\s+(?:<|_:)|P[AD]\s)/, []],
  ['Turtle', /^(?:@prefix|@base|PREFIX|BASE)\b/i, ['Turtle', 'TriG', 'N3']],
];
const SPACE = /^(?:\uFEFF|\s|#[^\n]*(?:\n|$)|<!--[^]*?-->)*/;
/** An error behind this line is one of the document. */
const LAST_LINE = 20;
const SEEMS = 'the document seems to be';

/** What a document looks like, if that is not the format it is read as. */
function otherFormat(start: Uint8Array, format: string): string | undefined {
  const text = new TextDecoder('latin1').decode(start);
  const shown = text.startsWith('\xef\xbb\xbf') ? text.slice(3) : text;
  const begin = shown.replace(SPACE, '');
  const found = SIGNS.find(([, pattern]) => pattern.test(begin) || pattern.test(shown));
  return found === undefined || found[2].includes(format) ? undefined : found[0];
}

/** The same error, with the format that the document seems to have. */
export function withOtherFormat(error: unknown, start: Uint8Array, format: string): unknown {
  if (!(error instanceof ParseError) || error.code !== 'RDF_SYNTAX' || (error.line ?? 1) > LAST_LINE) return error;
  // A parser that failed while it read can fail once more at the end.
  if (error.reason.includes(SEEMS)) return error;
  const other = otherFormat(start, format);
  if (other === undefined) return error;
  const advice = `${SEEMS} ${other}, not ${format}: name its format (--format, { format }, Content-Type)`;
  const reason = `${error.reason.slice(0, 80)}; ${advice}`;
  const { source, line, column, offset } = error;
  return new ParseError('RDF_SYNTAX', reason, { source, line, column, offset }, { cause: error });
}
