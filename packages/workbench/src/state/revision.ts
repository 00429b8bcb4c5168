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
import { asProblem } from '../api/errors.js';
import { replaceParameters, route } from '../router.js';
import { fail } from './notices.js';
import { repository } from './repository.js';
import { hasFeature, signIns, user } from './session.js';

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
/** Tags by the UUID of their revision. */
export const tags = signal<ReadonlyMap<string, readonly string[]>>(new Map());

export const head = computed(() => revisions.value.at(-1));
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

function taggedAs(ref: string): RevisionRecord | undefined {
  return revisions.value.find(({ uuid }) => tags.value.get(uuid)?.includes(ref) === true);
}

/** Whether an older revision than the current one is shown, which nothing can change. */
export const isOld = computed(() => at.value !== undefined && shown.value?.uuid !== head.value?.uuid);
/** Revisions that others made since the list was shown. */
export const arrived = signal(0);

export async function readRevisions(): Promise<void> {
  const name = repository.value;
  if (name === undefined) return;
  try {
    const [list, named] = await Promise.all([listRevisions(name, { limit: MOST_SHOWN }), listTags(name)]);
    const isLong = list.length > 0 && list.at(-1)!.ordinal > 1;
    const counted = isLong && hasFeature('revision-buckets') ? await listBuckets(name, BUCKETS) : undefined;
    if (repository.value !== name) return;
    const byRevision = new Map<string, string[]>();
    for (const [tag, { uuid }] of Object.entries(named)) {
      byRevision.set(uuid, [...(byRevision.get(uuid) ?? []), tag]);
    }
    batch(() => {
      revisions.value = list.toReversed();
      buckets.value = counted;
      tags.value = byRevision;
      arrived.value = 0;
    });
  } catch (error) {
    fail(error);
  }
}

/** Shows a revision by its number; the current one has none in the address. */
export function show(number: number | undefined): void {
  const current = number === undefined || number === head.value?.ordinal;
  replaceParameters({ at: current ? undefined : String(number) });
}

let timer: ReturnType<typeof setTimeout> | undefined;
/** The number that the slider shows while it moves. */
export const sliding = signal<number | undefined>(undefined);

/** The slider moved: pages follow when it rests. */
export function slide(number: number): void {
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
  const name = repository.value;
  const [first] = revisions.value;
  if (name === undefined || first === undefined || day === '') return;
  try {
    const end = new Date(`${day}T23:59:59.999`).toISOString();
    // Before the first revision there was nothing: the first one is the nearest.
    const found = await getRevision(name, end).catch((error: unknown) => {
      if (asProblem(error).status === 404) return undefined;
      throw error;
    });
    if (repository.value === name) show(found?.ordinal ?? 1);
  } catch (error) {
    fail(error);
  }
}

/** Called once by the page. */
export function startRevisions(): void {
  let before: string | undefined;
  effect(() => {
    void signIns.value;
    const name = repository.value;
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
    // A page says itself what is wrong with a reference that there is not.
    untracked(() => void readOlder(name, ref).catch(() => undefined));
  });
}

async function readOlder(name: string, ref: string): Promise<void> {
  const revision = await getRevision(name, ref);
  if (repository.value === name) older.value = { ref, revision };
}

/** New revisions are noticed by their number alone, and never move the user. */
export async function lookForNew(): Promise<void> {
  const name = repository.value;
  const last = head.value;
  if (name === undefined || last === undefined) return;
  const newest = await newestRevision(name).catch(() => undefined);
  if (newest === undefined || repository.value !== name || head.value !== last) return;
  arrived.value = newest.ordinal - last.ordinal;
}
