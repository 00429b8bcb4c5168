/** Which revisions of a line a trim keeps: what the policy says, and what others refer to. */
import { NotFoundError } from '@quadrille/model';
import { uuidText } from '../revision/uuid.js';
import { Ancestry, headOf } from '../branch/ancestry.js';
import { copiedRanges } from '../branch/copied-revisions.js';
import { MAIN_LINE } from '../timeline/line-record.js';
import type { Lines, OpenLine } from '../branch/lines.js';
import { lineNumber } from '../branch/locate.js';
import { Tag } from '../format/layout.js';
import type { Timeline } from '../timeline/timeline.js';
import { readRecords } from '../revision/log.js';
import type { RevisionRecord } from '../revision/record.js';
import { baseOf } from '../revision/record.js';
import { resolveRef } from '../timeline/refs.js';
import type { Pacer } from '../runtime/env.js';
import type { TrimmedRevision } from '../revision/trimmed-numbers.js';
import { TrimmedNumbers } from '../revision/trimmed-numbers.js';

/** What a trim keeps. A revision stays if any of them says so. */
export interface TrimPolicy {
  /** Keeps this revision and all later ones. */
  readonly before?: number | undefined;
  /** Keeps the newest ones: how many. */
  readonly last?: number | undefined;
  /** Keeps those that are at most as old: their time in milliseconds since 1970. */
  readonly since?: number | undefined;
  /** Keeps the last ones of each day (UTC): how many. */
  readonly perDay?: number | undefined;
}

/** A revision of the line, as the plan needs it. */
export interface PlannedRevision extends TrimmedRevision {
  /** The revision from which its changes begin. */
  readonly base: number;
  readonly isMerge: boolean;
  /** Whether some of its changes are in runs of the log. */
  readonly hasRuns: boolean;
  readonly bytes: number;
}

/** The revisions that a line itself has made and that were not removed, in ascending order, up to its head. */
export async function ownRevisions(timeline: Timeline, head: number, pacer: Pacer): Promise<PlannedRevision[]> {
  const found: PlannedRevision[] = [];
  for await (const record of readRecords(timeline.keyspace, timeline.firstOwn, head)) {
    const { number, time, mergedParent } = record;
    const isMerge = mergedParent !== undefined;
    const hasRuns = record.payload !== undefined;
    found.push({ number, id: record.id.slice(), time, base: baseOf(record), isMerge, hasRuns, bytes: bytesOf(record) });
    if (pacer.due()) await pacer.pause();
  }
  return found;
}

// About as many as the record takes.
const bytesOf = ({ added, removed, author = '', message = '' }: RevisionRecord): number =>
  150 + author.length + message.length + (added.length + removed.length) * 8;

const DAY_MS = 86_400_000;

/** The numbers of the revisions that stay. */
export function keptNumbers(
  revisions: readonly PlannedRevision[],
  { before = Infinity, last = 0, since = Infinity, perDay = 0 }: TrimPolicy,
  referred: ReadonlySet<number>,
): number[] {
  const kept: number[] = [];
  let day = NaN;
  let ofDay = 0;
  for (let at = revisions.length - 1; at >= 0; at--) {
    const { number, time, isMerge } = revisions[at]!;
    const itsDay = Math.floor(time / DAY_MS);
    if (itsDay !== day) [day, ofDay] = [itsDay, 0];
    ofDay++;
    const isWanted = number >= before || revisions.length - at <= last || time >= since || ofDay <= perDay;
    // The history of a branch follows from its merges.
    if (isWanted || isMerge || at === revisions.length - 1 || referred.has(number)) kept.push(number);
  }
  return kept.toReversed();
}

/** The revisions of a line to which something refers: lines that begin there, tags, heads, and what was merged. */
export async function referredNumbers(
  lines: Lines<OpenLine>,
  timeline: Timeline,
  pacer: Pacer,
): Promise<ReadonlySet<number>> {
  const line = lineNumber(timeline.keyspace);
  const referred = new Set<number>();
  const ancestry = Ancestry.of(lines);
  const copied = await copiedRanges(timeline.keyspace);
  const refer = async (made: number, number: number): Promise<void> => {
    const isCopy = copied.some(({ first, last, origin }) => origin === made && first <= number && number <= last);
    // What the line that has made it has trimmed may be on this line alone.
    if (made === line || (isCopy && (await TrimmedNumbers.of(await lines.keyspace(made))).has(number)))
      referred.add(number);
  };
  for (const other of [MAIN_LINE, ...(await lines.numbers())]) {
    if (other !== MAIN_LINE) {
      const { base, fork } = await lines.record(other);
      if (base === line) referred.add(fork);
    }
    // The base of a merge is the last revision that both histories have.
    for (const place of await ancestry.of(await headOf(lines, other))) await refer(...place);
    for (const { parent } of await ancestry.mergesInto(other)) await refer(parent.line, parent.number);
    if (pacer.due()) await pacer.pause();
  }
  for await (const { value } of lines.handle.keyspace.entries(Tag.tag)) {
    const number = await numberOn(timeline, value);
    if (number !== undefined) referred.add(number);
    if (pacer.due()) await pacer.pause();
  }
  return referred;
}

// `undefined` for a revision of another line.
async function numberOn(timeline: Timeline, id: Uint8Array): Promise<number | undefined> {
  if (id.length !== 16) return undefined;
  try {
    return (await resolveRef(timeline, uuidText(id))).number;
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}
