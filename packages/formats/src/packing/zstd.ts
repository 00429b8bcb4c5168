/** zstd where the platform has none: Node.js before 22.15, and browsers. */
import { Decompress } from 'fzstd';
import { corrupt, truncated } from './corrupt.js';

/** What is given at once: a few bytes can stand for a block of 128 KB, and all that they give is held. */
const STEP_BYTES = 4096;
/** What is handed on at once. */
const LONGEST_PIECE = 1024 * 1024;

/**
 * Unpacks a zstd file, also one of several frames. Leaving the iteration early closes the source.
 * @throws ParseError `RDF_SYNTAX` for a truncated or corrupt file, through the iterator
 */
export async function* unpackZstd(
  source: AsyncIterable<Uint8Array>,
  { source: name }: { readonly source?: string | undefined } = {},
): AsyncGenerator<Uint8Array, void, undefined> {
  let pieces: Uint8Array[] = [];
  const stream = new Decompress((piece) => void pieces.push(piece));
  const push = (bytes: Uint8Array, isLast: boolean): void => {
    try {
      stream.push(bytes, isLast);
    } catch (error) {
      throw isLast ? truncated('zstd', name) : corrupt('zstd', error, name);
    }
  };
  function* taken(): Generator<Uint8Array> {
    const ready = pieces;
    pieces = [];
    for (const piece of ready)
      for (let at = 0; at < piece.length; at += LONGEST_PIECE) yield piece.subarray(at, at + LONGEST_PIECE);
  }
  for await (const chunk of source) {
    for (let at = 0; at < chunk.length; at += STEP_BYTES) {
      push(chunk.subarray(at, at + STEP_BYTES), false);
      yield* taken();
    }
  }
  push(new Uint8Array(0), true);
  yield* taken();
}
