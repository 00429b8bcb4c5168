/** Measures the space that a repository occupies in the storage. */
import type { SpaceUse } from './compact.js';
import type { RepositoryHandle } from '../open/handle.js';

/** Bytes that the repository occupies in the storage; 0 for an empty one. */
export async function occupiedBytes(handle: RepositoryHandle): Promise<number> {
  const { keyspace } = handle;
  const range = keyspace.everything;
  const size = await keyspace.engine.approximateSize(range);
  if (size > 0 || handle.head.number === 1) return size;
  // LevelDB does not count the data of its log, which are at most one write buffer. So the entries are added up.
  let bytes = 0;
  for await (const chunk of keyspace.range(range))
    for (const { key, value } of chunk) bytes += key.length + value.length;
  return bytes;
}

/** Does work and measures the occupied space before and after it. */
export async function measured(handle: RepositoryHandle, work: () => Promise<void>): Promise<SpaceUse> {
  const bytesBefore = await occupiedBytes(handle);
  await work();
  return { bytesBefore, bytesAfter: await occupiedBytes(handle) };
}
