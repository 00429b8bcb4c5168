/**
 * The mark of a store that a restore is writing in place, where it cannot be written aside and renamed: a shared store. Until the
 * restore has ended, the store cannot be opened. The next restore removes what an interrupted one has left.
 */
import { ConflictError, StorageError } from '@quadrille/model';
import type { StorageEngine, WriteOp } from '@quadrille/storage';
import { ByteReader, ByteWriter } from '../format/byte-codec.js';
import { Area, areaKey, UNFINISHED_FORMAT } from '../format/layout.js';

const ALL: WriteOp = { type: 'deleteRange', gte: areaKey(0), lt: new Uint8Array(8).fill(0xff) };

/**
 * Marks an empty storage, or one that an interrupted restore has left, which is emptied.
 * @throws ConflictError `ALREADY_EXISTS` if it has a store
 */
export async function beginUnfinished(engine: StorageEngine, location: string): Promise<void> {
  const entry = await engine.get(areaKey(Area.store));
  if (entry !== undefined && new ByteReader(entry).varint() !== UNFINISHED_FORMAT) {
    throw new ConflictError(
      'ALREADY_EXISTS',
      `${location} has a store already: restore to another database or bucket`,
      {
        details: { path: location },
      },
    );
  }
  const mark = new ByteWriter(8).varint(UNFINISHED_FORMAT).finish().slice();
  await write(engine, [ALL]);
  await write(engine, [{ type: 'put', key: areaKey(Area.store), value: mark }]);
}

/** Empties a storage after a restore that has failed. */
export const clearUnfinished = (engine: StorageEngine): Promise<void> => write(engine, [ALL]);

async function write(engine: StorageEngine, ops: readonly WriteOp[]): Promise<void> {
  const outcome = await engine.write(ops, { durable: true });
  if (outcome !== 'ok')
    throw new StorageError(outcome === 'full' ? 'STORAGE_FULL' : 'STORAGE_IO', `the storage answered "${outcome}"`);
}
