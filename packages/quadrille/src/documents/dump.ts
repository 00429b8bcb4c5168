/** The content of a revision as a document, in pieces. */
import type * as RDF from '@rdfjs/types';
import type { Snapshot } from '@quadrille/core';
import { checkJsonLdOptions, JSON_LD_WRITE_OPTIONS } from '@quadrille/formats';
import type { RdfFormat } from '@quadrille/formats';
import { defaultGraph, InvalidArgumentError, quad } from '@quadrille/model';
import type { DumpOptions } from '../api/index.js';
import { findFormat, serializerOf } from './formats.js';
import { shortPieces } from './short-pieces.js';

/** Names of the formats that have a canonical form. */
const CANONICAL: ReadonlySet<string> = new Set(['N-Triples', 'N-Quads']);

/**
 * All quads of a snapshot, or those of one graph. Without graph names each triple is written once.
 * @throws InvalidArgumentError `INVALID_OPTION` for named graphs in a format that has none, unless the options say what to do
 */
export async function* dumpText(
  snapshot: Snapshot,
  mediaType: string,
  prefixes: Readonly<Record<string, string>>,
  { graph, graphs, canonical = false, jsonLd }: DumpOptions,
): AsyncGenerator<string> {
  checkJsonLdOptions(jsonLd, 'dump', JSON_LD_WRITE_OPTIONS);
  const format = await findFormat((formats) => formats.find(mediaType));
  if (canonical && !CANONICAL.has(format.name)) throw notCanonical(format);
  const serializer = serializerOf(format, { prefixes, canonical, jsonLd });
  const drop = graphs === 'drop';
  if (!format.namedGraphs && graph === undefined && !drop) await refuseNamedGraphs(snapshot, format);
  const merged = graph === undefined && (drop || !format.namedGraphs);
  const nameless = drop && format.namedGraphs;
  let last: RDF.Quad | undefined;
  for await (const quads of shortPieces(batches(snapshot, graph))) {
    const kept = merged ? withoutRepeats(quads, last) : quads;
    last = quads.at(-1);
    const text = serializer.write(nameless ? kept.map(asTriple) : kept);
    if (text !== '') yield text;
  }
  yield serializer.end();
}

async function* batches(snapshot: Snapshot, graph: RDF.Term | undefined): AsyncGenerator<readonly RDF.Quad[]> {
  const ids = await snapshot.ids({ graph });
  // No quad is in a graph that the repository has never heard of.
  if (ids === undefined) return;
  const reader = snapshot.read(ids);
  try {
    for (let quads = await reader.next(); quads !== undefined; quads = await reader.next()) yield quads;
  } finally {
    reader.close();
  }
}

async function refuseNamedGraphs(snapshot: Snapshot, { name }: RdfFormat): Promise<void> {
  for await (const _ of snapshot.graphs()) {
    throw new InvalidArgumentError(
      'INVALID_OPTION',
      `dump: ${name} has no named graphs, and there are some. Dump one graph (graph), drop the names of all ` +
        `(graphs: 'drop'), or take a format that has graphs (N-Quads, TriG)`,
      { details: { option: 'graphs' } },
    );
  }
}

function notCanonical({ name }: RdfFormat): InvalidArgumentError {
  return new InvalidArgumentError(
    'INVALID_OPTION',
    `dump: ${name} has no canonical form; N-Triples and N-Quads have one`,
    { details: { option: 'canonical' } },
  );
}

const asTriple = ({ subject, predicate, object }: RDF.Quad): RDF.Quad =>
  quad(subject, predicate, object, defaultGraph());

// The same triple in two graphs comes one after the other, since quads are read in the order of subjects.
function withoutRepeats(quads: readonly RDF.Quad[], before: RDF.Quad | undefined): RDF.Quad[] {
  let last = before;
  return quads.filter((candidate) => {
    const repeated =
      last !== undefined &&
      candidate.object.equals(last.object) &&
      candidate.predicate.equals(last.predicate) &&
      candidate.subject.equals(last.subject);
    last = candidate;
    return !repeated;
  });
}
