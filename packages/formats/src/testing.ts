/** What the tests of this package share. Not exported. */
import { ParseError, termToText } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import { QuadCollector } from './collector.js';
import { createDefaultRegistry } from './formats.js';
import type { ParserLimits } from './parser.js';

for (const format of createDefaultRegistry().list()) await format.load?.();

export const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

export interface ParseAllOptions {
  readonly format: string;
  readonly baseIRI?: string;
  readonly limits?: ParserLimits;
}

/** Parses chunks and returns canonical lines. */
export function parseAll(chunks: readonly Uint8Array[], options: ParseAllOptions): string[] {
  return toLines(parseChunks(chunks, options));
}

export function parseChunks(chunks: readonly Uint8Array[], options: ParseAllOptions): RDF.Quad[] {
  const { format, ...rest } = options;
  const sink = new QuadCollector();
  const parser = createDefaultRegistry()
    .find(format)
    .createParser?.({ sink, source: 'doc', ...rest });
  for (const chunk of chunks) parser?.push(chunk);
  parser?.end();
  return sink.take();
}

/** The error of a document, which must have one. */
export function errorOf(document: string | Uint8Array, options: ParseAllOptions): ParseError {
  try {
    parseChunks([typeof document === 'string' ? encode(document) : document], options);
  } catch (error) {
    if (error instanceof ParseError) return error;
    throw error;
  }
  throw new Error(`no error in ${String(document)}`);
}

/** Result or error of a document as text, for comparing two ways to parse it. */
export function outcome(chunks: readonly Uint8Array[], options: ParseAllOptions): string {
  try {
    return parseAll(chunks, options).join('\n');
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    return `${error.message} @${error.offset}`;
  }
}

export function toLines(quads: readonly RDF.Quad[]): string[] {
  return quads.map(({ subject, predicate, object, graph }) =>
    [subject, predicate, object, graph].map(termToText).join(' ').trimEnd(),
  );
}

/** Cuts a document in two at every offset. */
export function* cuts(document: Uint8Array): Iterable<[Uint8Array, Uint8Array]> {
  for (let at = 0; at <= document.length; at++) yield [document.slice(0, at), document.slice(at)];
}

export async function* iterate<T>(values: Iterable<T>): AsyncIterable<T> {
  yield* values;
}

export async function collect<T>(source: AsyncIterable<T>): Promise<T[]> {
  const values: T[] = [];
  for await (const value of source) values.push(value);
  return values;
}
