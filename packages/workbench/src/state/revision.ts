/** The time machine: the revisions of the repository, and the one that is shown. */
import { batch, computed, effect, signal, untracked } from '@preact/signals';
import {
  getRevision,
  listBuckets,
  listRevisions,
  listTags,
  newestRevision,
  type RevisionBucket,
  type RevisionRecord,
} from '../api/revisions.js';
import { token } from '../api/client.js';
import { asProblem, type Problem } from '../api/errors.js';
import { replaceParameters, route } from '../router.js';
import { fail } from './notices.js';
import { place, repository } from './repository.js';
import { hasFeature, isReadOnly, signIns, user } from './session.js';

/** So many revisions are held one by one; the timeline has the others in buckets. */
const MOST_SHOWN = 1000;
const BUCKETS = 160;
/** The slider rests so long before pages read again. */
const REST_MS = 150;

/** The newest ones, the oldest of them first. */
export const revisions = signal<readonly RevisionRecord[]>([]);
/** All revisions in few buckets, where there are more than are held one by one. */
export const buckets = signal<readonly RevisionBucket[] | undefined>(undefined);
/** The revision of the address where it is none of those; by the reference that names it. */
const older = signal<{ readonly ref: string; readonly revision: RevisionRecord } | undefined>(undefined);
/** The last reference of an address that named no revision, and why. */
const unknown = signal<{ readonly ref: string; readonly place: string; readonly problem: Problem } | undefined>(
  undefined,
);
/** Tags by the UUID of their revision. */
export const tags = signal<ReadonlyMap<string, readonly string[]>>(new Map());

export const head = computed(() => revisions.value.at(-1));
/** So many statements of a published store are looked through for names and terms. They are a few hundred kilobytes. */
const MOST_SCANNED = 20_000;
/** Whether a search may read all statements: from a web host only where they are few. */
export const mayScan = computed(() => !isReadOnly.value || (head.value?.size ?? Infinity) <= MOST_SCANNED);
/** Whether there is more than one revision. */
export const hasHistory = computed(() => revisions.value.length > 1);
/** The ranges of numbers that are there, in order. Those between them were trimmed. */
const ranges = computed<readonly Pick<RevisionBucket, 'from' | 'until'>[]>(
  () => buckets.value ?? revisions.value.map(({ ordinal }) => ({ from: ordinal, until: ordinal })),
);
/** The number of the first revision that was not trimmed, as far as it is known. */
export const first = computed(() => ranges.value[0]?.from ?? 1);

/** The place of a revision on the timeline: bars and slider have one scale, on which trimmed revisions take no room. */
export function placeOf(ordinal: number): number {
  let at = first.value;
  for (const { from, until } of ranges.value) {
    if (ordinal <= until) return at + Math.max(ordinal - from, 0);
    at += until - from + 1;
  }
  return Math.max(at - 1, first.value);
}

/** The number of the revision at a place, see {@link placeOf}. */
function ordinalAt(place: number): number {
  let at = first.value;
  for (const { from, until } of ranges.value) {
    const length = until - from + 1;
    if (place < at + length) return from + Math.max(place - at, 0);
    at += length;
  }
  return head.value?.ordinal ?? first.value;
}
/** The revision of the address: a number or any reference; undefined for the current one. */
export const at = computed(() => route.value.parameters['at']);

/** The revision that is shown; undefined before the list was read. */
export const shown = computed<RevisionRecord | undefined>(() => {
  const ref = at.value;
  if (ref === undefined) return head.value;
  const number = Number(ref);
  const held = revisions.value.find(({ ordinal, uuid }) => ordinal === number || uuid === ref) ?? taggedAs(ref);
  return held ?? (older.value?.ref === ref ? older.value.revision : undefined);
});

/** Why the reference of the address names no revision; undefined where it names one. */
export const missing = computed<Problem | undefined>(() => {
  const found = unknown.value;
  return shown.value === undefined && found?.ref === at.value && found?.place === place.value
    ? found?.problem
    : undefined;
});

function taggedAs(ref: string): RevisionRecord | undefined {
  return revisions.value.find(({ uuid }) => tags.value.get(uuid)?.includes(ref) === true);
}

/** Whether an older revision than the current one is shown, which nothing can change. One that is not known yet may be older. */
export const isOld = computed(
  () => at.value !== undefined && (shown.value === undefined || shown.value.uuid !== head.value?.uuid),
);
/** Revisions that others made since the list was shown. */
export const arrived = signal(0);

/** @param last the UUID of the revision to go on to where there are later ones, which have arrived then; else the newest one */
export async function readRevisions(last?: string): Promise<void> {
  const [name, here] = [repository.value, place.value];
  if (name === undefined) return;
  try {
    const [list, named] = await Promise.all([listRevisions(name, { limit: MOST_SHOWN }), listTags(name)]);
    const isLong = list.length >= MOST_SHOWN;
    const counted = isLong && hasFeature('revision-buckets') ? await listBuckets(name, BUCKETS) : undefined;
    if (place.value !== here) return;
    const byRevision = new Map<string, string[]>();
    for (const [tag, { uuid }] of Object.entries(named)) {
      byRevision.set(uuid, [...(byRevision.get(uuid) ?? []), tag]);
    }
    const later = Math.max(
      list.findIndex(({ uuid }) => uuid === last),
      0,
    );
    batch(() => {
      revisions.value = list.slice(later).toReversed();
      buckets.value = upTo(counted, list[later]?.ordinal ?? 0);
      tags.value = byRevision;
      arrived.value = later;
    });
  } catch (error) {
    // What a page shows of a branch that is gone says so.
    if (asProblem(error).code !== 'BRANCH_NOT_FOUND') fail(error);
  }
}

const upTo = (counted: readonly RevisionBucket[] | undefined, last: number): readonly RevisionBucket[] | undefined =>
  counted?.filter(({ from }) => from <= last).map((bucket) => ({ ...bucket, until: Math.min(bucket.until, last) }));

/** Shows a revision by its number; the current one has none in the address. */
export function show(number: number | undefined): void {
  const current = number === undefined || number === head.value?.ordinal;
  replaceParameters({ at: current ? undefined : String(number) });
}

/** The revision before or after the shown one; undefined where there is none. Numbers between them may be trimmed. */
export function neighbour(step: 1 | -1): number | undefined {
  const ordinal = shown.value?.ordinal;
  if (ordinal === undefined) return undefined;
  const list = revisions.value;
  const at = list.findIndex((revision) => revision.ordinal === ordinal);
  const next = at < 0 ? ordinal + step : (list[at + step]?.ordinal ?? (step < 0 ? ordinal - 1 : Number.NaN));
  return next >= first.value && next <= (head.value?.ordinal ?? 0) ? next : undefined;
}

let timer: ReturnType<typeof setTimeout> | undefined;
/** The number that the slider shows while it moves. */
export const sliding = signal<number | undefined>(undefined);

export const isSliding = computed(() => sliding.value !== undefined);

/** The slider moved to a place: pages follow when it rests. */
export function slide(place: number): void {
  const number = ordinalAt(place);
  sliding.value = number;
  clearTimeout(timer);
  timer = setTimeout(() => {
    batch(() => {
      sliding.value = undefined;
      show(number);
    });
  }, REST_MS);
}

/** Shows the last revision at or before the end of a day. @param day `YYYY-MM-DD`, in the time of the user */
export async function showDay(day: string): Promise<void> {
  const [name, here] = [repository.value, place.value];
  if (name === undefined || head.value === undefined || day === '') return;
  try {
    const end = new Date(`${day}T23:59:59.999`).toISOString();
    // Before the first revision there was nothing: the first one is the nearest.
    const found = await getRevision(name, end).catch((error: unknown) => {
      if (asProblem(error).status === 404) return undefined;
      throw error;
    });
    if (place.value === here) show(found?.ordinal ?? first.value);
  } catch (error) {
    fail(error);
  }
}

/** Called once by the page. */
export function startRevisions(): void {
  let before: string | undefined;
  effect(() => {
    void signIns.value;
    const name = place.value;
    // What is shown stays while it is read again, such as when a lost connection comes back.
    const isOther = name !== before || (untracked(() => user.value) === undefined && token.value === undefined);
    before = name;
    untracked(() => {
      if (isOther) {
        revisions.value = [];
        buckets.value = undefined;
      }
      void readRevisions();
    });
  });
  effect(() => {
    const [name, ref] = [repository.value, at.value];
    if (name === undefined || ref === undefined || head.value === undefined || shown.value !== undefined) return;
    untracked(() => void readOlder(name, ref));
  });
}

async function readOlder(name: string, ref: string): Promise<void> {
  const here = place.value;
  try {
    const revision = await getRevision(name, ref);
    if (place.value === here) older.value = { ref, revision };
  } catch (error) {
    const problem = asProblem(error);
    if ([400, 404, 410].includes(problem.status)) unknown.value = { ref, place: here, problem };
  }
}

/** New revisions are noticed by their number alone, and never move the user. */
export async function lookForNew(): Promise<void> {
  const [name, here] = [repository.value, place.value];
  const last = head.value;
  if (name === undefined || last === undefined) return;
  const newest = await newestRevision(name).catch(() => undefined);
  if (newest === undefined || place.value !== here || head.value !== last) return;
  arrived.value = newest.ordinal - last.ordinal;
}
