/** Cuts chunks of bytes, so that parsing one of them does not take long. */
const SLICE_BYTES = 64 * 1024;

/** The same bytes in pieces of at most 64 KB. */
export async function* slicesOf(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncIterable<Uint8Array> {
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += SLICE_BYTES) yield chunk.subarray(at, at + SLICE_BYTES);
  }
}
