/**
 * Shows a store what another process has written: first it reads new timelines of the repositories in memory, then it
 * installs all of them in one step. So no reader sees a commit of one repository without an earlier one of another.
 */
import type { StorageEngine } from '@quadrille/storage';
import type { RepositoryHandle } from '../open/handle.js';
import { Touched, type TouchedRepository } from './touched.js';

/** The new timelines of a repository, which were read and are not shown yet. */
export interface FollowStep {
  /** Whether the repository is as it was when the step was made. */
  readonly isCurrent: () => boolean;
  /** Shows it. */
  readonly install: () => void;
  /** To be called at the end, also if it is not shown. */
  readonly end: () => void;
}

/** A repository, or one of its lines. */
export interface Followed {
  readonly name: string;
  readonly handle: RepositoryHandle;
  /** Reads what another process has written to a repository. */
  follow(view: StorageEngine, touched: TouchedRepository): Promise<FollowStep>;
}

/** The repositories of a store, as a follower uses them. */
export interface FollowedRepositories<R extends Followed> {
  /** All repositories and lines in memory, and those that somebody holds. */
  known(): readonly R[];
  /** The number of the repository that has a name now; `undefined` if there is none. */
  numberOf(name: string, view: StorageEngine): Promise<number | undefined>;
  /** Lets go of a repository that was deleted. */
  forget(repository: R): void;
}

export class Follower<R extends Followed> {
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor(
    private readonly engine: StorageEngine,
    private readonly repositories: FollowedRepositories<R>,
  ) {}

  /** Shows everything that was written before the call. Calls that wait at the same time share one look at the storage. */
  refresh(): Promise<void> {
    if (this.#next !== undefined) return this.#next;
    if (this.#running === undefined) return this.#begin();
    // The look under way may have begun too early.
    return (this.#next = this.#running.then(
      () => this.#begin(),
      () => this.#begin(),
    ));
  }

  #begin(): Promise<void> {
    this.#next = undefined;
    const running = this.#refresh().finally(() => {
      if (this.#running === running) this.#running = undefined;
    });
    return (this.#running = running);
  }

  async #refresh(): Promise<void> {
    const refresh = await this.engine.refresh();
    if (refresh === undefined) return;
    const { changed, show, view } = refresh;
    const touched = new Touched(changed);
    const steps = new Map<R, FollowStep | undefined>();
    try {
      for (;;) {
        await this.engine.shown.noneOpening();
        const left = this.#left(steps);
        if (left.length === 0 && !this.engine.shown.isOpening) break;
        for (const repository of left) {
          steps.get(repository)?.end();
          steps.delete(repository);
          steps.set(repository, await this.#prepare(repository, touched, view));
        }
      }
      show();
      for (const step of steps.values()) step?.install();
    } finally {
      for (const step of steps.values()) step?.end();
    }
  }

  // Those that were opened, or loaded into memory again, while others were read. Lines are read with their repository.
  #left(steps: ReadonlyMap<R, FollowStep | undefined>): R[] {
    return this.repositories.known().filter((repository) => {
      if (repository.handle.root !== repository.handle) return false;
      const step = steps.get(repository);
      return step === undefined ? !steps.has(repository) : !step.isCurrent();
    });
  }

  async #prepare(repository: R, touched: Touched, view: () => StorageEngine): Promise<FollowStep | undefined> {
    const { handle, name } = repository;
    const { id } = handle.keyspace;
    if (touched.catalogue && (await this.repositories.numberOf(name, view())) !== id) {
      const install = (): void => {
        handle.vanish();
        this.repositories.forget(repository);
      };
      return { isCurrent: () => true, install, end: () => undefined };
    }
    const own = touched.of(id);
    return own && repository.follow(view(), own);
  }
}
