/** Reads what another process has written to a repository, with its lines. */
import type { StorageEngine } from '@quadrille/storage';
import type { Lines, OpenLine } from '../branch/lines.js';
import type { RepositoryHandle } from '../open/handle.js';
import { readHead } from '../open/replay.js';
import { followCommits } from './follow-commits.js';
import type { FollowStep } from './follower.js';
import type { TouchedRepository } from './touched.js';

/** The repository stays in memory until `end`. `linesNow` are its lines, if they were loaded. */
export async function followRepository(
  handle: RepositoryHandle,
  linesNow: () => Lines<OpenLine> | undefined,
  view: StorageEngine,
  touched: TouchedRepository,
): Promise<FollowStep> {
  handle.users.enter();
  const end = (): void => handle.users.leave();
  try {
    const { installs } = handle;
    const install = await installation(handle, linesNow, view, touched);
    return { isCurrent: () => handle.installs === installs, install, end };
  } catch (error) {
    end();
    throw error;
  }
}

async function installation(
  handle: RepositoryHandle,
  linesNow: () => Lines<OpenLine> | undefined,
  view: StorageEngine,
  touched: TouchedRepository,
): Promise<() => void> {
  if (!handle.inMemory) {
    const head = await readHead(handle.keyspace.on(view));
    return () => {
      handle.settings.forget();
      handle.moveHead(head);
    };
  }
  let main = handle.timeline;
  let step = touched.replaced ? undefined : await followCommits(main, view, touched);
  const isNew = step === undefined;
  if (step === undefined) {
    const timeline = (main = await handle.readOn(view));
    step = () => handle.replace(timeline);
  }
  const lines = isNew || touched.lines ? await linesNow()?.follow(view, main) : undefined;
  return () => {
    handle.settings.forget();
    step();
    lines?.();
  };
}
