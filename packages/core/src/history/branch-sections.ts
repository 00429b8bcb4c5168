/**
 * Divides the histories of all branches into sections, so that each revision is in one of them: first those of `main`, then what
 * each branch has beyond the sections before it.
 */
import { NotFoundError } from '@quadrille/model';
import { stringify as uuidText } from 'uuid';
import { copiedRanges } from '../branch/copied-revisions.js';
import { decodePositions, MAIN_LINE } from '../branch/line-record.js';
import type { Lines, OpenLine } from '../branch/lines.js';
import type { Keyspace } from '../keyspace/keyspace.js';
import { revisionIdKey } from '../keyspace/line-keyspace.js';
import { readRecord } from '../revision/log.js';
import type { RevisionRecord } from '../revision/record.js';
import { resolveRef } from '../revision/refs.js';
import { TrimmedNumbers } from '../trim/trimmed-numbers.js';

/** The revisions of a branch that are in no section before its own. */
export interface BranchSection<R extends OpenLine> {
  /** The name of the branch. */
  readonly name: string;
  readonly on: R;
  /** The revision after which the section begins. A section before this one has it. */
  readonly base: RevisionRecord;
  /** The number of its last revision; that of the base if it is empty. */
  readonly last: number;
}

/** Revisions of a branch that follow each other and were made on the same line. */
interface Stretch {
  readonly first: number;
  readonly last: number;
  readonly origin: number;
}

/** The revisions of a line that sections have: all up to a number. */
interface Covered {
  readonly upTo: number;
  /** Of the branch whose section has the last of them. */
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
  const covered = new Map<number, Covered>();
  cover(covered, await stretchesOf(lines, MAIN_LINE, mainLast), lines.handle.keyspace);
  const branches = [...(await lines.branches())].toSorted(([, x], [, y]) => x.line - y.line);
  const sections: BranchSection<R>[] = [];
  for (const [name, { line }] of branches) {
    const on = await lines.at(line);
    const { keyspace, head } = on.handle;
    const stretches = await stretchesOf(lines, line, head.number);
    const base = await lastShared(covered, stretches, keyspace);
    sections.push({ name, on, base, last: head.number });
    cover(covered, stretches, keyspace);
  }
  return { sections, has: (id) => isCovered(lines, covered, id) };
}

// The index of ids has no revision of a repository without branches.
async function isCovered(
  lines: Lines<OpenLine>,
  covered: ReadonlyMap<number, Covered>,
  id: Uint8Array,
): Promise<boolean> {
  const { keyspace, generation } = lines.handle;
  const stored = await keyspace.getKey(revisionIdKey(keyspace, id));
  const places =
    stored === undefined
      ? [{ line: MAIN_LINE, number: (await resolveRef(generation, uuidText(id))).number }]
      : decodePositions(stored);
  return places.some(({ line, number }) => number <= (covered.get(line)?.upTo ?? 0));
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

function cover(covered: Map<number, Covered>, stretches: readonly Stretch[], keyspace: Keyspace): void {
  for (const { last, origin } of stretches)
    if ((covered.get(origin)?.upTo ?? 0) < last) covered.set(origin, { upTo: last, keyspace });
}

/** The newest revision of a branch that the sections have. A trim may have removed it from one branch and not from another. */
async function lastShared(
  covered: ReadonlyMap<number, Covered>,
  stretches: readonly Stretch[],
  keyspace: Keyspace,
): Promise<RevisionRecord> {
  for (const { first, last, origin } of stretches) {
    const found = covered.get(origin);
    if (found === undefined || found.upTo < first) continue;
    const number = await keptByBoth(keyspace, found.keyspace, Math.min(last, found.upTo));
    if (number > 0) return readRecord(keyspace, number);
  }
  const problem = 'a trim has removed every revision that it shares with other branches';
  throw new NotFoundError('REVISION_TRIMMED', `repository ${keyspace.name}: ${problem}. Export each branch alone`);
}

/** The last number up to this one that both have kept; 0 if there is none. */
async function keptByBoth(first: Keyspace, second: Keyspace, upTo: number): Promise<number> {
  let number = upTo;
  for (let seen = -1; number > 0 && number !== seen;) {
    seen = number;
    for (const keyspace of [first, second]) number = await keptUpTo(keyspace, number);
  }
  return number;
}

async function keptUpTo(keyspace: Keyspace, upTo: number): Promise<number> {
  let number = upTo;
  for (let seen = -1; number > 0 && number !== seen;) {
    seen = number;
    number = (await TrimmedNumbers.at(keyspace, number)).previous(number);
  }
  return number;
}
