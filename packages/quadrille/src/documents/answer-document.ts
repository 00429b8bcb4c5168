/** Answers of queries as documents. */
import type * as RDF from '@rdfjs/types';
import type { RdfFormat, RdfSerializer } from '@quadrille/formats';
import { createResultSerializer } from '@quadrille/formats';
import { type LazySequence, lazySequence } from '@quadrille/model';
import type { SparqlAnswer } from '@quadrille/sparql';
import { findFormat, serializerOf } from './formats.js';
import { shortPieces } from './short-pieces.js';
import { bindingsDocument } from './rows-document.js';

/** The answer of a query as a document, in pieces; nothing is written ahead of the reader. */
export function documentOf(
  answer: SparqlAnswer,
  mediaType: string,
  prefixes: Readonly<Record<string, string>>,
): LazySequence<string> | Promise<LazySequence<string>> {
  if (answer.type === 'quads') {
    const document = (format: RdfFormat): LazySequence<string> => {
      const serializer = serializerOf(format, { prefixes });
      return lazySequence(() => quadsDocument(answer.batches, serializer));
    };
    const format = findFormat((formats) => formats.find(mediaType));
    return format instanceof Promise ? format.then(document) : document(format);
  }
  const serializer = createResultSerializer(mediaType);
  return answer.type === 'boolean' ? onePiece(serializer.boolean(answer.value)) : bindingsDocument(answer, serializer);
}

async function* quadsDocument(
  batches: AsyncIterable<readonly RDF.Quad[]>,
  serializer: RdfSerializer,
): AsyncGenerator<string> {
  for await (const piece of shortPieces(batches)) yield serializer.write(piece);
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
