/** Finds the revision that a `ref` names. Ids and times grow with revision numbers, so both are found by bisection. */
import { InvalidArgumentError, NotFoundError, QuadrilleError } from '@quadrille/model';
import { uuidText } from '../revision/uuid.js';
import { Tag, textKey } from '../format/layout.js';
import type { Timeline } from './timeline.js';
import { readRecord, tryReadRecord } from '../revision/log.js';
import { type Revision, type RevisionRecord, toRevision } from '../revision/record.js';
import { compareUuids, parseUuid } from '../revision/uuid.js';

/**
 * A reference to a revision: a Revision; a UUID or `urn:…:<uuid>`; a number, as a number, `#n` or digits; a Date or
 * ISO time, also as `@{time}`, which names the newest revision at or before it; `HEAD`, `TAIL`; a tag; or a branch, which names
 * its newest revision. `~n` after `HEAD`, a tag or another text names the n-th revision before; `#n` after a branch its revision n.
 * @since 0.1.0
 */
export type Ref = Revision | string | number | Date;

/**
 * Whether a ref that one branch does not have may be of another one. It may be the name of a branch. A revision that was trimmed here may have
 * been taken over by another branch before.
 */
export const mayBeElsewhere = (error: unknown): boolean =>
  error instanceof QuadrilleError &&
  (error.code === 'REVISION_NOT_FOUND' || error.code === 'REVISION_TRIMMED' || error.code === 'INVALID_REF');

/** The error for a revision of another branch where only those of one branch can be. */
export const notInHistory = (name: string, ref: Ref): NotFoundError =>
  new NotFoundError(
    'REVISION_NOT_FOUND',
    `revision ${printRef(typeof ref === 'object' && 'id' in ref ? ref.id : ref)} of repository ${name} is on ` +
      'another branch, and not in the history of this one',
  );

const ORDINAL = /^#?(\d+)$/;
const HEAD = /^HEAD(?:~(\d+))?$/;
const BEFORE = /^([^~]+)~(\d{1,15})$/;
const ISO_TIME = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?(?:Z|[+-]\d\d:\d\d)?$/;
const TAG_NAME = /^[\p{L}\p{N}_][\p{L}\p{N}_.\-/]{0,99}$/u;

/** What a resolution needs from the storage. */
interface Need<T> {
  /** `undefined` where only `later` can give it. */
  atOnce(): T | undefined;
  later(): Promise<T>;
}

/** A resolution: it yields what it needs, and gets it. */
type Steps<T> = Generator<Need<unknown>, T, unknown>;

function* gets<T>(need: Need<T>): Steps<T> {
  return (yield need) as T;
}

/**
 * The record of the revision that a ref names. @throws InvalidArgumentError `INVALID_REF`, NotFoundError
 * `REVISION_NOT_FOUND`
 */
export async function resolveRef(timeline: Timeline, ref: Ref): Promise<RevisionRecord> {
  const steps = stepsOf(timeline, ref);
  let step = steps.next();
  while (!step.done) {
    let value: unknown;
    try {
      value = step.value.atOnce() ?? (await step.value.later());
    } catch (error) {
      step = steps.throw(error);
      continue;
    }
    step = steps.next(value);
  }
  return step.value;
}

/** Like {@link resolveRef}, without waiting. Returns `undefined` if the storage does not give at once what this needs. */
export function resolveRefAtOnce(timeline: Timeline, ref: Ref): RevisionRecord | undefined {
  const steps = stepsOf(timeline, ref);
  let step = steps.next();
  while (!step.done) {
    const value = step.value.atOnce();
    if (value === undefined) return undefined;
    step = steps.next(value);
  }
  return step.value;
}

/**
 * Like {@link resolveRef}, with what is in memory: finds the newest revision, and recently read revisions by number.
 * Otherwise returns `undefined`.
 */
export function tryResolveRef(timeline: Timeline, ref: Ref): RevisionRecord | undefined {
  if (ref === 'HEAD' || ref === toRevision(timeline.published)) return timeline.published;
  if (typeof ref !== 'number') return undefined;
  return ref === timeline.published.number ? timeline.published : timeline.recentRecords.get(ref);
}

function* stepsOf(timeline: Timeline, ref: Ref): Steps<RevisionRecord> {
  const atHand = tryResolveRef(timeline, ref);
  if (atHand !== undefined) return atHand;
  if (typeof ref === 'number') return yield* byNumber(timeline, ref, ref);
  if (ref instanceof Date) return yield* byTime(timeline, ref.getTime(), ref);
  if (typeof ref === 'object' && ref !== null && typeof ref.id === 'string') {
    const uuid = parseUuid(ref.id);
    return (yield* sameByNumber(timeline, uuid, ref.number)) ?? (yield* byUuid(timeline, uuid, ref.id));
  }
  if (typeof ref !== 'string') throw invalidRef(ref);
  return yield* byText(timeline, ref.trim());
}

// Looks up a Revision by its number. The UUID differs if the Revision belongs to another repository.
function* sameByNumber(
  timeline: Timeline,
  uuid: Uint8Array | undefined,
  number: number,
): Steps<RevisionRecord | undefined> {
  if (uuid === undefined || !Number.isInteger(number) || number < 1 || number >= timeline.published.number)
    return undefined;
  try {
    const record = yield* recentRecord(timeline, number);
    return compareUuids(record.id, uuid) === 0 ? record : undefined;
  } catch {
    return undefined;
  }
}

function* byText(timeline: Timeline, text: string): Steps<RevisionRecord> {
  const ordinal = ORDINAL.exec(text);
  if (ordinal !== null) return yield* byNumber(timeline, Number(ordinal[1]), text);
  const head = HEAD.exec(text);
  if (head !== null) return yield* byNumber(timeline, timeline.published.number - Number(head[1] ?? 0), text);
  if (text === 'TAIL') return yield* firstKept(timeline, text);
  const uuid = parseUuid(/^urn:.*:([^:]+)$/i.exec(text)?.[1] ?? text);
  if (uuid !== undefined) return yield* byUuid(timeline, uuid, text);
  const times = timesOf(text);
  if (times !== undefined) return yield* byTime(timeline, times.last, text);
  const before = BEFORE.exec(text);
  if (before !== null) {
    const { number } = yield* byText(timeline, before[1]!);
    return yield* byNumber(timeline, number - Number(before[2]), text);
  }
  if (!isTagName(text)) throw invalidRef(text);
  return yield* byTag(timeline, text);
}

// Revision 1, or the first one that was not trimmed.
function* firstKept(timeline: Timeline, text: string): Steps<RevisionRecord> {
  try {
    return yield* byNumber(timeline, 1, text);
  } catch (error) {
    if (!isTrimmed(error)) throw error;
    return yield* byNumber(timeline, error.details['after'] as number, text);
  }
}

/** The first and last millisecond that a ref names, if it is a time: a day is a span. */
export function timesOf(ref: Ref): { first: number; last: number } | undefined {
  if (ref instanceof Date) return { first: ref.getTime(), last: ref.getTime() };
  if (typeof ref !== 'string') return undefined;
  const text = /^@\{([^{}]*)\}$/.exec(ref.trim())?.[1]?.trim() ?? ref.trim();
  const isDay = !text.includes('T');
  const first = ISO_TIME.test(text) ? Date.parse(isDay ? text.slice(0, 10) : text) : Number.NaN;
  return Number.isNaN(first) ? undefined : { first, last: isDay ? first + DAY_MS - 1 : first };
}

const DAY_MS = 86_400_000;

function* byNumber(timeline: Timeline, number: number, ref: unknown): Steps<RevisionRecord> {
  if (!Number.isInteger(number)) throw invalidRef(ref);
  if (number < 1 || number > timeline.published.number) throw notFound(timeline, ref);
  return number === timeline.published.number ? timeline.published : yield* recentRecord(timeline, number);
}

export const isTrimmed = (error: unknown): error is NotFoundError =>
  error instanceof NotFoundError && error.code === 'REVISION_TRIMMED';

const RECENT_RECORDS = 16;
const RECENT_NUMBERS = 256;

function* recentRecord(timeline: Timeline, number: number): Steps<RevisionRecord> {
  const { recentRecords } = timeline;
  const known = recentRecords.get(number);
  if (known !== undefined) return known;
  const record = yield* gets(recordOf(timeline, number));
  if (recentRecords.size >= RECENT_RECORDS) recentRecords.clear();
  recentRecords.set(number, record);
  return record;
}

const recordOf = ({ keyspace }: Timeline, number: number): Need<RevisionRecord> => ({
  atOnce: () => tryReadRecord(keyspace, number),
  later: () => readRecord(keyspace, number),
});

function* byUuid(timeline: Timeline, uuid: Uint8Array | undefined, ref: unknown): Steps<RevisionRecord> {
  if (uuid === undefined) throw invalidRef(ref);
  const key = uuidText(uuid);
  const known = timeline.recentNumbers.get(key);
  if (known !== undefined) return yield* byNumber(timeline, known, ref);
  const isIt = ({ id }: Described): boolean => compareUuids(id, uuid) === 0;
  const record = yield* lastWhere(timeline, ({ id }) => compareUuids(id, uuid) <= 0, isIt);
  if (record === undefined || compareUuids(record.id, uuid) !== 0) throw notFound(timeline, ref);
  if (timeline.recentNumbers.size >= RECENT_NUMBERS) timeline.recentNumbers.clear();
  timeline.recentNumbers.set(key, record.number);
  return record;
}

function* byTime(timeline: Timeline, time: number, ref: unknown): Steps<RevisionRecord> {
  if (Number.isNaN(time)) throw invalidRef(ref);
  const record = yield* lastWhere(
    timeline,
    (candidate) => candidate.time <= time,
    () => true,
  );
  if (record === undefined) throw notFound(timeline, ref);
  return record;
}

function* byTag(timeline: Timeline, name: string): Steps<RevisionRecord> {
  const { keyspace } = timeline;
  const key = textKey(keyspace.key(Tag.tag), name);
  const id = yield* gets<Uint8Array | undefined>({
    atOnce: () => keyspace.tryGetKey(key),
    later: () => keyspace.getKey(key),
  });
  if (id === undefined) throw notFound(timeline, name);
  return yield* byUuid(timeline, id, name);
}

const utf8 = new TextEncoder();
/** Bytes of a name in UTF-8. A key has at most 256, of which repository and tag take 6. */
const LONGEST_NAME = 250;

/** Whether a text can be the name of a tag: no other form of a ref matches it, and it fits in a key. */
export function isTagName(text: string): boolean {
  const other = ORDINAL.test(text) || HEAD.test(text) || text === 'TAIL' || ISO_TIME.test(text);
  return !other && TAG_NAME.test(text) && parseUuid(text) === undefined && utf8.encode(text).length <= LONGEST_NAME;
}

type Described = Pick<RevisionRecord, 'id' | 'time'>;

// The last revision for which the condition holds. It holds for all revisions before that one. If it was trimmed, and is the wanted
// one, that is an error.
function* lastWhere(
  timeline: Timeline,
  holds: (revision: Described) => boolean,
  isWanted: (revision: Described) => boolean,
): Steps<RevisionRecord | undefined> {
  const head = timeline.published;
  if (holds(head)) return head;
  let low = 0;
  let high = head.number - 1;
  let found: RevisionRecord | undefined;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const record = yield* keptRecord(timeline, middle);
    if (record === undefined) {
      return yield* gets<RevisionRecord | undefined>({
        atOnce: () => undefined,
        later: async () => (await import('../on-request.js')).lastAmongTrimmed(timeline, holds, isWanted),
      });
    }
    if (holds(record)) {
      low = middle;
      found = record;
    } else high = middle - 1;
  }
  return found;
}

// The record; `undefined` if it was trimmed.
function* keptRecord(timeline: Timeline, number: number): Steps<RevisionRecord | undefined> {
  try {
    return yield* gets(recordOf(timeline, number));
  } catch (error) {
    if (!isTrimmed(error)) throw error;
    return undefined;
  }
}

function invalidRef(ref: unknown): InvalidArgumentError {
  return new InvalidArgumentError(
    'INVALID_REF',
    `not a revision: ${printRef(ref)} (a number, HEAD, TAIL, a UUID, a time, a tag or a branch; HEAD~n and TAG~n count back)`,
  );
}

function notFound(timeline: Timeline, ref: unknown): NotFoundError {
  return new NotFoundError(
    'REVISION_NOT_FOUND',
    `repository ${timeline.keyspace.name} has no revision ${printRef(ref)}; its head is ${timeline.published.number}`,
    { details: { repository: timeline.keyspace.name, head: uuidText(timeline.published.id) } },
  );
}

const printRef = (ref: unknown): string =>
  (ref instanceof Date && !Number.isNaN(ref.getTime()) ? ref.toISOString() : String(ref)).slice(0, 100);
