/** The statistics of any revision: the checkpoint before it and the deltas since, with the latest answers kept. */
import { FOREVER, readU32, Tag } from '../format.js';
import type { IndexState } from '../index/index-state.js';
import { SPOG } from '../index/orders.js';
import { readParts } from '../index/run-writer.js';
import type { Space } from '../space.js';
import { Statistics } from '../statistics.js';
import { deltaRows } from './delta.js';
import { readRecords } from './log.js';
import type { RevisionRecord } from './record.js';

/** What it needs of a repository. */
interface Source {
  readonly space: Space;
  readonly state: IndexState;
  /** Revisions above it stand in the memtables, but for large ones. */
  readonly flushed: number;
  readonly published: RevisionRecord;
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
    const found = kept ?? this.#fromMemory(number) ?? (await this.read(number));
    if (found.entries <= KEPT_ENTRIES) this.#keep(number, found);
    return found;
  }

  // Those of the head less what the memtables say has happened since, where all that has happened stands there.
  #fromMemory(number: number): Statistics | undefined {
    const { state, flushed, published, staged, statistics } = this.source;
    if (published.number !== staged.number || number < flushed) return undefined;
    if (state.runs.some(({ entry, bounds }) => entry.order === SPOG && lastChange(bounds) > number)) return undefined;
    const found = statistics.copy();
    if (number === staged.number) return found;
    for (const { added, removed } of state.memtables) {
      const [, p, , g, from, to] = added.columns;
      const begun = new Uint8Array(added.rows);
      const ended = new Uint8Array(added.rows);
      for (let row = 0; row < added.rows; row++) {
        if (from[row]! > number) begun[row] = to[row] === FOREVER ? 1 : 0;
        else ended[row] = to[row]! > number && to[row] !== FOREVER ? 1 : 0;
      }
      apply(found, p, g, begun, -1);
      apply(found, p, g, ended, 1);
      const [, removedP, , removedG, , removedTo] = removed.columns;
      const gone = new Uint8Array(removed.rows);
      for (let row = 0; row < removed.rows; row++) gone[row] = removedTo[row]! > number ? 1 : 0;
      apply(found, removedP, removedG, gone, 1);
    }
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

// The last revision in which a row of a run began or ended.
function lastChange([, maxFrom, , maxTo]: readonly number[]): number {
  return Math.max(maxFrom!, maxTo === FOREVER ? 0 : maxTo!);
}

// Counts the rows that are marked.
function apply(statistics: Statistics, p: Uint32Array, g: Uint32Array, marks: Uint8Array, sign: 1 | -1): void {
  const predicates = new Uint32Array(marks.length);
  const graphs = new Uint32Array(marks.length);
  let length = 0;
  for (let row = 0; row < marks.length; row++) {
    if (marks[row] === 0) continue;
    predicates[length] = p[row]!;
    graphs[length++] = g[row]!;
  }
  statistics.apply({ p: predicates, g: graphs, length }, sign);
}
