/** Short documents: their quads are held in memory and become an ordinary commit. To make a loader takes longer than to read them. */
import type { Repository as CoreRepository } from '@quadrille/core';
import { isGzip, QuadCollector, type RdfFormat } from '@quadrille/formats';
import { dataFactory, type TermHandle } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import type { LoadOptions, Revision } from '../api/index.js';
import { openLoadParser } from './parser.js';

/** Longest document of this kind. */
const MOST_BYTES = 8 * 1024;

/** Whether a document is short, nothing of it is left out or replaced, and nobody follows its load. */
export const isShortDocument = (bytes: Uint8Array | undefined, format: RdfFormat, options: LoadOptions): boolean =>
  bytes !== undefined &&
  bytes.length <= Math.min(MOST_BYTES, options.maxBytes ?? MOST_BYTES) &&
  !isGzip(bytes) &&
  // Other parsers wait, and leave out what is no RDF.
  format.createParser !== undefined &&
  format.createAsyncParser === undefined &&
  options.replace !== true &&
  options.onError !== 'skip' &&
  options.onProgress === undefined;

/** @param place the name of the document, and its address if it has one */
export async function loadShortDocument(
  repository: CoreRepository,
  bytes: Uint8Array,
  format: RdfFormat,
  options: LoadOptions,
  { name, iri }: { readonly name: string | undefined; readonly iri: string | undefined },
): Promise<Revision> {
  const { graph, signal } = options;
  signal?.throwIfAborted();
  const sink = new NumberedNodes(repository.freshBlankPrefix());
  const given = { sink, source: name, baseIRI: options.baseIRI ?? iri, signal };
  const parser = await openLoadParser(format, given, bytes.length);
  await parser.push(bytes);
  await parser.end();
  const quads = sink.take();
  return repository.commit(graph === undefined ? quads : quads.map((quad) => inGraph(quad, graph)), [], options);
}

const inGraph = ({ subject, predicate, object }: RDF.Quad, graph: RDF.Quad_Graph): RDF.Quad =>
  dataFactory.quad(subject, predicate, object, graph) as RDF.Quad;

const utf8 = new TextEncoder();

/** Blank nodes get numbers: their labels are as long as their senders like. */
class NumberedNodes extends QuadCollector {
  readonly #numbers = new Map<string, Uint8Array>();

  constructor(blankNodePrefix: string) {
    super({ blankNodePrefix });
  }

  override blankNode(bytes: Uint8Array, start: number, end: number): TermHandle {
    const label = String.fromCharCode(...bytes.subarray(start, end));
    let number = this.#numbers.get(label);
    if (number === undefined) this.#numbers.set(label, (number = utf8.encode(String(this.#numbers.size))));
    return super.blankNode(number, 0, number.length);
  }
}
