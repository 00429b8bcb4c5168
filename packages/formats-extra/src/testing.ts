/** What the tests of this package share. Not exported. */
import { createDefaultRegistry, openParser, QuadCollector } from '@quadrille/formats';
import type { AsyncParserOptions } from '@quadrille/formats';
import { ParseError, termToText } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import { registerExtraFormats } from './formats.js';

export const registry = createDefaultRegistry();
registerExtraFormats(registry);

export const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

export type ParseOptions = Omit<AsyncParserOptions, 'sink'>;

/** The quads of a document that comes in chunks, in any format of the registry. */
export async function parseChunks(
  format: string,
  chunks: Iterable<Uint8Array>,
  options: ParseOptions = {},
): Promise<RDF.Quad[]> {
  const sink = new QuadCollector();
  const parser = await openParser(registry.find(format), { sink, source: 'doc', ...options });
  for (const chunk of chunks) await parser.push(chunk);
  await parser.end();
  return sink.take();
}

export const parse = (format: string, text: string, options?: ParseOptions): Promise<RDF.Quad[]> =>
  parseChunks(format, [encode(text)], options);

/** Canonical lines of a document. */
export const linesOf = async (format: string, text: string, options?: ParseOptions): Promise<string[]> =>
  toLines(await parse(format, text, options));

/** The error of a document, which must have one. */
export async function errorOf(
  format: string,
  document: string | Uint8Array,
  options?: ParseOptions,
): Promise<ParseError> {
  try {
    await parseChunks(format, [typeof document === 'string' ? encode(document) : document], options);
  } catch (error) {
    if (error instanceof ParseError) return error;
    throw error;
  }
  throw new Error(`no error in ${String(document).slice(0, 200)}`);
}

export function toLines(quads: readonly RDF.Quad[]): string[] {
  return quads.map(({ subject, predicate, object, graph }) =>
    [subject, predicate, object, graph].map(termToText).join(' ').trimEnd(),
  );
}

export function serialize(
  format: string,
  quads: readonly RDF.Quad[],
  prefixes = {},
  batch = quads.length || 1,
): string {
  const serializer = registry.find(format).createSerializer!({ prefixes });
  let text = '';
  for (let i = 0; i < quads.length; i += batch) text += serializer.write(quads.slice(i, i + batch));
  return text + serializer.end();
}

export const bytewise = (text: string): Uint8Array[] => Array.from(encode(text), (byte) => Uint8Array.of(byte));
