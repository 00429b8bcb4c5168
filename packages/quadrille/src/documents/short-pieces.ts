/** Quads in pieces that are written in some milliseconds each. */
import { paced } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';

/** Most quads of a piece, and the characters of their objects: a few long literals are a piece of their own. */
const PIECE_QUADS = 512;
const PIECE_CHARACTERS = 128 * 1024;

/** The event loop has its turns in between. */
export const shortPieces = (batches: AsyncIterable<readonly RDF.Quad[]>): AsyncIterable<readonly RDF.Quad[]> =>
  paced(piecesOf(batches));

async function* piecesOf(batches: AsyncIterable<readonly RDF.Quad[]>): AsyncGenerator<readonly RDF.Quad[]> {
  for await (const quads of batches) {
    for (let at = 0; at < quads.length;) {
      const end = endOfPiece(quads, at);
      yield quads.slice(at, end);
      at = end;
    }
  }
}

function endOfPiece(quads: readonly RDF.Quad[], start: number): number {
  let characters = 0;
  let at = start;
  while (at < quads.length && at - start < PIECE_QUADS && characters <= PIECE_CHARACTERS)
    characters += quads[at++]!.object.value.length;
  return at;
}
