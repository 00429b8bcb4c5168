/** `moveRepository()`: a repository leaves one store for another. */
import type { HiddenCopy, FrozenRepository } from '@quadrille/core/backup';
import {
  alreadyThere,
  assertUnchanged,
  changeRedirect,
  freezeRepository,
  leaveRecord,
  showCopy,
  takeIn,
  thawRepository,
} from '@quadrille/core/backup';
import { checkRepositoryName, repositoryMoved, repositoryMoving, repositoryNotFound } from '@quadrille/core';
import type { MovedRepository, MoveUnderWay, RepositoryRecord } from '@quadrille/core';
import { ConflictError, EvaluationError, NotFoundError, StorageError } from '@quadrille/model';
import type { MoveOptions, MoveProgress, MoveReport, StoreServer } from '../api/index.js';
import { fullName, type OpenDatabase, STORE } from '../database.js';
import type { Location } from '../open.js';
import { checkedPlaces, checkedRedirect, checkElsewhere, sameStore } from './checked.js';
import { openDatabase, openSource, type Source } from './source.js';

/** Where a repository stands in the store that it leaves. */
interface Standing {
  /** UUID of the store. */
  readonly store: string | undefined;
  readonly record: RepositoryRecord | undefined;
  readonly moved: MovedRepository | undefined;
}

export async function moveRepository(
  from: Location,
  name: string,
  to: Location,
  options: MoveOptions,
): Promise<MoveReport> {
  const places = checkedPlaces(from, to);
  const full = fullName(name);
  checkRepositoryName(full);
  const redirect = checkedRedirect(options.redirect);
  const source = await openSource(places.from, options.logger);
  try {
    const standing = await source.read((database) => standingOf(database, full));
    if (standing.record === undefined && standing.moved === undefined) throw repositoryNotFound(full);
    if (options.cancel === true) return await cancel(source, full, standing, places.to, options);
    const { backend, logger } = options;
    const target = await openDatabase(places.to, { create: true, logger, ...(backend && { backend }) });
    try {
      return await new Move(source, target, full, { ...options, redirect }).run(standing);
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

async function standingOf({ [STORE]: store }: OpenDatabase, name: string): Promise<Standing> {
  return { store: store.id, record: await store.record(name), moved: await store.moved.get(name) };
}

class Move {
  readonly #to: string;
  /** Whether the other store may show the copy. Then only the same move can end. */
  #shown = false;
  /** UUID of the move, once the repository may be frozen. */
  #move: string | undefined;
  /** The copy, until the other store may show it. */
  #copied: HiddenCopy | undefined;

  constructor(
    private readonly source: Source,
    private readonly target: OpenDatabase,
    private readonly name: string,
    private readonly options: MoveOptions,
  ) {
    this.#to = target.location;
  }

  async run({ store, record, moved }: Standing): Promise<MoveReport> {
    const { target, name } = this;
    await target[STORE].parts.format.raise();
    const targetId = target[STORE].id!;
    if (targetId === store) throw sameStore();
    const there = await target[STORE].record(name);
    if (moved !== undefined) return this.#again(moved, there);
    // It may come back. But where it has moved on, another store has newer revisions.
    const left = await target[STORE].moved.get(name);
    if (left !== undefined && left.store !== store) throw repositoryMoved(name, left);
    // Before anybody is disturbed, and again while nobody else can write.
    this.#assertMayMove(record, there, targetId);
    this.#shown = there !== undefined;
    const move = { id: crypto.randomUUID(), store: targetId, to: this.#to };
    try {
      const frozen = await this.#freeze(move, there);
      this.#report('frozen');
      const copy = this.#shown ? undefined : await this.#copy(frozen);
      await this.#hold((database) => this.#handOver(database, frozen, copy));
      return this.#done('moved', copy);
    } catch (error) {
      await this.#undo(error);
      const { signal } = this.options;
      if (signal?.aborted !== true || error !== signal.reason) throw error;
      throw new EvaluationError('ABORTED', 'the caller aborted the move; nothing was changed', { cause: error });
    }
  }

  /**
   * Holds the first store. A server may take it over at the same time: after a process that was killed, or because the machine is too
   * busy for signs of life. Then once more. `LEASE_LOST` says that the write is not there, so each step asks what is, and goes on.
   */
  async #hold<T>(...held: Parameters<typeof this.source.hold<T>>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.source.hold(...held);
      } catch (error) {
        const isTaken = error instanceof StorageError && error.code === 'LEASE_LOST';
        if (!isTaken || tries === TRIES) throw error;
      }
    }
  }

  #freeze(move: MoveUnderWay, there: RepositoryRecord | undefined): Promise<FrozenRepository> {
    return this.#hold(async ({ [STORE]: store }) => {
      const record = await store.record(this.name);
      this.#assertMayMove(record, there, move.store);
      // Also if the write fails: it may be there all the same.
      this.#move = record?.moving?.id ?? move.id;
      return freezeRepository(store, this.name, move);
    }, this.#checkServers);
  }

  /** @throws ConflictError `ALREADY_EXISTS`; StateError `REPOSITORY_MOVING` if a move to another store has begun */
  #assertMayMove(here: RepositoryRecord | undefined, there: RepositoryRecord | undefined, to: string): void {
    const { moving } = here ?? {};
    if (there !== undefined && (moving === undefined || there.move !== moving.id)) throw alreadyThere(this.name);
    if (moving !== undefined && moving.store !== to) throw repositoryMoving(this.name, moving);
  }

  readonly #checkServers = (servers: readonly StoreServer[]): void => checkElsewhere(this.options.redirect, servers);

  /** The repository has left before. */
  async #again(moved: MovedRepository, there: RepositoryRecord | undefined): Promise<MoveReport> {
    const { redirect } = this.options;
    if (moved.store !== this.target[STORE].id || there === undefined) throw repositoryMoved(this.name, moved);
    if (redirect !== undefined && redirect !== moved.redirect)
      await this.source.hold(({ [STORE]: store }) => changeRedirect(store, this.name, redirect), this.#checkServers);
    return { ...this.#done('already', undefined), redirect: redirect ?? moved.redirect };
  }

  async #copy({ id }: FrozenRepository): Promise<HiddenCopy> {
    const { name, options } = this;
    const copy = await this.source.read(({ [STORE]: store }) =>
      takeIn(
        store,
        this.target[STORE],
        { name, id },
        {
          signal: options.signal,
          onProgress: (copied) => this.#report('copying', copied),
        },
      ),
    );
    this.#copied = copy;
    this.#report('copied', copy);
    return copy;
  }

  /** While nobody else writes to the first store. */
  async #handOver(database: OpenDatabase, frozen: FrozenRepository, copy: HiddenCopy | undefined): Promise<void> {
    const { name, target, options } = this;
    const store = database[STORE];
    const { moving } = frozen;
    const record = await store.record(name);
    // The store was lost behind that write, while the data were deleted. Whoever opens it next deletes the rest.
    if ((await store.moved.get(name))?.id === moving.id) return this.#report('moved', copy);
    if (record === undefined) throw repositoryNotFound(name);
    if (record.moving?.id !== moving.id) throw repositoryMoving(name, record.moving ?? moving);
    const carried = (await options.carry?.(database, target, name)) ?? { there: [], here: [] };
    if (copy !== undefined && (await target[STORE].record(name))?.move !== moving.id) {
      await assertUnchanged(store, target[STORE], { name, id: record.id }, copy);
      options.signal?.throwIfAborted();
      // Also if the write fails: it may be there all the same.
      this.#shown = true;
      await showCopy(store, target[STORE], { name, frozen }, copy, carried.there);
    }
    this.#report('shown', copy);
    const moved = { ...moving, redirect: options.redirect, created: record.created, moved: new Date().toISOString() };
    await leaveRecord(store, name, moved, carried.here);
    this.#report('moved', copy);
  }

  /** Lets the repository take writes again, unless the other store may have it. */
  async #undo(error: unknown): Promise<void> {
    const move = this.#move;
    if (move === undefined) return;
    const stays = (): void =>
      this.options.logger?.warn(
        `${this.name} takes no changes until the same move has ended, or was cancelled: run it again`,
        { repository: this.name },
      );
    // Whoever has taken a store over may be at the same move.
    if (this.#shown || isLost(error)) return stays();
    try {
      if (this.#copied !== undefined) await this.target[STORE].parts.discard(this.#copied.id);
      await this.source.hold((database) => thawRepository(database[STORE], this.name, move));
    } catch {
      stays();
    }
  }

  #report(step: MoveProgress['step'], { entries, bytes }: Pick<MoveProgress, 'entries' | 'bytes'> = NOTHING): void {
    this.options.onProgress?.({ step, entries, bytes });
  }

  #done(
    outcome: MoveReport['outcome'],
    { entries, bytes }: Pick<MoveProgress, 'entries' | 'bytes'> = NOTHING,
  ): MoveReport {
    return { repository: this.name, to: this.#to, redirect: this.options.redirect, entries, bytes, outcome };
  }
}

/** How often a store is taken over for one write. */
const TRIES = 5;

const isLost = (error: unknown): boolean =>
  error instanceof StorageError && (error.code === 'LEASE_LOST' || error.code === 'COMMIT_UNKNOWN');

const NOTHING = { entries: 0, bytes: 0 };

async function cancel(
  source: Source,
  name: string,
  { record, moved }: Standing,
  to: Exclude<Location, URL>,
  { force, logger }: MoveOptions,
): Promise<MoveReport> {
  if (moved !== undefined) throw repositoryMoved(name, moved);
  const { moving } = record!;
  if (moving === undefined)
    throw new ConflictError(
      'PRECONDITION_FAILED',
      `repository ${name} is not being moved: there is nothing to cancel`,
      {
        details: { repository: name },
      },
    );
  // While this process writes to the other store, no move can show its copy there.
  const target = force === true ? undefined : await openExisting(to, logger);
  try {
    if (target !== undefined) {
      const there = await target[STORE].record(name);
      if (target[STORE].id !== moving.store) throw repositoryMoving(name, moving);
      if (there?.move === moving.id)
        throw new ConflictError(
          'ALREADY_EXISTS',
          `${moving.to} shows repository ${name} already: run the move again to end it`,
          { details: { repository: name } },
        );
    }
    await source.hold((database) => thawRepository(database[STORE], name, moving.id));
  } finally {
    await target?.close();
  }
  return { repository: name, to: moving.to, redirect: undefined, ...NOTHING, outcome: 'cancelled' };
}

/** `undefined` if there is no store. */
async function openExisting(
  place: Exclude<Location, URL>,
  logger: MoveOptions['logger'],
): Promise<OpenDatabase | undefined> {
  try {
    return await openDatabase(place, { create: false, logger });
  } catch (error) {
    if (error instanceof NotFoundError && error.code === 'STORE_NOT_FOUND') return undefined;
    throw error;
  }
}
