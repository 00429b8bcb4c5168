/** How much of the storage a repository takes. */
import type { SpaceUse } from './compact.js';
import type { RepositoryHandle } from '../open/handle.js';

/** Bytes that the repository occupies in the storage; 0 for an empty one. */
export async function occupiedBytes(handle: RepositoryHandle): Promise<number> {
  const { keyspace } = handle;
  const range = keyspace.everything;
  const size = await keyspace.engine.approximateSize(range);
  if (size > 0 || handle.head.number === 1) return size;
  // LevelDB leaves out what is still in its log, which is at most a write buffer: that is added up.
  let bytes = 0;
  for await (const chunk of keyspace.range(range))
    for (const { key, value } of chunk) bytes += key.length + value.length;
  return bytes;
}

/** Does work that changes how much that is. */
export async function measured(handle: RepositoryHandle, work: () => Promise<void>): Promise<SpaceUse> {
  const bytesBefore = await occupiedBytes(handle);
  await work();
  return { bytesBefore, bytesAfter: await occupiedBytes(handle) };
}
