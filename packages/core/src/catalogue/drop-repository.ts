/** The data of deleted repositories: their space is given back, also where that was interrupted. */
import type { StorageEngine } from '@quadrille/storage';
import { droppedKey } from './catalogue.js';
import { afterPrefix, Area, areaKey, dataKey, readU32 } from '../format/layout.js';
import { writeAlone } from '../keyspace/write-alone.js';

/** Goes on with all deletions that were interrupted. */
export async function finishDrops(engine: StorageEngine, durable: boolean): Promise<void> {
  const head = areaKey(Area.dropped);
  const dropped: number[] = [];
  for await (const chunk of engine.range({ gte: head, lt: afterPrefix(head) }, { read: 'keys' })) {
    for (const { key } of chunk) dropped.push(readU32(key, 1));
  }
  for (const id of dropped) await dropData(engine, id, durable);
}

/** Deletes the data of a repository that is marked as dropped, and then the mark. */
export async function dropData(engine: StorageEngine, id: number, durable: boolean): Promise<void> {
  const gte = dataKey(id, 0).subarray(0, 5);
  const lt = afterPrefix(gte);
  // In portions, so that no batch grows with the repository.
  for (;;) {
    let last: Uint8Array | undefined;
    for await (const chunk of engine.range({ gte, lt, limit: 2048 }, { read: 'keys' }))
      last = chunk.at(-1)?.key.slice() ?? last;
    if (last === undefined) break;
    const end = new Uint8Array(last.length + 1);
    end.set(last);
    await engine.write([{ type: 'deleteRange', gte, lt: end }], { durable: false });
  }
  await writeAlone(engine, [{ type: 'delete', key: droppedKey(id) }], durable);
  if (engine.capabilities.compact) await engine.compact({ gte, lt });
}
