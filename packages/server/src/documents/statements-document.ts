/** Matching statements as a document. */
import { HttpError } from '../http/index.js';
import type * as RDF from '@rdfjs/types';
import type { QuadPattern, RdfFormat, ReadView } from 'quadrille';
import type { GraphSelection } from '../parameters/selected-graphs.js';
import { rdfFormat } from './media-types.js';

/** Most quads that are serialised at once, and the length of their texts: a literal may have 16 MiB. */
const BATCH_QUADS = 256;
const BATCH_LENGTH = 64 * 1024;

export interface Selection {
  /** Transactions have no `dump`. */
  readonly view: Pick<ReadView, 'quads'> & Partial<Pick<ReadView, 'dump'>>;
  readonly pattern: QuadPattern;
  readonly graphs: GraphSelection;
  readonly prefixes: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** The document, in chunks of text. */
export function statementsDocument(mediaType: string, selection: Selection): AsyncIterable<string> {
  const format = rdfFormat(mediaType);
  if (format === undefined) throw new HttpError('NOT_ACCEPTABLE', `${mediaType} cannot be written`);
  const { view, pattern, graphs, signal } = selection;
  const isEverything = graphs === 'all' && Object.keys(pattern).length === 0;
  if (isEverything && view.dump !== undefined) {
    return view.dump(format.mediaTypes[0], { signal, ...(!format.namedGraphs && { graphs: 'drop' }) });
  }
  return quadsDocument(selectedQuads(selection), format, selection.prefixes);
}

/**
 * The quads of a selection. One graph is a pattern of its own. Several graphs are read by one scan. The graph comes last in its
 * index order, so copies of a triple in different graphs follow each other.
 */
async function* selectedQuads({ view, pattern, graphs, signal }: Selection): AsyncGenerator<RDF.Quad> {
  if (graphs === 'all') yield* view.quads(pattern, { signal });
  else if (typeof graphs === 'object' && graphs.length === 1) {
    yield* view.quads({ ...pattern, graph: graphs[0] }, { signal });
  } else {
    for await (const quad of view.quads(pattern, { signal })) {
      if (isSelected(quad.graph, graphs)) yield quad;
    }
  }
}

/** Whether a graph is selected. */
export function isSelected(graph: RDF.Quad_Graph, graphs: GraphSelection): boolean {
  if (graphs === 'all') return true;
  if (graphs === 'named') return graph.termType !== 'DefaultGraph';
  return graphs.some((selected) => selected.equals(graph));
}

/** Quads as a document, in chunks of text. */
export async function* quadsDocument(
  quads: Iterable<RDF.Quad> | AsyncIterable<RDF.Quad>,
  format: RdfFormat,
  prefixes: Readonly<Record<string, string>>,
): AsyncGenerator<string> {
  const serializer = format.createSerializer?.({ prefixes });
  if (serializer === undefined) throw new HttpError('NOT_ACCEPTABLE', `${format.name} cannot be written`);
  let batch: RDF.Quad[] = [];
  let length = 0;
  let last: RDF.Quad | undefined;
  for await (const quad of quads) {
    // Without graph names, a triple that stands in two graphs is told once.
    if (!format.namedGraphs && last !== undefined && isSameTriple(last, quad)) continue;
    last = quad;
    length += lengthOf(quad);
    if (batch.push(quad) < BATCH_QUADS && length < BATCH_LENGTH) continue;
    yield serializer.write(batch);
    batch = [];
    length = 0;
  }
  if (batch.length > 0) yield serializer.write(batch);
  yield serializer.end();
}

const isSameTriple = (a: RDF.Quad, b: RDF.Quad): boolean =>
  a.subject.equals(b.subject) && a.predicate.equals(b.predicate) && a.object.equals(b.object);

/** About the length of a quad as text. Predicates and graphs are short. */
const lengthOf = ({ subject, object }: RDF.BaseQuad): number => textLength(subject) + textLength(object);
const textLength = (term: RDF.Term): number => (term.termType === 'Quad' ? lengthOf(term) : term.value.length);
