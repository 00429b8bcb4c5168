/**
 * Numbers of quads by predicate and by graph, exact at every revision. The storage has a checkpoint of them every few
 * hundred revisions. The statistics of a revision are computed from the checkpoint before it and the later deltas.
 */
import type { IdQuads } from './quad-columns.js';
import { ByteReader, ByteWriter } from '../format/byte-codec.js';
import { addCount, countIds } from '../runtime/count-ids.js';
import type { Pacer } from '../runtime/env.js';

/** Number of counts processed between two looks at the clock. */
const ENTRIES_AT_ONCE = 4096;

/** The encoding of empty statistics. */
export const NO_STATISTICS = Uint8Array.of(0, 0);

/** Exact numbers of quads by predicate and by graph. */
export class Statistics {
  constructor(
    /** Quads by the id of their predicate. */
    readonly predicates: Map<number, number> = new Map(),
    /** Quads by the id of their graph; the default graph has the id 1. */
    readonly graphs: Map<number, number> = new Map(),
  ) {}

  /** Number of predicates and graphs. */
  get entries(): number {
    return this.predicates.size + this.graphs.size;
  }

  /** A copy that can be changed. */
  copy(): Statistics {
    return new Statistics(new Map(this.predicates), new Map(this.graphs));
  }

  /** Adds (`sign` 1) or subtracts (`sign` -1) quads. */
  apply(quads: Pick<IdQuads, 'p' | 'g' | 'length'>, sign: 1 | -1, start = 0, end = quads.length): void {
    countColumn(this.predicates, quads.p, sign, start, end);
    countColumn(this.graphs, quads.g, sign, start, end);
  }

  /** Returns new statistics: these counts plus others. */
  async plus(changes: readonly Statistics[], pacer: Pacer): Promise<Statistics> {
    const sum = new Statistics();
    for (const other of [this, ...changes]) {
      for (const side of ['predicates', 'graphs'] as const) {
        let steps = 0;
        for (const [id, count] of other[side]) {
          addCount(sum[side], id, count);
          if (++steps % ENTRIES_AT_ONCE === 0 && pacer.due()) await pacer.pause();
        }
      }
    }
    return sum;
  }

  /** Encodes the counts. They must not change meanwhile. */
  async encode(pacer: Pacer): Promise<Uint8Array> {
    const writer = new ByteWriter(16 + this.entries * 8);
    for (const counts of [this.predicates, this.graphs]) {
      writer.varint(counts.size);
      let steps = 0;
      for (const [id, count] of counts) {
        writer.varint(id).varint(count);
        if (++steps % ENTRIES_AT_ONCE === 0 && pacer.due()) await pacer.pause();
      }
    }
    return writer.finish().slice();
  }

  static decode(bytes: Uint8Array): Statistics {
    const reader = new ByteReader(bytes);
    const [predicates, graphs] = [0, 1].map(() => {
      const counts = new Map<number, number>();
      for (let left = reader.varint(); left > 0; left--) counts.set(reader.varint(), reader.varint());
      return counts;
    });
    return new Statistics(predicates, graphs);
  }
}

/** Number of rows from which {@link countIds} is faster than counting row by row. */
const MANY_ROWS = 256;

function countColumn(counts: Map<number, number>, ids: Uint32Array, sign: 1 | -1, start: number, end: number): void {
  if (end - start < MANY_ROWS) for (let i = start; i < end; i++) addCount(counts, ids[i]!, sign);
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
