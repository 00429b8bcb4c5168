/**
 * Runs under construction. A session reserves a range of run numbers and records it in the storage before it writes.
 * So the next open finds and deletes what a crash left.
 */
import type { WriteOp } from '@quadrille/storage';
import { ByteReader, ByteWriter } from '../../format/byte-codec.js';
import { readU32, Tag } from '../../format/layout.js';
import { checkNumber, NEW_REPOSITORY } from '../../format/numbers.js';
import type { Run } from './run.js';
import { tidyUp } from '../../keyspace/write-alone.js';
import type { Keyspace } from '../../keyspace/keyspace.js';
import { notWritten, writeBefore } from '../../keyspace/not-written.js';

const RANGE = 64;

export class RunNumbers {
  constructor(public next: number) {}

  /** Reserves a range and returns its first number. @throws StorageError `STORAGE_LIMIT` */
  reserve(repository: string): number {
    checkNumber(this.next + RANGE, `runs of repository ${repository}`, NEW_REPOSITORY);
    const first = this.next;
    this.next += RANGE;
    return first;
  }
}

/** The timeline whose runs a session writes. */
interface RunOwner {
  readonly keyspace: Keyspace;
  readonly numbers: RunNumbers;
  /** The error of a failed write, after which the timeline writes nothing. */
  readonly failure?: unknown;
  /** Whether {@link RunSession.finish} is written only later, or never. Until then the marks cover all numbers of their ranges. */
  readonly isDraft?: boolean;
}

export class RunSession {
  #next = 0;
  #end = 0;
  readonly #ranges: number[] = [];

  constructor(private readonly owner: RunOwner) {}

  get keyspace(): Keyspace {
    return this.owner.keyspace;
  }

  /** Writes blocks of runs. */
  async write(ops: readonly WriteOp[]): Promise<void> {
    this.#checkFailure();
    await writeBefore(this.owner.keyspace.write(ops));
  }

  /** Returns the number of a new run. Reserves a range of numbers if necessary. */
  async take(): Promise<number> {
    const { keyspace, numbers } = this.owner;
    this.#checkFailure();
    if (this.#next === this.#end) {
      this.#next = numbers.reserve(keyspace.name);
      this.#end = this.#next + RANGE;
      this.#ranges.push(this.#next);
      const value = new ByteWriter(8).varint(RANGE).finish().slice();
      await writeBefore(keyspace.write([{ type: 'put', key: keyspace.key(Tag.session, this.#next), value }]));
    }
    return this.#next++;
  }

  // Whoever has read the repository again has deleted what this session had written, with the marks of its ranges.
  #checkFailure(): void {
    const { failure } = this.owner;
    if (failure !== undefined) throw notWritten(failure);
  }

  /**
   * Gives back the numbers that were not used, if nobody has reserved others since. Call it when the batch with {@link finish} is
   * written: its mark would otherwise cover runs of the next session.
   */
  giveBack(): void {
    const { numbers, isDraft = false } = this.owner;
    if (!isDraft && numbers.next === this.#end) numbers.next = this.#end = this.#next;
  }

  /** Ends the session. The returned writes belong in the batch that publishes its runs. */
  finish(): WriteOp[] {
    const { keyspace } = this.owner;
    return this.#ranges.map((first) => ({ type: 'delete', key: keyspace.key(Tag.session, first) }));
  }

  /** Deletes the runs that the session has written, except the `kept` ones. */
  async abandon(kept: ReadonlySet<number> = new Set()): Promise<void> {
    for (const first of this.#ranges) await sweepRange(this.owner.keyspace, first, RANGE, kept);
    this.giveBack();
  }
}

// One batch deletes the runs and the mark of their range. If the mark went first, a crash would leave blocks under
// numbers that are used again.
async function sweepRange(keyspace: Keyspace, first: number, count: number, kept: ReadonlySet<number>): Promise<void> {
  const ops: WriteOp[] = [];
  for (let run = first; run < first + count; run++) {
    const start = run;
    while (run < first + count && !kept.has(run)) run++;
    if (run > start) ops.push(...deletion(keyspace, start, run));
  }
  await keyspace.write([...ops, { type: 'delete', key: keyspace.key(Tag.session, first) }]);
}

// Deletes the data of the runs `first` to `end`, without `end`.
function deletion(keyspace: Keyspace, first: number, end: number): WriteOp[] {
  return [Tag.block, Tag.runMeta].map((tag) => ({
    type: 'deleteRange',
    gte: keyspace.key(tag, first),
    lt: keyspace.key(tag, end),
  }));
}

/**
 * Deletes the data of runs that nothing refers to. It is as durable as a commit: otherwise the mark of their range could be gone after a
 * loss of power, and they would be back.
 */
export async function deleteStrays(keyspace: Keyspace, runs: readonly number[]): Promise<void> {
  await keyspace.write(runs.flatMap((run) => deletion(keyspace, run, run + 1)));
}

/** Deletes the data of a run and its garbage mark. Call it once: the run number must not have been reused. */
export async function deleteGarbage(keyspace: Keyspace, run: number): Promise<void> {
  const ops: WriteOp[] = [...deletion(keyspace, run, run + 1), { type: 'delete', key: keyspace.key(Tag.garbage, run) }];
  await keyspace.discard(ops);
}

/**
 * Deletes what crashed sessions and retired runs left. Returns the first run number that was never reserved.
 * @param keepsGarbage whether the retired runs stay: an erasure that has not ended reads them
 */
export async function sweepSessions(
  keyspace: Keyspace,
  kept: ReadonlySet<number>,
  retiring: ReadonlySet<number>,
  keepsGarbage: boolean,
): Promise<number> {
  const ranges: [number, number][] = [];
  for await (const { rest, value } of keyspace.entries(Tag.session))
    ranges.push([readU32(rest, 0), new ByteReader(value).varint()]);
  const garbage: number[] = [];
  for await (const { rest } of keyspace.entries(Tag.garbage)) garbage.push(readU32(rest, 0));
  if (keyspace.readOnly) return firstFree(ranges);
  await tidyUp(async () => {
    for (const [first, count] of ranges) await sweepRange(keyspace, first, count, kept);
    for (const run of keepsGarbage ? [] : garbage) {
      // A reader still uses the run. It is deleted when the last reader ends.
      if (retiring.has(run)) continue;
      if (kept.has(run)) await keyspace.write([{ type: 'delete', key: keyspace.key(Tag.garbage, run) }]);
      else await deleteGarbage(keyspace, run);
    }
  });
  return firstFree(ranges);
}

const firstFree = (ranges: readonly (readonly [number, number])[]): number =>
  ranges.reduce((next, [first, count]) => Math.max(next, first + count), 0);

/**
 * The garbage marks of runs that leave the manifest. They belong in the batch that writes the manifest without these
 * runs.
 */
export function retireOps(keyspace: Keyspace, runs: readonly Run[]): WriteOp[] {
  const own = runs.filter(({ entry }) => !entry.logOwned);
  return garbageOps(
    keyspace,
    own.map(({ entry }) => entry.id),
  );
}

/** The garbage marks of runs by their numbers: whoever opens the repository next deletes them. */
export const garbageOps = (keyspace: Keyspace, runs: Iterable<number>): WriteOp[] =>
  Array.from(runs, (run) => ({ type: 'put', key: keyspace.key(Tag.garbage, run), value: new Uint8Array(0) }));

/** Deletes a retired run when its last reader ends. If the deletion fails, the next open repeats it. */
export function deleteWhenUnused(keyspace: Keyspace, retiring: Set<number>, run: Run): void {
  if (run.entry.logOwned) return;
  retiring.add(run.entry.id);
  run.onUnused = () => {
    retiring.delete(run.entry.id);
    void deleteGarbage(keyspace, run.entry.id).catch(() => undefined);
  };
}

/**
 * After a failed write a new timeline is read, while readers go on with the one before. What that one reads stays until they end, whether
 * the write had an effect or not. Call it before the new one is read; the result takes the runs of the new one.
 */
export function keepRuns(
  keyspace: Keyspace,
  retiring: Set<number>,
  before: readonly Run[],
): (now: readonly Run[]) => void {
  for (const { entry } of before) if (!entry.logOwned) retiring.add(entry.id);
  return (now) => {
    const byId = new Map(now.map((run) => [run.entry.id, run]));
    for (const run of before) {
      const same = byId.get(run.entry.id);
      if (same === undefined) {
        deleteWhenUnused(keyspace, retiring, run);
        continue;
      }
      retiring.delete(run.entry.id);
      same.retain();
      run.onUnused = () => {
        run.onUnused = undefined;
        same.release();
      };
    }
  };
}

/** A run number above all numbers in the storage, for use without a manifest. */
export async function firstFreeRun(keyspace: Keyspace): Promise<number> {
  let next = 1;
  for (const tag of [Tag.block, Tag.runMeta, Tag.session, Tag.garbage]) {
    const range = { ...keyspace.tagRange(tag), reverse: true, limit: 1 };
    for await (const chunk of keyspace.range(range, { read: 'keys' })) {
      for (const { key } of chunk)
        next = Math.max(next, keyspace.numberIn(key) + 1 + (tag === Tag.session ? RANGE : 0));
    }
  }
  return next;
}

/** Deletes every run that is not in `named`, and the marks of ended jobs. */
export async function sweepOrphans(keyspace: Keyspace, named: ReadonlySet<number>): Promise<void> {
  const found = new Set<number>();
  for (const tag of [Tag.runMeta, Tag.session, Tag.garbage]) {
    for await (const { rest } of keyspace.entries(tag)) {
      const first = readU32(rest, 0);
      for (let run = first; run < first + (tag === Tag.session ? RANGE : 1); run++) found.add(run);
    }
  }
  const runs = [...found].filter((run) => !named.has(run)).flatMap((run) => deletion(keyspace, run, run + 1));
  const marks = [Tag.session, Tag.garbage].map((tag): WriteOp => ({
    type: 'deleteRange',
    ...keyspace.tagRange(tag),
  }));
  await keyspace.write([...runs, ...marks]);
}
