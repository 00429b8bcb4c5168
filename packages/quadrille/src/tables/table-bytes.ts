/** The bytes of a table, unpacked. */
import { unpack, withPacking } from '../load/gunzip.js';
import type { OpenSource } from '../load/source.js';

/** Lets go of its source when the reading ends before it. */
export async function* tableBytes(opened: OpenSource, source: string | undefined): AsyncGenerator<Uint8Array> {
  const iterator = opened.chunks[Symbol.asyncIterator]();
  try {
    const { packing, chunks } = await withPacking(iterator, opened.fileName !== undefined);
    yield* packing === undefined ? chunks : unpack(packing, chunks, { source });
  } finally {
    await iterator.return?.(undefined);
  }
}
