/** The revisions of a log that have an author, a message, a time, or changes of matching quads. */
import { NotFoundError } from '@quadrille/model';
import { intervalsOf } from '../index/read/intervals.js';
import { FOREVER } from '../format/layout.js';
import type { IdPattern } from '../index/orders.js';
import type { RepositoryHandle } from '../open/handle.js';
import { readRecord } from '../revision/log.js';
import type { Revision, RevisionRecord } from '../revision/record.js';
import { toRevision } from '../revision/record.js';
import type { Ref } from '../timeline/refs.js';
import { timesOf } from '../timeline/refs.js';
import { Pacer } from '../runtime/env.js';
import { TrimmedNumbers } from '../revision/trimmed-numbers.js';
import { touchesPattern } from './revision-changes.js';
import type { TermPattern } from './snapshot.js';
import { Snapshot } from './snapshot.js';

/** Refs or times. A time as `from` names the first revision at or after it, as `until` the last one at or before it. */
export interface LogBounds {
  readonly from?: Ref | undefined;
  readonly until?: Ref | undefined;
  /** Exclusive. */
  readonly before?: Ref | undefined;
}

/** The first and last revision by number, both included. Empty if `first` is greater. */
export interface LogRange {
  readonly first: number;
  readonly last: number;
}

export interface LogFilter {
  /** The whole author. */
  readonly author?: string | undefined;
  /** A part of the message, in any case of letters. */
  readonly message?: string | undefined;
  /** Only revisions that have changed a matching quad. */
  readonly pattern?: TermPattern | undefined;
}

/** Finds the revision of the branch that a ref names. */
type Resolve = (ref: Ref) => Promise<RevisionRecord>;

/** @throws InvalidArgumentError `INVALID_REF`; NotFoundError `REVISION_NOT_FOUND` for a ref that is no time */
export async function logRange(resolve: Resolve, bounds: LogBounds, head: number): Promise<LogRange> {
  const { from, until, before } = bounds;
  const first = from === undefined ? 1 : await firstFrom(resolve, from);
  const end = until === undefined ? head : await lastUntil(resolve, until);
  const below = before === undefined ? head : (await resolve(before)).number - 1;
  return { first, last: Math.min(head, end, below) };
}

async function firstFrom(resolve: Resolve, ref: Ref): Promise<number> {
  const times = timesOf(ref);
  return times === undefined ? (await resolve(ref)).number : (await lastUntil(resolve, new Date(times.first - 1))) + 1;
}

// 0 if the time is before the first revision.
async function lastUntil(resolve: Resolve, ref: Ref): Promise<number> {
  try {
    return (await resolve(ref)).number;
  } catch (error) {
    if (timesOf(ref) === undefined || !(error instanceof NotFoundError)) throw error;
    if (error.code === 'REVISION_NOT_FOUND') return 0;
    if (error.code === 'REVISION_TRIMMED') return Number(error.details['before']);
    throw error;
  }
}

/** The revisions of a range that pass the filter, newest first. */
export async function* filteredLog(
  handle: RepositoryHandle,
  range: LogRange,
  filter: LogFilter,
  signal?: AbortSignal,
): AsyncGenerator<Revision> {
  const pacer = new Pacer(handle.env, undefined, signal);
  const said = saidFilter(filter);
  const touched = await touchedFilter(handle, range, filter.pattern, pacer);
  for (let number = range.last; number >= range.first; number--) {
    number = (await TrimmedNumbers.at(handle.keyspace, number)).previous(number);
    if (number < range.first) break;
    if (touched?.mayTouch(number) !== false) {
      const record = await readRecord(handle.keyspace, number);
      if (said(record) && (touched === undefined || (await touched.touches(record)))) yield toRevision(record);
    }
    if (pacer.due()) await pacer.pause();
  }
}

/** Whether a record has the author and the message. */
export function saidFilter({ author, message }: LogFilter): (record: RevisionRecord) => boolean {
  const part = message?.toLowerCase();
  return (record) =>
    (author === undefined || record.author === author) &&
    (part === undefined || record.message?.toLowerCase().includes(part) === true);
}

interface TouchedFilter {
  /** Whether the record must be read to know. */
  mayTouch(number: number): boolean;
  touches(record: RevisionRecord): Promise<boolean> | boolean;
}

/** Quads for each revision up to which reading all intervals of the quads takes less time than reading all records. */
const QUADS_PER_REVISION = 16;

// Few matching quads tell by their intervals which revisions have changed them. With many, each revision is looked at.
async function touchedFilter(
  handle: RepositoryHandle,
  range: LogRange,
  pattern: TermPattern | undefined,
  pacer: Pacer,
): Promise<TouchedFilter | undefined> {
  if (pattern === undefined) return undefined;
  await handle.ready();
  const snapshot = new Snapshot(handle.timeline, handle.head);
  try {
    const ids = await snapshot.ids(pattern);
    if (ids === undefined) return { mayTouch: () => false, touches: () => false };
    const revisions = Math.max(0, range.last - range.first + 1);
    if ((await snapshot.estimate(ids)) > revisions * QUADS_PER_REVISION) return eachTouched(handle, pattern, pacer);
    const touched = await touchedRevisions(snapshot, ids, pacer);
    return { mayTouch: touched, touches: () => true };
  } finally {
    snapshot.close();
  }
}

function eachTouched(handle: RepositoryHandle, pattern: TermPattern, pacer: Pacer): TouchedFilter {
  return {
    mayTouch: () => true,
    touches: async (record) => {
      handle.users.enter();
      try {
        await handle.ready();
        return await touchesPattern(handle.timeline, record, pattern, pacer);
      } finally {
        handle.users.leave();
      }
    },
  };
}

const PAGE_BITS = 8192;

// A bit for each revision, in pages: after an import numbers may be far apart.
async function touchedRevisions(
  { index, number, timeline }: Snapshot,
  ids: IdPattern,
  pacer: Pacer,
): Promise<(revision: number) => boolean> {
  const pages = new Map<number, Uint8Array>();
  const touch = (revision: number): void => {
    if (revision > number) return;
    const at = Math.floor(revision / PAGE_BITS);
    let page = pages.get(at);
    if (page === undefined) pages.set(at, (page = new Uint8Array(PAGE_BITS / 8)));
    page[(revision % PAGE_BITS) >>> 3]! |= 1 << (revision & 7);
  };
  let quad: readonly number[] = [];
  let end = FOREVER;
  const trimmed = await TrimmedNumbers.ofLines(timeline.keyspace, number);
  for await (const { ids: next, ...interval } of intervalsOf(index, ids, number, pacer)) {
    const from = trimmed.next(interval.from);
    const to = interval.to === FOREVER ? FOREVER : trimmed.next(interval.to);
    if (from === to) continue;
    // An interval that was handed over ends where the next one of its quad begins: nothing has changed there.
    const handedOver = from === end && next.every((id, i) => id === quad[i]);
    if (!handedOver) {
      touch(end);
      touch(from);
    }
    quad = [...next];
    end = to;
  }
  touch(end);
  return (revision) => {
    const page = pages.get(Math.floor(revision / PAGE_BITS));
    return page !== undefined && (page[(revision % PAGE_BITS) >>> 3]! & (1 << (revision & 7))) !== 0;
  };
}
