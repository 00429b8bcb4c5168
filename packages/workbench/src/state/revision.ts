/** The time machine: the revisions of the repository, and the one that is shown. */
import { batch, computed, effect, signal, untracked } from '@preact/signals';
import { listRevisions, listTags, type RevisionRecord } from '../api/revisions.js';
import { replaceParameters, route } from '../router.js';
import { fail } from './notices.js';
import { repository } from './repository.js';
import { signIns } from './session.js';

/** So many revisions are on the timeline; older ones are in the history. */
const MOST_SHOWN = 1000;
/** The slider rests so long before pages read again. */
const REST_MS = 150;
const POLL_MS = 5000;

/** Oldest first. */
export const revisions = signal<readonly RevisionRecord[]>([]);
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
  return revisions.value.find(({ ordinal, uuid }) => ordinal === number || uuid === ref) ?? taggedAs(ref);
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
    if (repository.value !== name) return;
    const byRevision = new Map<string, string[]>();
    for (const [tag, { uuid }] of Object.entries(named)) {
      byRevision.set(uuid, [...(byRevision.get(uuid) ?? []), tag]);
    }
    batch(() => {
      revisions.value = list.toReversed();
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

/** Called once by the page. New revisions are noticed by their number alone, and never move the user. */
export function startRevisions(): void {
  effect(() => {
    void signIns.value;
    void repository.value;
    untracked(() => {
      revisions.value = [];
      void readRevisions();
    });
  });
  setInterval(() => void lookForNew(), POLL_MS);
}

async function lookForNew(): Promise<void> {
  const name = repository.value;
  const last = head.value;
  if (name === undefined || last === undefined || document.hidden) return;
  const [newest] = await listRevisions(name, { limit: 1 }).catch(() => []);
  if (newest === undefined || repository.value !== name || head.value !== last) return;
  arrived.value = newest.ordinal - last.ordinal;
}
