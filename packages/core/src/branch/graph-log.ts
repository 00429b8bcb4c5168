/**
 * The revisions of all branches, the newest first, each once and before its parents. Lines are read from their ends at the
 * same time. Revisions of one time are sorted by their parents.
 */
import { uuidText } from '../revision/uuid.js';
import type { LogFilter } from '../read/filtered-log.js';
import { saidFilter } from '../read/filtered-log.js';
import type { Keyspace } from '../keyspace/keyspace.js';
import { readRecord } from '../revision/log.js';
import type { Revision, RevisionRecord } from '../revision/record.js';
import { toRevision } from '../revision/record.js';
import { Pacer } from '../runtime/env.js';
import { Ancestry, headOf } from './ancestry.js';
import type { CopiedRange } from './copied-revisions.js';
import { TrimmedNumbers } from '../revision/trimmed-numbers.js';
import { copiedRanges } from './copied-revisions.js';
import { MAIN, MAIN_LINE } from '../timeline/line-record.js';
import type { Lines, OpenLine } from './lines.js';

/** Revisions of one time that are sorted by their parents. */
const MOST_TIED = 4096;

/** The revisions after `before` in this order. */
export async function* graphLog(
  lines: Lines<OpenLine>,
  before: RevisionRecord | undefined,
  filter: Pick<LogFilter, 'author' | 'message'>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Revision> {
  const pacer = new Pacer(lines.handle.env, undefined, signal);
  const passes = saidFilter(filter);
  const walk = new GraphWalk(lines);
  await walk.open(before?.time ?? Number.POSITIVE_INFINITY);
  // Revisions of the same time come on both sides of it.
  let waits = before !== undefined && (await walk.has(before));
  for (;;) {
    const tied = await walk.takeNewest();
    if (tied.length === 0) return;
    for (const { line, record } of tied) {
      if (!waits && passes(record)) yield walk.describe(line, record);
      if (waits && uuidText(record.id) === uuidText(before!.id)) waits = false;
    }
    if (pacer.due()) await pacer.pause();
  }
}

interface Placed {
  readonly line: number;
  readonly record: RevisionRecord;
}

/** The own revisions of a line, from a number down. */
interface Cursor {
  readonly line: number;
  readonly first: number;
  readonly copied: readonly CopiedRange[];
  /** The next revision; `undefined` at the end. */
  record: RevisionRecord | undefined;
}

class GraphWalk {
  #cursors: Cursor[] = [];
  readonly #names = new Map<number, string>([[MAIN_LINE, MAIN]]);
  /** Ranges of lines without a name, by the branches that have taken them over. */
  readonly #takers = new Map<number, (CopiedRange & { readonly branch: string })[]>();
  /** What each line has taken over. */
  readonly #copied = new Map<number, readonly CopiedRange[]>();

  constructor(private readonly lines: Lines<OpenLine>) {}

  /** Begins with the last revisions at or before a time. */
  async open(time: number): Promise<void> {
    for (const [name, { line }] of await this.lines.branches()) this.#names.set(line, name);
    const ends = await this.#ends();
    for (const line of ends.keys()) this.#copied.set(line, await copiedRanges(await this.lines.keyspace(line)));
    for (const [line, last] of ends) {
      const copied = this.#copied.get(line)!;
      const first = line === MAIN_LINE ? 1 : (await this.lines.record(line)).fork + 1;
      for (const range of copied) this.#take(line, range);
      const cursor: Cursor = { line, first, copied, record: undefined };
      await this.#move(cursor, await this.#lastUntil(cursor, last, time));
      this.#cursors.push(cursor);
    }
    // A line comes before the one on which it begins.
    this.#cursors = this.#cursors.filter(({ record }) => record !== undefined).toSorted((x, y) => y.line - x.line);
  }

  // Lines without a name are seen as far as they were merged, or others begin on them.
  async #ends(): Promise<ReadonlyMap<number, number>> {
    const { lines } = this;
    const ends = new Map<number, number>();
    for (const line of this.#names.keys()) ends.set(line, (await headOf(lines, line)).number);
    const numbers = await lines.numbers();
    if (numbers.every((line) => ends.has(line))) return ends;
    const ancestry = Ancestry.of(lines);
    for (const line of this.#names.keys())
      for (const [other, number] of await ancestry.of({ line, number: ends.get(line)! }))
        ends.set(other, Math.max(ends.get(other) ?? 0, number));
    return ends;
  }

  #take(line: number, range: CopiedRange): void {
    const branch = this.#names.get(line);
    if (branch === undefined || this.#names.has(range.origin)) return;
    const known = this.#takers.get(range.origin) ?? [];
    this.#takers.set(range.origin, [...known, { ...range, branch }]);
  }

  // Times of a line never fall.
  async #lastUntil({ line, first }: Cursor, last: number, time: number): Promise<number> {
    if (time === Number.POSITIVE_INFINITY || last < first) return last;
    const keyspace = await this.lines.keyspace(line);
    let [low, high] = [first - 1, last];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((await this.#timeAt(keyspace, middle)) <= time) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  // Of a revision that was trimmed without a trace, the next one that was kept tells.
  async #timeAt(keyspace: Keyspace, number: number): Promise<number> {
    const trimmed = await TrimmedNumbers.at(keyspace, number);
    const revision = (await trimmed.find(number)) ?? (await readRecord(keyspace, trimmed.next(number)));
    return revision.time;
  }

  async #move(cursor: Cursor, number: number): Promise<void> {
    const keyspace = await this.lines.keyspace(cursor.line);
    const trimmed = await TrimmedNumbers.of(keyspace);
    let next = trimmed.previous(number);
    for (const range of cursor.copied.toReversed())
      while (range.first <= next && next <= range.last) {
        const lower = await this.#unlessBefore(cursor.line, range, next);
        if (lower === next) break;
        next = trimmed.previous(lower);
      }
    cursor.record = next < cursor.first ? undefined : await readRecord(keyspace, next);
  }

  // A revision that was taken over is shown by the line that has made it. If that has trimmed it, the first line shows it that has kept
  // it. Returns its number if that is this line, and otherwise a lower one from which to look on.
  async #unlessBefore(line: number, { first, origin }: CopiedRange, number: number): Promise<number> {
    const before = [{ line: origin, first }];
    for (const [other, ranges] of this.#copied)
      for (const range of ranges)
        if (other < line && range.origin === origin && range.first <= number && number <= range.last)
          before.push({ line: other, first: range.first });
    for (const shown of before) {
      const trimmed = await TrimmedNumbers.of(await this.lines.keyspace(shown.line));
      if (!trimmed.has(number)) return Math.max(trimmed.lastRemoved(number), shown.first - 1);
    }
    return number;
  }

  /** Whether the walk comes to a revision. */
  async has({ number, id }: RevisionRecord): Promise<boolean> {
    for (const { line, record } of this.#cursors) {
      if (record === undefined || record.number < number) continue;
      const keyspace = await this.lines.keyspace(line);
      if ((await TrimmedNumbers.at(keyspace, number)).has(number)) continue;
      const found = await readRecord(keyspace, number);
      if (uuidText(found.id) === uuidText(id)) return true;
    }
    return false;
  }

  /** The newest revisions that have the same time, each before its parents. */
  async takeNewest(): Promise<Placed[]> {
    const open = this.#cursors;
    const time = open.reduce((newest, { record }) => Math.max(newest, record!.time), Number.NEGATIVE_INFINITY);
    const tied = open.filter(({ record }) => record!.time === time);
    const taken: Placed[][] = [];
    for (const cursor of tied) taken.push(await this.#takeAt(cursor, time, tied.length === 1 ? 1 : MOST_TIED));
    this.#cursors = open.filter(({ record }) => record !== undefined);
    return taken.length > 1 ? beforeParents(taken) : (taken[0] ?? []);
  }

  async #takeAt(cursor: Cursor, time: number, most: number): Promise<Placed[]> {
    const taken: Placed[] = [];
    for (let { record } = cursor; record?.time === time && taken.length < most; { record } = cursor) {
      taken.push({ line: cursor.line, record });
      await this.#move(cursor, record.number - 1);
    }
    return taken;
  }

  describe(line: number, record: RevisionRecord): Revision {
    const has = ({ first, last }: CopiedRange): boolean => first <= record.number && record.number <= last;
    const made = this.#copied.get(line)?.find(has)?.origin ?? line;
    const branch = this.#names.get(made) ?? this.#takers.get(made)?.find(has)?.branch;
    return branch === undefined ? toRevision(record) : { ...toRevision(record), branch };
  }
}

// Takes from the lists in turn what is no parent of a revision that is left.
function beforeParents(lists: readonly Placed[][]): Placed[] {
  const children = new Map<string, number>();
  const parentsOf = ({ record }: Placed): string[] =>
    [record.parentId, record.mergedParent].flatMap((id) => (id === undefined ? [] : [uuidText(id)]));
  for (const placed of lists.flat()) for (const id of parentsOf(placed)) children.set(id, (children.get(id) ?? 0) + 1);
  const at = lists.map(() => 0);
  const sorted: Placed[] = [];
  for (;;) {
    const left = lists.findIndex((list, i) => at[i]! < list.length && !(children.get(idOf(list[at[i]!]!))! > 0));
    // Every revision is made after its parents, so one is free as long as any is left.
    const next = left === -1 ? lists.findIndex((list, i) => at[i]! < list.length) : left;
    if (next === -1) return sorted;
    const placed = lists[next]![at[next]!++]!;
    for (const id of parentsOf(placed)) children.set(id, children.get(id)! - 1);
    sorted.push(placed);
  }
}

const idOf = ({ record }: Placed): string => uuidText(record.id);
