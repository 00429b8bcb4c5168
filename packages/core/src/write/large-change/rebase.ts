/**
 * What commits since its base make of a large change. Looking at them may take long: most of it is done before the
 * writer's turn, which then only looks at what came meanwhile.
 */
import { EndedColumns, QuadColumns } from '../../index/quad-columns.js';
import { markIntervals } from '../../index/read/mark-intervals.js';
import type { IdPattern } from '../../index/orders.js';
import { markMembers } from '../../index/run/run-members.js';
import type { SortedRows } from '../../index/run/write-orders.js';
import type { LargeChange } from './large-change.js';
import { deltaRows } from '../../revision/delta.js';
import { readRecords } from '../../revision/log.js';
import { sortedSet } from './sorted-quads.js';

/** Where a quad stands among the rows of the change. */
const IN_ADDED = 1;
const IN_KEPT = 2;
const UNWANTED = 4;

const ALIVE = 1;

export class Rebase {
  /** Kept quads that were removed since: they come back. */
  added = new QuadColumns();
  /** Quads in the scope, or removed by name, that came since: they go. */
  removed = new EndedColumns();
  /** New quads that somebody else has added since: their intervals end where ours begin. No net change. */
  handedOver = new EndedColumns();
  /** Intervals that others have ended since: see {@link intervalKey}. Known where the change removes anything. */
  readonly removedSince = new Set<string>();
  #upTo: number;

  constructor(private readonly change: LargeChange) {
    this.#upTo = change.base.number;
  }

  /** Looks at what was committed up to the present head. Not while the change gets or loses rows. */
  async catchUp(): Promise<void> {
    const { generation } = this.change;
    const { index: state } = generation;
    const { number } = generation.published;
    if (number === this.#upTo) return;
    state.retain();
    try {
      const seen = await this.#seen(this.#upTo + 1, number);
      await this.#forget(seen);
      await this.#classify(seen, { state, number });
      this.#upTo = number;
    } finally {
      state.release();
    }
  }

  // All quads that these revisions added or removed, each once.
  async #seen(first: number, last: number): Promise<SortedRows> {
    const { generation, pacer, removed } = this.change;
    const seen = new QuadColumns();
    for await (const record of readRecords(generation.keyspace, first, last)) {
      for (const side of ['added', 'removed'] as const) {
        for await (const { columns, start, end } of deltaRows(generation.keyspace, record, side)) {
          const [s, p, o, g, from] = columns;
          for (let i = start; i < end; i++) {
            seen.push(s[i]!, p[i]!, o[i]!, g[i]!);
            if (side === 'added' || removed.length === 0) continue;
            this.removedSince.add(intervalKey(s[i]!, p[i]!, o[i]!, g[i]!, from[i]!));
          }
          if (pacer.due()) await pacer.pause();
        }
      }
    }
    return sortedSet(seen, pacer);
  }

  // What was found out of quads that were changed once more is not true any longer.
  async #forget(seen: SortedRows): Promise<void> {
    this.added = await this.#without(this.added, new QuadColumns(), seen);
    this.removed = await this.#without(this.removed, new EndedColumns(), seen);
    this.handedOver = await this.#without(this.handedOver, new EndedColumns(), seen);
  }

  async #without<T extends QuadColumns>(quads: T, rest: T, seen: SortedRows): Promise<T> {
    if (quads.length === 0) return quads;
    await this.change.pacer.rows(quads.length, (start, end) => copyOthers(quads, start, end, seen, rest));
    return rest;
  }

  async #classify(seen: SortedRows, at: Parameters<typeof markIntervals>[4]): Promise<void> {
    const { pacer } = this.change;
    const places = await this.#places(seen);
    const open = new Uint32Array(seen.length);
    let count = 0;
    await pacer.rows(seen.length, (start, end) => {
      for (let i = start; i < end; i++) if (places[i] !== 0) open[count++] = i;
    });
    const alive = new Uint8Array(seen.length);
    await markIntervals(seen, open.subarray(0, count), alive, ALIVE, at, pacer);
    await pacer.rows(count, (start, end) => {
      for (let n = start; n < end; n++) this.#note(seen, open[n]!, places[open[n]!]!, alive[open[n]!] === ALIVE);
    });
  }

  async #places(seen: SortedRows): Promise<Uint8Array> {
    const { added, kept, removed, scope, absent, pacer } = this.change;
    const places = new Uint8Array(seen.length);
    const runsOf = (chunks: typeof added): (typeof added)[0]['runs'] => chunks.flatMap(({ runs }) => runs);
    await markMembers(runsOf(added), seen, places, IN_ADDED, pacer);
    await markMembers(runsOf(kept), seen, places, IN_KEPT, pacer);
    if (scope === undefined) await markMembers(runsOf(removed), seen, places, UNWANTED, pacer);
    if (scope === undefined && absent.length === 0) return places;
    const [s, p, o, g] = seen.columns;
    await pacer.rows(seen.length, (start, end) => {
      for (let i = start; i < end; i++) {
        const isUnwanted =
          scope === undefined
            ? absent.has(s[i]!, p[i]!, o[i]!, g[i]!)
            : matches(scope, s[i]!, p[i]!, o[i]!, g[i]!) && (places[i]! & IN_KEPT) === 0;
        if (isUnwanted) places[i]! |= UNWANTED;
      }
    });
    return places;
  }

  #note({ columns: [s, p, o, g, from] }: SortedRows, row: number, place: number, isAlive: boolean): void {
    const quad = [s[row]!, p[row]!, o[row]!, g[row]!] as const;
    if (isAlive) {
      // Of the base, or begun since.
      if (from[row]! <= this.change.base.number) return;
      if ((place & IN_ADDED) !== 0) this.handedOver.pushEnded(...quad, from[row]!);
      else if ((place & UNWANTED) !== 0) this.removed.pushEnded(...quad, from[row]!);
      return;
    }
    // One chunk can have met it before it was removed, and a later one after that, as new.
    if ((place & IN_KEPT) !== 0 && (place & IN_ADDED) === 0) this.added.push(...quad);
  }
}

export const intervalKey = (s: number, p: number, o: number, g: number, from: number): string =>
  `${s} ${p} ${o} ${g} ${from}`;

const matches = (scope: IdPattern, s: number, p: number, o: number, g: number): boolean =>
  (scope.s === 0 || scope.s === s) &&
  (scope.p === 0 || scope.p === p) &&
  (scope.o === 0 || scope.o === o) &&
  (scope.g === 0 || scope.g === g);

function copyOthers(quads: QuadColumns, start: number, end: number, seen: SortedRows, rest: QuadColumns): void {
  const { s, p, o, g } = quads;
  for (let i = start; i < end; i++) {
    if (isAmong(seen, s[i]!, p[i]!, o[i]!, g[i]!)) continue;
    if (quads instanceof EndedColumns) (rest as EndedColumns).pushEnded(s[i]!, p[i]!, o[i]!, g[i]!, quads.from[i]!);
    else rest.push(s[i]!, p[i]!, o[i]!, g[i]!);
  }
}

function isAmong({ columns: [a, b, c, d], length }: SortedRows, s: number, p: number, o: number, g: number): boolean {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const order = a[middle]! - s || b[middle]! - p || c[middle]! - o || d[middle]! - g;
    if (order === 0) return true;
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return false;
}
