/** Whole documents as RDF/JS quads, for tools and small data. */
import { paced } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import { QuadCollector } from './collector.js';
import { createDefaultRegistry } from './formats.js';
import type { JsonLdOptions } from './json-ld-options.js';
import { openParser } from './open-parser.js';
import type { DocumentLoader, ParserLimits } from './parser.js';
import type { RdfFormat } from './registry.js';
import { slicesOf } from './slices.js';

/** Options of {@link parseQuads}. */
export interface ParseQuadsOptions {
  /** The format, or its name, media type or extension. */
  readonly format: RdfFormat | string;
  /** What relative IRIs resolve against. */
  readonly baseIRI?: string | undefined;
  /** Name of the document for error messages. */
  readonly source?: string | undefined;
  /** Bounds that differ from the default. */
  readonly limits?: ParserLimits | undefined;
  /** Put before every blank node label. Default: nothing. */
  readonly blankNodePrefix?: string | undefined;
  /** Brings the contexts that a JSON-LD document refers to. Without it they are refused. */
  readonly loadDocument?: DocumentLoader | undefined;
  /** How JSON-LD is read. */
  readonly jsonLd?: JsonLdOptions | undefined;
}

/**
 * The quads of a document, in document order. Holds the quads of one chunk and the distinct terms of the document.
 * @throws ParseError `RDF_SYNTAX`, through the iterator; InvalidArgumentError `INVALID_OPTION` for an unknown format and for
 * wrong options.
 * @example for await (const quad of parseQuads('<a:s> <a:p> "o" .', { format: 'nt' })) console.log(quad.object.value);
 */
export async function* parseQuads(
  source: AsyncIterable<Uint8Array> | string,
  options: ParseQuadsOptions,
): AsyncIterable<RDF.Quad> {
  const format = typeof options.format === 'string' ? createDefaultRegistry().find(options.format) : options.format;
  const { blankNodePrefix = '', baseIRI, limits, loadDocument, jsonLd } = options;
  const sink = new QuadCollector({ blankNodePrefix });
  const parser = await openParser(format, { sink, baseIRI, source: options.source, limits, loadDocument, jsonLd });
  const chunks = typeof source === 'string' ? [new TextEncoder().encode(source)] : source;
  // Parsers need not wait, nor does the consumer.
  for await (const slice of paced(slicesOf(chunks))) {
    await parser.push(slice);
    yield* sink.take();
  }
  await parser.end();
  yield* sink.take();
}
