/** New revisions of others: by the feed of the server, and by asking now and then where there is none. They never move the user. */
import { computed, effect, signal, untracked } from '@preact/signals';
import { readFeed } from '../api/feeds/changes.js';
import { asProblem } from '../api/errors.js';
import { place, repository } from './repository.js';
import { head, lookForNew } from './revision.js';
import { hasFeature, signIns } from './session.js';

const POLL_MS = 5000;
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;
/** Commits that follow each other so closely are looked for once. */
const TOGETHER_MS = 150;

/** Whether the feed is open: nothing is asked for meanwhile. */
const isOpen = signal(false);
/** A page in the background has no feed: browsers allow few connections to a server, for all of their tabs. */
const isVisible = signal(true);
/** The list was read. Only that is of interest here, not each new revision. */
const isRead = computed(() => head.value !== undefined);

/** Called once by the page. */
export function startFeed(): void {
  document.addEventListener('visibilitychange', () => (isVisible.value = !document.hidden));
  setInterval(() => {
    if (isVisible.value && !isOpen.value) void lookForNew();
  }, POLL_MS);
  effect(() => {
    void signIns.value;
    void place.value;
    const name = repository.value;
    if (name === undefined || !isRead.value || !isVisible.value || !hasFeature('changes')) return undefined;
    const aborting = new AbortController();
    untracked(() => void follow(name, aborting.signal));
    return () => aborting.abort();
  });
}

/** Until the signal: opens the feed, and again after growing pauses. */
async function follow(name: string, signal: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const onRevision = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => signal.aborted || void lookForNew(), TOGETHER_MS);
  };
  let pauseMs = FIRST_PAUSE_MS;
  const onOpen = (): void => {
    isOpen.value = true;
    pauseMs = FIRST_PAUSE_MS;
    // What came since the list was read, or while there was no feed.
    onRevision();
  };
  while (!signal.aborted) {
    const failure = await readFeed(name, 'HEAD', { onOpen, onRevision, signal }).then(() => undefined, asProblem);
    isOpen.value = false;
    // Without the right to read, or without a feed, another attempt would end like this one.
    if (failure !== undefined && [401, 403, 404, 405, 406].includes(failure.status)) return;
    const waitMs = Math.max(pauseMs, (failure?.retryAfter ?? 0) * 1000);
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
  }
}
