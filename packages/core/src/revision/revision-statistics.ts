/** The statistics of any revision: the checkpoint before it and the deltas since, with the latest answers kept. */
import { readU32, Tag } from '../format.js';
import { readParts } from '../index/run-writer.js';
import type { Space } from '../space.js';
import { Statistics } from '../statistics.js';
import { deltaRows } from './delta.js';
import { readRecords } from './log.js';
import type { RevisionRecord } from './record.js';

/** What it needs of a repository. */
interface Source {
  readonly space: Space;
  readonly staged: RevisionRecord;
  /** Of the staged state. */
  readonly statistics: Statistics;
}

const KEPT_REVISIONS = 8;
/** Larger statistics (of very many graphs) are not kept. */
const KEPT_ENTRIES = 65_536;

export class RevisionStatistics {
  readonly #kept = new Map<number, Statistics>();

  constructor(private readonly source: Source) {}

  /** Shared: not to be changed. */
  async of(number: number): Promise<Statistics> {
    const kept = this.#kept.get(number);
    if (kept !== undefined) this.#kept.delete(number);
    const { staged, statistics } = this.source;
    const found = kept ?? (number === staged.number ? statistics.copy() : await this.read(number));
    if (found.entries <= KEPT_ENTRIES) this.#keep(number, found);
    return found;
  }

  #keep(number: number, statistics: Statistics): void {
    this.#kept.set(number, statistics);
    if (this.#kept.size > KEPT_REVISIONS) this.#kept.delete(this.#kept.keys().next().value!);
  }

  /** What was written is no longer there, or was wrong. */
  forget(): void {
    this.#kept.clear();
  }

  /** As {@link of}, from the storage alone. */
  async read(number: number): Promise<Statistics> {
    const { space } = this.source;
    const checkpoint = await this.#checkpointBefore(number);
    const statistics = await readCheckpoint(space, checkpoint);
    if (checkpoint === number) return statistics;
    for await (const record of readRecords(space, checkpoint + 1, number)) {
      for (const side of ['added', 'removed'] as const) {
        for await (const { columns, start, end } of deltaRows(space, record, side)) {
          statistics.apply({ p: columns[1], g: columns[3], length: end }, side === 'added' ? 1 : -1, start, end);
        }
      }
    }
    return statistics;
  }

  async #checkpointBefore(number: number): Promise<number> {
    const { space } = this.source;
    const range = { gte: space.key(Tag.statistics, 0), lt: space.key(Tag.statistics, number + 1) };
    let checkpoint = 1;
    for await (const chunk of space.engine.range({ ...range, reverse: true, limit: 1 }, { read: 'keys' })) {
      for (const { key } of chunk) checkpoint = readU32(key, 6);
    }
    return checkpoint;
  }
}

export function readCheckpoint(space: Space, number: number): Promise<Statistics> {
  return readParts(space, `statistics of revision ${number}`, (part) => space.key(Tag.statistics, number, part)).then(
    Statistics.decode,
  );
}
