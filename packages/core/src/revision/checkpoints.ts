/**
 * The stored statistics of a line. Statistics of many graphs are stored as changes of earlier ones, so their cost is that of the changes. Each stored
 * value has more than `RATIO` times the entries of the next one. So a reader reads a logarithm of values, and each entry is written again a
 * logarithm of times.
 */
import { CorruptionError } from '@quadrille/model';
import { Tag } from '../format/layout.js';
import { readParts } from '../index/run/run-writer.js';
import { baseOfChanges, Statistics } from '../index/statistics.js';
import type { Keyspace } from '../keyspace/keyspace.js';
import type { Pacer } from '../runtime/env.js';

const RATIO = 4;

/** Statistics that are stored. */
interface Stored {
  readonly number: number;
  readonly statistics: Statistics;
  /** Number of entries that are stored under this number. */
  readonly entries: number;
}

/** Statistics of a revision, as they are to be stored. */
export interface Checkpoint {
  readonly number: number;
  readonly encoded: Uint8Array;
  /** What the line has as soon as they are. */
  readonly checkpoints: Checkpoints;
}

/** The newest stored statistics of a line, and those on which they build, oldest first. */
export class Checkpoints {
  /** @param number revision of the newest ones. If nothing is stored, those of the base of the line */
  constructor(
    readonly number: number,
    private readonly stored: readonly Stored[] = [],
  ) {}

  /** The newest ones. They are shared: do not change them. */
  get newest(): Statistics | undefined {
    return this.stored.at(-1)?.statistics;
  }

  /** The statistics of a revision after the newest ones. They must not change meanwhile. Up to `whole` entries are stored as a whole. */
  async next(number: number, statistics: Statistics, whole: number, pacer: Pacer): Promise<Checkpoint> {
    let kept = statistics.entries <= whole ? [] : this.stored;
    for (; kept.length > 0; kept = kept.slice(0, -1)) {
      const last = kept.at(-1)!;
      const changes = await statistics.changesSince(last.statistics, pacer);
      if (last.entries <= RATIO * changes.entries) continue;
      const stored = { number, statistics: statistics.copy(), entries: changes.entries };
      const encoded = await changes.encode(last.number, pacer);
      return { number, encoded, checkpoints: new Checkpoints(number, [...kept, stored]) };
    }
    return Checkpoints.whole(number, statistics, pacer);
  }

  /** The statistics of a revision, which build on nothing. */
  static async whole(number: number, statistics: Statistics, pacer: Pacer): Promise<Checkpoint> {
    const encoded = await statistics.encode(pacer);
    const stored = { number, statistics: statistics.copy(), entries: statistics.entries };
    return { number, encoded, checkpoints: new Checkpoints(number, [stored]) };
  }
}

/** Reads the statistics that are stored at a revision, with those on which they build. @throws CorruptionError */
export async function readCheckpoints(keyspace: Keyspace, number: number): Promise<Checkpoints> {
  const values: { readonly number: number; readonly bytes: Uint8Array }[] = [];
  for (let at: number | undefined = number; at !== undefined;) {
    const bytes = await readParts(keyspace, `statistics of revision ${at}`, (part) =>
      keyspace.key(Tag.statistics, at!, part),
    );
    values.push({ number: at, bytes });
    const base = baseOfChanges(bytes);
    if (base !== undefined && base >= at)
      throw new CorruptionError(
        'INDEX_DISAGREES',
        `repository ${keyspace.name}: statistics of revision ${at} build on later ones`,
      );
    at = base;
  }
  const stored: Stored[] = [];
  for (const { number: at, bytes } of values.reverse()) {
    const statistics = stored.at(-1)?.statistics.copy() ?? new Statistics();
    stored.push({ number: at, statistics, entries: statistics.decode(bytes) });
  }
  return new Checkpoints(number, stored);
}

/** Reads the statistics that are stored at a revision. The result is the caller's. */
export async function readCheckpoint(keyspace: Keyspace, number: number): Promise<Statistics> {
  return (await readCheckpoints(keyspace, number)).newest!;
}

/** The revisions whose stored statistics build on some that go, directly or not. */
export async function dependentCheckpoints(keyspace: Keyspace, isGone: (number: number) => boolean): Promise<number[]> {
  const dependent = new Set<number>();
  const numbers = new Set<number>();
  for await (const chunk of keyspace.range(keyspace.tagRange(Tag.statistics), { read: 'keys' }))
    for (const { key } of chunk) numbers.add(keyspace.numberIn(key));
  for (const number of numbers) {
    const first = await keyspace.get(Tag.statistics, number, 0);
    const base = first && baseOfChanges(first);
    if (base !== undefined && (isGone(base) || dependent.has(base))) dependent.add(number);
  }
  return [...dependent].filter((number) => !isGone(number));
}
