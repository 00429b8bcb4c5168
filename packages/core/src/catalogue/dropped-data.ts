/** The data of deleted repositories. A mark in the catalogue names each repository until all its keys are deleted. */
import { Mutex } from '@quadrille/model';
import type { Bytes, WriteOp } from '@quadrille/storage';
import { afterPrefix, Area, areaKey, dataKey } from '../format/layout.js';
import { tidyUp } from '../keyspace/write-alone.js';
import { DROPPED, droppedId, droppedKey } from './catalogue.js';
import type { Catalogue } from './catalogue.js';

/** Number of keys that one batch deletes, so that a large repository does not make a large batch. */
const KEYS_AT_ONCE = 2048;

export class DroppedData {
  /** Numbers of marked repositories whose data are not deleted yet. */
  readonly #left = new Set<number>();
  readonly #lock = new Mutex();

  constructor(
    private readonly catalogue: Catalogue,
    private readonly isClosed: () => boolean,
  ) {}

  /** Deletes the data that a crash or a full disk left behind. Call it once, when the store is opened. */
  async deleteMarked(): Promise<void> {
    const { engine } = this.catalogue;
    const head = areaKey(Area.dropped);
    for await (const chunk of engine.range({ gte: head, lt: afterPrefix(head) }, { read: 'keys' }))
      for (const { key } of chunk) this.#left.add(droppedId(key));
    if (engine.capabilities.readOnly !== true) await this.#deleteAll();
  }

  /** Deletes the data of a marked repository. Call it when no write to the repository is under way. */
  async delete(id: number): Promise<void> {
    this.#left.add(id);
    await this.#deleteAll();
  }

  /** Resolves when no deletion is under way. Closing the store stops a deletion. */
  settled(): Promise<void> {
    return this.#lock.run(async () => undefined);
  }

  // If the storage cannot write, the marks remain for the next deletion or the next open.
  #deleteAll(): Promise<void> {
    return this.#lock.run(() =>
      tidyUp(async () => {
        for (const id of this.#left) if (await this.#deleteOne(id)) this.#left.delete(id);
      }),
    );
  }

  // Returns false if the store was closed meanwhile. A repository without a mark is in use: the write that has shown it
  // was made, although it failed.
  async #deleteOne(id: number): Promise<boolean> {
    const { engine, durable } = this.catalogue;
    const precondition = { key: droppedKey(id), value: DROPPED };
    const gte = dataKey(id, 0).subarray(0, 5);
    const lt = afterPrefix(gte);
    for (let end = await this.#endOfPortion(gte, lt); end !== undefined; end = await this.#endOfPortion(gte, lt)) {
      if (this.isClosed()) return false;
      const outcome = await engine.write([{ type: 'deleteRange', gte, lt: end }], { durable: false, precondition });
      if (outcome === 'conflict') return true;
    }
    // Deletes the whole range once more: if reading ended early, keys would remain without a mark.
    const rest: WriteOp[] = [
      { type: 'deleteRange', gte, lt },
      { type: 'delete', key: droppedKey(id) },
    ];
    const outcome = await engine.write(rest, { durable, precondition });
    if (outcome !== 'conflict' && engine.capabilities.compact) await engine.compact({ gte, lt });
    return true;
  }

  // The end of the next portion of keys; undefined if no key is left.
  async #endOfPortion(gte: Bytes, lt: Bytes): Promise<Bytes | undefined> {
    let last: Bytes | undefined;
    const range = { gte, lt, limit: KEYS_AT_ONCE };
    for await (const chunk of this.catalogue.engine.range(range, { read: 'keys' }))
      last = chunk.at(-1)?.key.slice() ?? last;
    if (last === undefined) return undefined;
    const end = new Uint8Array(last.length + 1);
    end.set(last);
    return end;
  }
}
