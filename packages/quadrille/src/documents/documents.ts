/** Answers and contents as documents. */
import type * as RDF from '@rdfjs/types';
import type { Snapshot } from '@quadrille/core';
import type { FormatRegistry, RdfSerializer } from '@quadrille/formats';
import { createDefaultRegistry, createResultSerializer } from '@quadrille/formats';
import { InvalidArgumentError, type LazySequence, lazySequence } from '@quadrille/model';
import type { SparqlAnswer } from '@quadrille/sparql';
import { rowsDocument } from './rows-document.js';

/** The formats that the library reads and writes. */
export const formats: FormatRegistry = createDefaultRegistry();

type Prefixes = Readonly<Record<string, string>>;

const BATCH_ITEMS = 512;

function rdfSerializer(mediaType: string, prefixes: Prefixes): { serializer: RdfSerializer; namedGraphs: boolean } {
  const format = formats.find(mediaType);
  if (format.createSerializer === undefined) {
    throw new InvalidArgumentError('INVALID_OPTION', `${format.name} can be read, not written`);
  }
  return { serializer: format.createSerializer({ prefixes }), namedGraphs: format.namedGraphs };
}

/** The answer of a query as a document, in pieces; nothing is written ahead of the reader. */
export function documentOf(answer: SparqlAnswer, mediaType: string, prefixes: Prefixes): LazySequence<string> {
  if (answer.type === 'quads') {
    const { serializer } = rdfSerializer(mediaType, prefixes);
    return lazySequence(() => quadsDocument(answer.batches, serializer));
  }
  const serializer = createResultSerializer(mediaType);
  return answer.type === 'boolean' ? onePiece(serializer.boolean(answer.value)) : rowsDocument(answer, serializer);
}

async function* quadsDocument(
  batches: AsyncIterable<readonly RDF.Quad[]>,
  serializer: RdfSerializer,
): AsyncGenerator<string> {
  for await (const quads of batches) {
    for (let at = 0; at < quads.length; at += BATCH_ITEMS) yield serializer.write(quads.slice(at, at + BATCH_ITEMS));
  }
  yield serializer.end();
}

function onePiece(text: string): LazySequence<string> {
  let left: string | undefined = text;
  return {
    next() {
      const piece = left;
      left = undefined;
      return piece;
    },
    close: () => undefined,
  };
}

/** All quads of a snapshot as a document, in pieces. Formats without graphs get every triple once. */
export async function* dumpText(snapshot: Snapshot, mediaType: string, prefixes: Prefixes): AsyncGenerator<string> {
  const { serializer, namedGraphs } = rdfSerializer(mediaType, prefixes);
  const reader = snapshot.read({ s: 0, p: 0, o: 0, g: 0 });
  let last: RDF.Quad | undefined;
  try {
    for (;;) {
      const quads = await reader.next();
      if (quads === undefined) break;
      const kept = namedGraphs ? quads : withoutRepeats(quads, last);
      last = quads.at(-1);
      const text = serializer.write(kept);
      if (text !== '') yield text;
    }
    yield serializer.end();
  } finally {
    reader.close();
  }
}

// The same triple in two graphs comes one after the other, since quads are read in the order of subjects.
function withoutRepeats(quads: readonly RDF.Quad[], before: RDF.Quad | undefined): RDF.Quad[] {
  let last = before;
  return quads.filter((quad) => {
    const repeated =
      last !== undefined &&
      quad.object.equals(last.object) &&
      quad.predicate.equals(last.predicate) &&
      quad.subject.equals(last.subject);
    last = quad;
    return !repeated;
  });
}
