/**
 * What a revision has in its history: for each line, all revisions up to a number. The history of a branch is its line,
 * those below it up to where it begins, and all that was merged into them.
 */
import { NotFoundError } from '@quadrille/model';
import { Tag } from '../format/layout.js';
import { revisionIdKey } from '../keyspace/line-keyspace.js';
import { readRecords } from '../revision/log.js';
import { type RevisionRecord, decodeHead } from '../revision/record.js';
import { resolveRef } from '../timeline/refs.js';
import { uuidText } from '../revision/uuid.js';
import { Pacer } from '../runtime/env.js';
import { TrimmedNumbers } from '../revision/trimmed-numbers.js';
import { type CopiedRange, copiedRanges } from './copied-revisions.js';
import { type LinePosition, decodePositions, MAIN_LINE } from '../timeline/line-record.js';
import type { Lines, OpenLine } from './lines.js';

/** The greatest number of each line. */
export type History = ReadonlyMap<number, number>;

interface Merge {
  readonly number: number;
  readonly parent: LinePosition;
}

interface KnownMerges {
  readonly upTo: number;
  readonly merges: readonly Merge[];
}

/** Histories that are kept for each repository. */
const KEPT_HISTORIES = 256;

/** What is known of the merges of a repository never changes, so it is kept. */
const known = new WeakMap<Lines<OpenLine>, Ancestry>();

export class Ancestry {
  readonly #merges = new Map<number, KnownMerges>();
  readonly #histories = new Map<string, Promise<History>>();
  readonly #copies = new Map<number, Promise<readonly CopiedRange[]>>();
  #copied = 0;

  private constructor(
    private readonly lines: Lines<OpenLine>,
    private readonly known: number,
  ) {}

  /** The ancestry of a repository. */
  static of(lines: Lines<OpenLine>): Ancestry {
    let found = known.get(lines);
    if (found?.known !== lines.ancestors) known.set(lines, (found = new Ancestry(lines, lines.ancestors)));
    if (found.#copied !== lines.copied) {
      found.#histories.clear();
      found.#copies.clear();
      found.#copied = lines.copied;
    }
    return found;
  }

  /** The history of a revision, itself included. */
  of({ line, number }: LinePosition): Promise<History> {
    const key = `${line}#${number}`;
    let history = this.#histories.get(key);
    if (history !== undefined) return history;
    if (this.#histories.size >= KEPT_HISTORIES) this.#histories.clear();
    history = this.#collect({ line, number });
    this.#histories.set(key, history);
    history.catch(() => this.#histories.delete(key));
    return history;
  }

  async #collect(start: LinePosition): Promise<History> {
    const found = new Map<number, number>();
    const open = [await this.made(start)];
    for (let place = open.pop(); place !== undefined; place = open.pop()) {
      const { line, number } = place;
      const known = found.get(line) ?? 0;
      if (known >= number) continue;
      found.set(line, number);
      if (line !== MAIN_LINE) {
        const { base, fork } = await this.lines.record(line);
        open.push(await this.made({ line: base, number: fork }));
      }
      for (const { first, last, origin } of await this.#copiesOf(line))
        if (first <= number) open.push({ line: origin, number: Math.min(last, number) });
      for (const merge of await this.#mergesOf(line, number))
        if (merge.number > known && merge.number <= number) open.push(await this.made(merge.parent));
    }
    return found;
  }

  /** The line that has made a revision: that of a branch without commits is below, and others have taken it over. */
  async made({ line, number }: LinePosition): Promise<LinePosition> {
    let at = line;
    while (at !== MAIN_LINE) {
      const { base, fork } = await this.lines.record(at);
      if (number > fork) break;
      at = base;
    }
    const copied = (await this.#copiesOf(at)).find(({ first, last }) => first <= number && number <= last);
    return { line: copied?.origin ?? at, number };
  }

  #copiesOf(line: number): Promise<readonly CopiedRange[]> {
    let found = this.#copies.get(line);
    if (found === undefined) {
      found = this.lines.keyspace(line).then(copiedRanges);
      this.#copies.set(line, found);
      found.catch(() => this.#copies.delete(line));
    }
    return found;
  }

  /** The merges of a line: their numbers, and where what they have merged is. */
  async mergesInto(line: number): Promise<readonly { readonly number: number; readonly parent: LinePosition }[]> {
    return this.#mergesOf(line, (await headOf(this.lines, line)).number);
  }

  // The merges of a line up to a revision. What was merged before the first other line began is in all histories.
  async #mergesOf(line: number, last: number): Promise<readonly Merge[]> {
    let found = this.#merges.get(line);
    if (found === undefined) this.#merges.set(line, (found = { upTo: await this.#firstFork(line), merges: [] }));
    if (found.upTo >= last) return found.merges;
    const pacer = new Pacer(this.lines.handle.env);
    const merges = [...found.merges];
    const keyspace = await this.lines.keyspace(line);
    // A merge is never trimmed, but the last revision may be: another line has taken it over before.
    const kept = (await TrimmedNumbers.of(keyspace)).previous(last);
    for await (const { number, mergedParent } of readRecords(keyspace, found.upTo + 1, kept, true)) {
      const parent = mergedParent && (await this.#placeOf(mergedParent));
      if (parent !== undefined) merges.push({ number, parent });
      if (pacer.due()) await pacer.pause();
    }
    // Another call may have read further meanwhile.
    const newest = this.#merges.get(line)!;
    if (newest.upTo < last) this.#merges.set(line, { upTo: last, merges });
    return merges;
  }

  async #firstFork(line: number): Promise<number> {
    if (line !== MAIN_LINE) return (await this.lines.record(line)).fork;
    let first = Number.POSITIVE_INFINITY;
    for (const number of await this.lines.numbers()) {
      const { base, fork } = await this.lines.record(number);
      if (base === MAIN_LINE) first = Math.min(first, fork);
    }
    return first;
  }

  // `undefined` for a revision of the repository from which this history was imported.
  async #placeOf(id: Uint8Array): Promise<LinePosition | undefined> {
    const { keyspace } = this.lines.handle;
    const stored = await keyspace.getKey(revisionIdKey(keyspace, id));
    if (stored !== undefined) return decodePositions(stored)[0]!;
    const main = await this.lines.at(MAIN_LINE);
    try {
      const { number } = await resolveRef(main.handle.timeline, uuidText(id));
      return { line: MAIN_LINE, number };
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
      // What was merged may have been trimmed since.
      const { revision } = error.details;
      return typeof revision === 'number' ? { line: MAIN_LINE, number: revision } : undefined;
    }
  }

  /** Whether a history has a revision. */
  async has(history: History, place: LinePosition): Promise<boolean> {
    const { line, number } = await this.made(place);
    return (history.get(line) ?? 0) >= number;
  }

  /**
   * The newest revisions that both histories have and that are in the history of no other of them: several, if lines were
   * merged crosswise.
   */
  async bases(first: LinePosition, second: LinePosition): Promise<LinePosition[]> {
    const [ours, theirs] = [await this.of(first), await this.of(second)];
    const shared: LinePosition[] = [];
    for (const [line, number] of ours) {
      const other = theirs.get(line);
      if (other !== undefined) shared.push(await this.made({ line, number: Math.min(number, other) }));
    }
    const newest: LinePosition[] = [];
    for (const place of shared) {
      const others = shared.filter(
        (other) => other !== place && (other.line !== place.line || other.number > place.number),
      );
      const dominated = await Promise.all(others.map(async (other) => this.has(await this.of(other), place)));
      const isSeen = newest.some(({ line, number }) => line === place.line && number === place.number);
      if (!dominated.includes(true) && !isSeen) newest.push(place);
    }
    return newest;
  }
}

/** The position of the head of a line. */
export async function headOf(lines: Lines<OpenLine>, line: number): Promise<LinePosition> {
  const keyspace = await lines.keyspace(line);
  const stored = await keyspace.get(Tag.head);
  if (stored === undefined) throw keyspace.missing(`the head of line ${line}`);
  return { line, number: decodeHead(stored).number };
}

/** Whether the head of a line is in the history of another branch. */
export function isMergedIn(lines: Lines<OpenLine>): (line: number, head: RevisionRecord) => Promise<boolean> {
  return async (line, { number }) => {
    const { fork } = await lines.record(line);
    if (number === fork) return true;
    const ancestry = Ancestry.of(lines);
    const others = [MAIN_LINE, ...[...(await lines.branches()).values()].map((branch) => branch.line)];
    for (const other of others) {
      if (other === line) continue;
      if (await ancestry.has(await ancestry.of(await headOf(lines, other)), { line, number })) return true;
    }
    return false;
  };
}
