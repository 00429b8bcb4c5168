/**
 * Divides the histories of all branches into sections: first those of `main`, then what each branch has beyond the sections before it.
 * A revision is in two sections if one branch has trimmed revisions before it that the other has kept.
 */
import { NotFoundError } from '@quadrille/model';
import { uuidText } from '../revision/uuid.js';
import { copiedRanges } from '../branch/copied-revisions.js';
import { decodePositions, MAIN, MAIN_LINE } from '../timeline/line-record.js';
import type { Lines, OpenLine } from '../branch/lines.js';
import { lineNumber } from '../branch/locate.js';
import type { Keyspace } from '../keyspace/keyspace.js';
import { revisionIdKey } from '../keyspace/line-keyspace.js';
import { readRecord } from '../revision/log.js';
import type { RevisionRecord } from '../revision/record.js';
import { resolveRef } from '../timeline/refs.js';
import { TrimmedNumbers } from '../revision/trimmed-numbers.js';

/** The revisions of a branch after the last one up to which an earlier section has all that the branch has kept. */
export interface BranchSection<R extends OpenLine> {
  /** The name of the branch. */
  readonly name: string;
  /** The branch. */
  readonly on: R;
  /** The revision after which the section begins. A section before this one has it. */
  readonly base: RevisionRecord;
  /** The number of its last revision; that of the base if it is empty. */
  readonly last: number;
  /** Where another branch has revisions of the section in its history too, some of which it has trimmed. */
  readonly shared: SharedWith | undefined;
}

/** What a branch has in common with that of a section before its own. */
export interface SharedWith {
  /** The name of the other branch. */
  readonly name: string;
  /** The number of the last revision. */
  readonly until: number;
}

/** Revisions of a branch that follow each other and were made on the same line. */
interface Stretch {
  readonly first: number;
  readonly last: number;
  readonly origin: number;
}

/** Revisions of a section that were made on the same line. Its branch may have trimmed some. */
interface Covered extends Stretch {
  /** Of the branch of the section. */
  readonly name: string;
  readonly keyspace: Keyspace;
}

/** The histories of all branches, divided. */
export interface BranchSections<R extends OpenLine> {
  /** The sections of all branches but `main`. Each comes after the one that has its base. */
  readonly sections: readonly BranchSection<R>[];
  /** Whether a section, or that of `main`, has the revision with this UUID, which the repository has. */
  has(id: Uint8Array): Promise<boolean>;
}

/** Divides the histories of all branches. The section of `main` ends with revision `mainLast`. */
export async function branchSections<R extends OpenLine>(
  lines: Lines<R>,
  mainLast: number,
): Promise<BranchSections<R>> {
  const covered = new CoveredRevisions();
  covered.add(await stretchesOf(lines, MAIN_LINE, mainLast), 0, MAIN, lines.handle.keyspace);
  const branches = [...(await lines.branches())].toSorted(([, x], [, y]) => x.line - y.line);
  const sections: BranchSection<R>[] = [];
  for (const [name, { line }] of branches) {
    const on = await lines.at(line);
    const { keyspace, head } = on.handle;
    const stretches = await stretchesOf(lines, line, head.number);
    const base = await covered.baseOf(stretches, keyspace);
    sections.push({ name, on, base, last: head.number, shared: await covered.sharedWith(stretches, keyspace, base) });
    covered.add(stretches, base.number, name, keyspace);
  }
  return { sections, has: (id) => isCovered(lines, covered, id) };
}

// The index of ids has no revision of a repository without branches.
async function isCovered(lines: Lines<OpenLine>, covered: CoveredRevisions, id: Uint8Array): Promise<boolean> {
  const { keyspace } = lines.handle;
  const stored = await keyspace.getKey(revisionIdKey(keyspace, id));
  const places =
    stored === undefined ? [{ line: MAIN_LINE, number: await numberOnMain(lines, id) }] : decodePositions(stored);
  for (const { line, number } of places) if ((await covered.find(line, number)) !== undefined) return true;
  return false;
}

// The repository may have been unloaded meanwhile.
async function numberOnMain({ root }: Lines<OpenLine>, id: Uint8Array): Promise<number> {
  await root.ready();
  return (await resolveRef(root.handle.timeline, uuidText(id))).number;
}

/** The history of a branch up to a number, the newest stretch first. */
async function stretchesOf(lines: Lines<OpenLine>, line: number, last: number): Promise<Stretch[]> {
  const stretches: Stretch[] = [];
  for (let [at, end] = [line, last]; end > 0;) {
    const { base, fork } = at === MAIN_LINE ? { base: MAIN_LINE, fork: 0 } : await lines.record(at);
    for (const range of (await copiedRanges(await lines.keyspace(at))).toReversed()) {
      const copiedEnd = Math.min(range.last, end);
      if (range.first > end || copiedEnd <= fork) continue;
      if (copiedEnd < end) stretches.push({ first: copiedEnd + 1, last: end, origin: at });
      stretches.push({ ...range, last: copiedEnd });
      end = range.first - 1;
    }
    if (end > fork) stretches.push({ first: fork + 1, last: end, origin: at });
    [at, end] = [base, Math.min(end, fork)];
  }
  return stretches;
}

/** What the sections have so far. */
class CoveredRevisions {
  /** By the line that has made the revisions, in the order of the sections. */
  readonly #of = new Map<number, Covered[]>();

  /** Adds a section, which begins after revision `base`. */
  add(stretches: readonly Stretch[], base: number, name: string, keyspace: Keyspace): void {
    for (const { first, last, origin } of stretches) {
      if (last <= base) continue;
      const known = this.#of.get(origin) ?? [];
      known.push({ first: Math.max(first, base + 1), last, origin, name, keyspace });
      this.#of.set(origin, known);
    }
  }

  /** The branch of the first section that has a revision. An import finds it there. */
  async find(origin: number, number: number): Promise<Covered | undefined> {
    for (const covered of this.#of.get(origin) ?? []) {
      const isIn = covered.first <= number && number <= covered.last;
      if (isIn && !(await TrimmedNumbers.at(covered.keyspace, number)).has(number)) return covered;
    }
    return undefined;
  }

  /** The newest revision of a branch that a section has, together with everything before it that the branch has kept. */
  async baseOf(stretches: readonly Stretch[], keyspace: Keyspace): Promise<RevisionRecord> {
    const lost = new Map<Keyspace, number>();
    for (const { first, last, origin } of stretches) {
      const end = Math.min(last, this.#lastOf(origin));
      for (let at = await keptUpTo(keyspace, end); at >= first; at = await keptUpTo(keyspace, at - 1)) {
        const owner = (await this.find(origin, at))?.keyspace;
        if (owner === undefined) continue;
        if (!lost.has(owner)) lost.set(owner, await firstLost(keyspace, owner, at));
        if (lost.get(owner)! > at) return readRecord(keyspace, at);
      }
    }
    const problem = 'a trim has removed every revision that it shares with other branches';
    throw new NotFoundError('REVISION_TRIMMED', `repository ${keyspace.name}: ${problem}. Export each branch alone`);
  }

  /** The first branch that has revisions after the base in its history, kept or not. */
  async sharedWith(
    stretches: readonly Stretch[],
    keyspace: Keyspace,
    base: RevisionRecord,
  ): Promise<SharedWith | undefined> {
    for (const { first, last, origin } of stretches) {
      const end = Math.min(last, this.#lastOf(origin));
      if (end < first) continue;
      const until = await keptUpTo(keyspace, end);
      if (until <= base.number) return undefined;
      return { name: this.#of.get(origin)!.find((covered) => covered.last >= end)!.name, until };
    }
    return undefined;
  }

  #lastOf(origin: number): number {
    return (this.#of.get(origin) ?? []).reduce((most, { last }) => Math.max(most, last), 0);
  }
}

/** The first revision up to a number that one branch has kept and another one has not; infinite if there is none. */
async function firstLost(keyspace: Keyspace, other: Keyspace, upTo: number): Promise<number> {
  const [kept, keptThere] = [await TrimmedNumbers.ofLines(keyspace, upTo), await TrimmedNumbers.ofLines(other, upTo)];
  for (let at = 1; at <= upTo; at++) {
    if (lineNumber(keyspace.at(at)) === lineNumber(other.at(at))) {
      at = Math.min(keyspace.endAt(at), other.endAt(at));
      continue;
    }
    at = kept.next(at);
    if (at <= upTo && keptThere.next(at) !== at) return at;
  }
  return Number.POSITIVE_INFINITY;
}

async function keptUpTo(keyspace: Keyspace, upTo: number): Promise<number> {
  let number = upTo;
  for (let seen = -1; number > 0 && number !== seen;) {
    seen = number;
    number = (await TrimmedNumbers.at(keyspace, number)).previous(number);
  }
  return number;
}
