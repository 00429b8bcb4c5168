/** Tools of tests that look into a storage: its keys, and calls that wait for the test. */
import { yieldTurn } from '@quadrille/model';
import { MemoryDriver } from '@quadrille/storage';
import type {
  Bytes,
  Entry,
  KeyRange,
  RangeOptions,
  StorageDriver,
  WriteOp,
  WriteOptions,
  WriteOutcome,
} from '@quadrille/storage';
import { Area, readU32 } from '../format/layout.js';

const area = (code: number): KeyRange => ({ gte: Uint8Array.of(code), lt: Uint8Array.of(code + 1) });

/** Numbers of the repositories that have keys in a storage, and of those that are marked as deleted. */
export async function repositoryIds(driver: StorageDriver): Promise<{ data: Set<number>; marked: Set<number> }> {
  const data = new Set<number>();
  const marked = new Set<number>();
  for (const [code, ids] of [
    [Area.data, data],
    [Area.dropped, marked],
  ] as const)
    for await (const chunk of driver.range(area(code), { read: 'keys' }))
      for (const { key } of chunk) ids.add(readU32(key, 1));
  return { data, marked };
}

type Call = 'write' | 'get' | 'getMany' | 'range';

/** Storage in memory whose calls wait for the test, before and after their work. */
export class WaitingDriver extends MemoryDriver {
  /** Called at the start of each call, which waits for the returned promise. */
  before: (call: Call, ops: readonly WriteOp[]) => Promise<void> | undefined = () => undefined;
  /** Called when a call has done its work but has not returned. The call waits for the returned promise. */
  after: (call: Call, ops: readonly WriteOp[]) => Promise<void> | undefined = () => undefined;

  constructor(sync = true) {
    super();
    Object.assign(this, { capabilities: { ...this.capabilities, getSync: sync } });
  }

  async #around<T>(call: Call, work: () => Promise<T>, ops: readonly WriteOp[] = []): Promise<T> {
    await this.before(call, ops);
    const result = await work();
    await this.after(call, ops);
    return result;
  }

  override get(key: Bytes): Promise<Bytes | undefined> {
    return this.#around('get', () => super.get(key));
  }

  override getMany(keys: readonly Bytes[]): Promise<(Bytes | undefined)[]> {
    return this.#around('getMany', () => super.getMany(keys));
  }

  override async *range(
    range: KeyRange,
    options: Required<RangeOptions>,
  ): AsyncGenerator<readonly Entry[], void, undefined> {
    await this.before('range', []);
    for await (const chunk of super.range(range, options)) {
      await this.after('range', []);
      yield chunk;
    }
  }

  override write(ops: readonly WriteOp[], options: WriteOptions): Promise<WriteOutcome> {
    return this.#around('write', () => super.write(ops, options), ops);
  }

  /**
   * Holds the next write for which `matches` is true. `begun` resolves when the write has started; `release`
   * continues it.
   */
  holdWrite(matches: (ops: readonly WriteOp[]) => boolean, where: 'before' | 'after' = 'before'): Held {
    let release!: () => void;
    let begin!: () => void;
    const held = new Promise<void>((resolve) => (release = resolve));
    const begun = new Promise<void>((resolve) => (begin = resolve));
    const others = this[where];
    this[where] = (call, ops) => {
      if (call !== 'write' || !matches(ops)) return others(call, ops);
      this[where] = others;
      begin();
      return held;
    };
    return { begun, release };
  }
}

interface Held {
  readonly begun: Promise<void>;
  readonly release: () => void;
}

/** Waits long enough for all work that does not wait for the storage. */
export async function manyTurns(): Promise<void> {
  for (let turn = 0; turn < 200; turn++) await yieldTurn();
}
