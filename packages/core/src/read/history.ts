/** The events of quads that match a pattern: when they were added and removed. */
import type * as RDF from '@rdfjs/types';
import { Pacer } from '../runtime/env.js';
import type { EndSignal } from '../runtime/env.js';
import { FOREVER } from '../format/layout.js';
import { MISS } from '../keyspace/block-cache.js';
import type { IdPattern } from '../index/orders.js';
import { accessPath } from '../index/orders.js';
import { IntervalScan } from '../index/read/intervals.js';
import type { Timeline } from '../timeline/timeline.js';
import { readRecord } from '../revision/log.js';
import type { Revision } from '../revision/record.js';
import { toRevision } from '../revision/record.js';
import { tryResolveRef } from '../timeline/refs.js';
import type { ChangeRows } from './change-window.js';
import { ChangeWindow } from './change-window.js';
import type { EntrySource } from './entry-reader.js';
import type { Snapshot } from './snapshot.js';

/** A revision added or removed a quad. */
export interface HistoryEvent {
  /** Whether the revision has added or removed the quad. */
  readonly op: 'add' | 'remove';
  /** The quad, with its graph. */
  readonly quad: RDF.Quad;
  /** The revision that did so. */
  readonly revision: Revision;
}

/** The first and last revision to read, both included. */
export interface HistoryRange {
  readonly first: number;
  readonly last: number;
  /** The revision that stands for one that was trimmed. */
  readonly kept: (number: number) => number;
}

/**
 * The events of the matching quads, grouped by quad and sorted by revision within a quad. `snapshot` is a snapshot of
 * the newest revision; later terms and intervals do not count.
 */
export class HistorySource implements EntrySource<HistoryEvent> {
  readonly snapshots: readonly [Snapshot];
  readonly #known: KnownRevisions;
  /** Of the rows from `#first` on. */
  #revisions: Revision[] = [];
  #first = 0;

  constructor(
    snapshot: Snapshot,
    private readonly range: HistoryRange,
    private readonly signal?: EndSignal,
  ) {
    this.snapshots = [snapshot];
    this.#known = KnownRevisions.of(snapshot.timeline);
  }

  readonly rows = (pattern: IdPattern): EventScan => {
    const [snapshot] = this.snapshots;
    return new EventScan(snapshot, pattern, this.range, new Pacer(snapshot.timeline.env, undefined, this.signal));
  };

  ready({ numbers }: EventScan, start: number, end: number): Promise<void> | undefined {
    this.#first = start;
    this.#revisions = [];
    for (let row = start; row < end; row++) {
      const revision = this.#known.tryGet(numbers[row]!);
      if (revision === undefined) return this.#rest(numbers, row, end);
      this.#revisions.push(revision);
    }
    return undefined;
  }

  async #rest(numbers: Uint32Array, start: number, end: number): Promise<void> {
    for (let row = start; row < end; row++) {
      const number = numbers[row]!;
      this.#revisions.push(this.#known.tryGet(number) ?? (await this.#known.read(number)));
    }
  }

  entry(quad: RDF.Quad, row: number, { ops }: EventScan): HistoryEvent {
    return { op: ops[row] === 1 ? 'add' : 'remove', quad, revision: this.#revisions[row - this.#first]! };
  }
}

/** Intervals between two looks at the clock. */
const STEPS_AT_ONCE = 1024;

class EventScan extends ChangeWindow implements ChangeRows {
  readonly #intervals: IntervalScan;
  #steps = 0;
  /** The last quad, if its last interval has ended at `to`; that is an event if no other interval begins there. */
  #a = 0;
  #b = 0;
  #c = 0;
  #d = 0;
  #to = FOREVER;

  constructor(
    { index, number }: Snapshot,
    pattern: IdPattern,
    private readonly range: HistoryRange,
    private readonly pacer: Pacer,
  ) {
    const path = accessPath(pattern);
    super(path.order);
    this.#intervals = new IntervalScan(index, path, pattern, number);
  }

  next(): number {
    this.begin();
    // One interval may bring two events.
    while (this.room >= 2) {
      const found = this.#intervals.next();
      if (found === MISS) return this.handOut() || MISS;
      if (found === 0) {
        this.#endLast();
        break;
      }
      this.#add();
      if (++this.#steps % STEPS_AT_ONCE === 0 && this.pacer.due()) return this.handOut() || MISS;
    }
    return this.handOut();
  }

  #add(): void {
    const { begun, to: end } = this.#intervals;
    const { kept } = this.range;
    const from = kept(begun.value(4));
    const to = end === FOREVER ? FOREVER : kept(end);
    if (from === to) return;
    const [a, b, c, d] = [begun.value(0), begun.value(1), begun.value(2), begun.value(3)];
    // Where one interval of a quad ends and the next one begins, nothing has changed: a trim has removed what was between them.
    const goesOn = from === this.#to && d === this.#d && c === this.#c && b === this.#b && a === this.#a;
    if (!goesOn) {
      this.#endLast();
      this.#event(a, b, c, d, 1, from);
    }
    this.#a = a;
    this.#b = b;
    this.#c = c;
    this.#d = d;
    this.#to = to;
  }

  #endLast(): void {
    if (this.#to !== FOREVER) this.#event(this.#a, this.#b, this.#c, this.#d, -1, this.#to);
    this.#to = FOREVER;
  }

  #event(a: number, b: number, c: number, d: number, op: 1 | -1, number: number): void {
    if (number >= this.range.first && number <= this.range.last) this.push(a, b, c, d, op, number);
  }

  async fetch(): Promise<void> {
    if (this.pacer.due()) await this.pacer.pause();
    await this.#intervals.fetch();
  }

  close(): void {
    this.#intervals.close();
  }
}

/** Revisions that are kept of each line: those of neighbours are mostly the same. */
const KEPT_REVISIONS = 4096;

/** Published revisions change only by a trim or an erasure. What is kept of them goes when the repository is unloaded. */
const known = new WeakMap<Timeline, KnownRevisions>();

class KnownRevisions {
  readonly #byNumber = new Map<number, Revision>();

  private constructor(
    private readonly timeline: Timeline,
    private readonly rewrites: number,
  ) {}

  static of(timeline: Timeline): KnownRevisions {
    const { rewrites } = timeline;
    let found = known.get(timeline);
    if (found?.rewrites !== rewrites) known.set(timeline, (found = new KnownRevisions(timeline, rewrites)));
    return found;
  }

  tryGet(number: number): Revision | undefined {
    const revision = this.#byNumber.get(number);
    if (revision !== undefined) return revision;
    const record = tryResolveRef(this.timeline, number);
    return record && this.#keep(toRevision(record));
  }

  async read(number: number): Promise<Revision> {
    return this.#keep(toRevision(await readRecord(this.timeline.keyspace, number)));
  }

  #keep(revision: Revision): Revision {
    if (this.#byNumber.size >= KEPT_REVISIONS) this.#byNumber.clear();
    this.#byNumber.set(revision.number, revision);
    return revision;
  }
}
