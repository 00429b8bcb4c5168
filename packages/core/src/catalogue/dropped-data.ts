/** The data of deleted repositories. A mark in the catalogue names each repository until all of its keys are deleted. */
import { Mutex } from '@quadrille/model';
import type { Bytes, WriteOp } from '@quadrille/storage';
import { afterPrefix, Area, areaKey, dataKey } from '../format/layout.js';
import { tidyUp } from '../keyspace/write-alone.js';
import { droppedId, droppedKey } from './catalogue.js';
import type { Catalogue } from './catalogue.js';

/** Keys that one batch deletes, so that no batch grows with the repository. */
const KEYS_AT_ONCE = 2048;

export class DroppedData {
  /** Repositories whose data nothing reads or writes any more. */
  readonly #left = new Set<number>();
  readonly #lock = new Mutex();

  constructor(
    private readonly catalogue: Catalogue,
    private readonly isClosed: () => boolean,
  ) {}

  /** Deletes what a crash or a full disk left behind. Once, when the store is opened. */
  async deleteMarked(): Promise<void> {
    const { engine } = this.catalogue;
    const head = areaKey(Area.dropped);
    for await (const chunk of engine.range({ gte: head, lt: afterPrefix(head) }, { read: 'keys' }))
      for (const { key } of chunk) this.#left.add(droppedId(key));
    if (engine.capabilities.readOnly !== true) await this.#deleteAll();
  }

  /** Deletes the data of a marked repository, whose last write has ended. */
  async delete(id: number): Promise<void> {
    this.#left.add(id);
    await this.#deleteAll();
  }

  /** Resolves when no deletion is under way. One that is under way stops when the store is closed. */
  settled(): Promise<void> {
    return this.#lock.run(async () => undefined);
  }

  // Where the storage cannot write, the marks stay for the next deletion or the next open.
  #deleteAll(): Promise<void> {
    return this.#lock.run(() =>
      tidyUp(async () => {
        for (const id of this.#left) if (await this.#deleteOne(id)) this.#left.delete(id);
      }),
    );
  }

  // False where the store was closed meanwhile.
  async #deleteOne(id: number): Promise<boolean> {
    const { engine, durable } = this.catalogue;
    const gte = dataKey(id, 0).subarray(0, 5);
    const lt = afterPrefix(gte);
    for (let end = await this.#endOfPortion(gte, lt); end !== undefined; end = await this.#endOfPortion(gte, lt)) {
      if (this.isClosed()) return false;
      await engine.write([{ type: 'deleteRange', gte, lt: end }], { durable: false });
    }
    // The whole range once more: a reading that ended early must not leave keys without a mark.
    const rest: WriteOp[] = [
      { type: 'deleteRange', gte, lt },
      { type: 'delete', key: droppedKey(id) },
    ];
    await engine.write(rest, { durable });
    if (engine.capabilities.compact) await engine.compact({ gte, lt });
    return true;
  }

  // Where the next portion of keys ends; undefined where there are none.
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
