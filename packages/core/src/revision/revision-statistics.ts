/**
 * Computes the statistics of any revision from the checkpoint before it and the later deltas. Keeps the most recent
 * results.
 */
import { FOREVER, Tag } from '../format/layout.js';
import type { IndexVersion } from '../index/index-version.js';
import { SPOG } from '../index/orders.js';
import type { Keyspace } from '../keyspace/keyspace.js';
import type { Statistics } from '../index/statistics.js';
import { readCheckpoint } from './checkpoints.js';
import { deltaRows } from './delta.js';
import { readRecords } from './log.js';
import type { RevisionRecord } from './record.js';

/** The parts of a timeline that the statistics need. */
interface Source {
  readonly keyspace: Keyspace;
  readonly index: IndexVersion;
  /** All small deltas of later revisions are in the memtables. */
  readonly flushed: number;
  readonly published: RevisionRecord;
  readonly staged: RevisionRecord;
  /** Statistics of the staged revision. */
  readonly statistics: Statistics;
  /** Of a line: where it begins. */
  readonly base: Base | undefined;
}

interface Base {
  readonly fork: number;
  readonly timeline: { readonly revisionStatistics: RevisionStatistics };
}

const KEPT_REVISIONS = 8;
/** Largest statistics that are kept, in entries. Statistics of very many graphs are larger. */
const KEPT_ENTRIES = 65_536;
const TALLY_ROWS = 1024;

export class RevisionStatistics {
  readonly #kept = new Map<number, Statistics>();

  constructor(private readonly source: Source) {}

  /** The statistics of a revision. The object is shared: do not change it. */
  async of(number: number): Promise<Statistics> {
    const kept = this.#kept.get(number);
    if (kept !== undefined) this.#kept.delete(number);
    const found = kept ?? (await this.#find(number));
    if (found.entries <= KEPT_ENTRIES) this.#keep(number, found);
    return found;
  }

  async #find(number: number): Promise<Statistics> {
    const { base } = this.source;
    if (base !== undefined && number <= base.fork) return base.timeline.revisionStatistics.of(number);
    if (number === this.source.staged.number) return this.source.statistics.copy();
    const checkpoint = await this.#checkpointBefore(number);
    const known = checkpoint === number ? undefined : this.#fromMemory(number);
    return known ?? this.#readFrom(checkpoint, number);
  }

  // Computes the statistics backwards from the head, if the memtables contain all changes since the revision.
  #fromMemory(number: number): Statistics | undefined {
    const { index, flushed, published, staged, statistics } = this.source;
    if (published.number !== staged.number || number < flushed) return undefined;
    if (index.runs.some(({ entry, bounds }) => entry.order === SPOG && lastChange(bounds) > number)) return undefined;
    const found = statistics.copy();
    const since = new Tally(found, -1);
    const until = new Tally(found, 1);
    for (const { added, removed } of index.memtables) {
      const [, p, , g, from, to] = added.columns;
      for (let row = 0; row < added.rows; row++) {
        const alive = to[row] === FOREVER;
        if (from[row]! > number) {
          if (alive) since.push(p[row]!, g[row]!);
        } else if (!alive && to[row]! > number) until.push(p[row]!, g[row]!);
      }
      const [, removedP, , removedG, , ended] = removed.columns;
      for (let row = 0; row < removed.rows; row++) if (ended[row]! > number) until.push(removedP[row]!, removedG[row]!);
    }
    since.finish();
    until.finish();
    return found;
  }

  #keep(number: number, statistics: Statistics): void {
    this.#kept.set(number, statistics);
    if (this.#kept.size > KEPT_REVISIONS) this.#kept.delete(this.#kept.keys().next().value!);
  }

  /** Drops the kept statistics. Call it after the indexes were rebuilt. */
  forget(): void {
    this.#kept.clear();
  }

  /** Like {@link of}, but reads everything from the storage. */
  async read(number: number): Promise<Statistics> {
    return this.#readFrom(await this.#checkpointBefore(number), number);
  }

  async #readFrom(checkpoint: number, number: number): Promise<Statistics> {
    const { keyspace, base } = this.source;
    const statistics =
      checkpoint === base?.fork
        ? (await base.timeline.revisionStatistics.of(checkpoint)).copy()
        : await readCheckpoint(keyspace, checkpoint);
    if (checkpoint === number) return statistics;
    // Revision 1 is empty, and may have been trimmed.
    for await (const record of readRecords(keyspace, checkpoint === 1 ? 1 : checkpoint + 1, number)) {
      for (const side of ['added', 'removed'] as const) {
        for await (const { columns, start, end } of deltaRows(keyspace, record, side)) {
          statistics.apply({ p: columns[1], g: columns[3], length: end }, side === 'added' ? 1 : -1, start, end);
        }
      }
    }
    return statistics;
  }

  async #checkpointBefore(number: number): Promise<number> {
    const { keyspace } = this.source;
    const range = { gte: keyspace.key(Tag.statistics, 0), lt: keyspace.key(Tag.statistics, number + 1) };
    let checkpoint = this.source.base?.fork ?? 1;
    for await (const chunk of keyspace.range({ ...range, reverse: true, limit: 1 }, { read: 'keys' })) {
      for (const { key } of chunk) checkpoint = keyspace.numberIn(key);
    }
    return checkpoint;
  }
}

// The last revision in which an interval of a run began or ended.
function lastChange([, maxFrom, , maxTo]: readonly number[]): number {
  return Math.max(maxFrom!, maxTo === FOREVER ? 0 : maxTo!);
}

/** Adds or subtracts quads in batches. */
class Tally {
  readonly #p = new Uint32Array(TALLY_ROWS);
  readonly #g = new Uint32Array(TALLY_ROWS);
  #length = 0;

  constructor(
    private readonly statistics: Statistics,
    private readonly sign: 1 | -1,
  ) {}

  push(p: number, g: number): void {
    this.#p[this.#length] = p;
    this.#g[this.#length++] = g;
    if (this.#length === TALLY_ROWS) this.finish();
  }

  finish(): void {
    this.statistics.apply({ p: this.#p, g: this.#g, length: this.#length }, this.sign);
    this.#length = 0;
  }
}
