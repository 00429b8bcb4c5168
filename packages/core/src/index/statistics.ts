/**
 * Numbers of quads by predicate and by graph, exact at every revision. The storage has a checkpoint of them every few
 * hundred revisions. The statistics of a revision are computed from the checkpoint before it and the later deltas.
 */
import type { IdQuads } from './quad-columns.js';
import { ByteReader, ByteWriter, varintBytes } from '../format/byte-codec.js';
import { addCount, countIds } from '../runtime/count-ids.js';
import { Counts } from '../runtime/counts.js';
import type { Pacer } from '../runtime/env.js';

/** Number of counts processed between two looks at the clock. */
const ENTRIES_AT_ONCE = 4096;

/** The encoding of empty statistics. */
export const NO_STATISTICS = Uint8Array.of(0, 0);

/** Exact numbers of quads by predicate and by graph. */
export class Statistics {
  constructor(
    /** Quads by the id of their predicate. */
    readonly predicates = new Counts(),
    /** Quads by the id of their graph; the default graph has the id 1. */
    readonly graphs = new Counts(),
  ) {}

  /** Number of predicates and graphs. */
  get entries(): number {
    return this.predicates.size + this.graphs.size;
  }

  /** A copy that can be changed. Its cost grows with the range of ids, not with the number of entries. */
  copy(): Statistics {
    return new Statistics(this.predicates.copy(), this.graphs.copy());
  }

  /** Adds (`sign` 1) or subtracts (`sign` -1) quads. */
  apply(quads: Pick<IdQuads, 'p' | 'g' | 'length'>, sign: 1 | -1, start = 0, end = quads.length): void {
    countColumn(this.predicates, quads.p, sign, start, end);
    countColumn(this.graphs, quads.g, sign, start, end);
  }

  /** Adds others, whose numbers may be negative. */
  async add(other: Statistics, pacer: Pacer): Promise<void> {
    for (const side of SIDES)
      await paced(other[side], pacer, (id, count) => {
        this[side].add(id, count);
      });
  }

  /** Encodes the counts. They must not change meanwhile. */
  async encode(pacer: Pacer): Promise<Uint8Array> {
    const writer = new ByteWriter(16 + this.entries * 8);
    for (const side of SIDES) {
      writer.varint(this[side].size);
      await paced(this[side], pacer, (id, count) => void writer.varint(id).varint(count));
    }
    return writer.finish().slice();
  }

  /** What has changed since they were others. Costs about as much as the changes. Both must not change meanwhile. */
  async changesSince(before: Statistics, pacer: Pacer): Promise<StatisticsChanges> {
    const changes = new StatisticsChanges();
    for (const side of SIDES)
      await paced(this[side].changesSince(before[side]), pacer, (id, count) => void changes[side].push(id, count));
    return changes;
  }

  /** Reads encoded counts, or changes of what these are. Returns the number of entries that were read. */
  decode(bytes: Uint8Array): number {
    const base = baseOfChanges(bytes);
    const reader = new ByteReader(base === undefined ? bytes : bytes.subarray(CHANGES.length + varintBytes(base)));
    let entries = 0;
    for (const side of SIDES) {
      for (let left = reader.varint(); left > 0; left--, entries++) this[side].set(reader.varint(), reader.varint());
    }
    return entries;
  }

  static decode(bytes: Uint8Array): Statistics {
    const statistics = new Statistics();
    statistics.decode(bytes);
    return statistics;
  }
}

const SIDES = ['predicates', 'graphs'] as const;

/** How changes begin. Statistics do not: if no predicate has quads, no graph has. */
const CHANGES = Uint8Array.of(0, 1);

/** New numbers of some predicates and graphs. */
export class StatisticsChanges {
  /** Pairs of an id and its number; 0 if it has no quads any more. */
  readonly predicates: number[] = [];
  readonly graphs: number[] = [];

  get entries(): number {
    return (this.predicates.length + this.graphs.length) / 2;
  }

  /** @param base revision of the statistics that have changed */
  async encode(base: number, pacer: Pacer): Promise<Uint8Array> {
    const writer = new ByteWriter(16 + this.entries * 8).bytes(CHANGES).varint(base);
    for (const side of SIDES) {
      const pairs = this[side];
      writer.varint(pairs.length / 2);
      await pacer.rows(pairs.length, (start, end) => {
        for (let i = start; i < end; i++) writer.varint(pairs[i]!);
      });
    }
    return writer.finish().slice();
  }
}

/** The revision on whose statistics stored ones build; `undefined` if they are whole. */
export function baseOfChanges(bytes: Uint8Array): number | undefined {
  if (bytes[0] !== CHANGES[0] || bytes[1] !== CHANGES[1]) return undefined;
  return new ByteReader(bytes.subarray(CHANGES.length)).varint();
}

async function paced(
  counts: Iterable<readonly [number, number]>,
  pacer: Pacer,
  take: (id: number, count: number) => void,
): Promise<void> {
  let steps = 0;
  for (const [id, count] of counts) {
    take(id, count);
    if (++steps % ENTRIES_AT_ONCE === 0 && pacer.due()) await pacer.pause();
  }
}

/** Number of rows from which {@link countIds} is faster than counting row by row. */
const MANY_ROWS = 256;

function countColumn(counts: Counts, ids: Uint32Array, sign: 1 | -1, start: number, end: number): void {
  if (end - start < MANY_ROWS) for (let i = start; i < end; i++) counts.add(ids[i]!, sign);
  else countIds(counts, ids, start, end, sign);
}

/** Estimated distinct subjects and objects by predicate, counted when runs are written. */
export class DistinctCounts {
  readonly subjects = new Map<number, number>();
  readonly objects = new Map<number, number>();

  add(side: 'subjects' | 'objects', counts: ReadonlyMap<number, number>): void {
    for (const [predicate, count] of counts) addCount(this[side], predicate, count);
  }
}
