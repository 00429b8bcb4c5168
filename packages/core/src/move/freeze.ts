/** The first step of a move: the repository takes no writes any more. */
import { StorageError } from '@quadrille/model';
import type { CopyParts } from './copy-entries.js';
import type { Accounts } from '../catalogue/accounts.js';
import { toJson } from '../format/byte-codec.js';
import { repositoryKey } from '../catalogue/catalogue.js';
import { type MovedRepositories, type MoveUnderWay, repositoryMoving } from '../catalogue/moved-repositories.js';
import { repositoryNotFound } from '../catalogue/names.js';
import type { RepositoryRecord } from '../catalogue/repository-records.js';
import { RepositoryHandle } from '../open/handle.js';

/** The parts of a store that moves need. */
export interface MovingStore {
  /** What copies need. */
  readonly parts: CopyParts;
  /** Its accounts. */
  readonly accounts: Accounts;
  /** Where repositories are that have left it. */
  readonly moved: MovedRepositories;
  /** The catalogue record of a repository; `undefined` if there is none. */
  record(name: string): Promise<RepositoryRecord | undefined>;
}

/** A repository that takes no writes. */
export type FrozenRepository = RepositoryRecord & {
  /** The move for which it is frozen. */
  readonly moving: MoveUnderWay;
};

/**
 * Begins a move, or goes on with one to the same store. The repository must not be open in this process. What a crash or an erasure
 * has left to do is done before.
 * @throws NotFoundError `REPOSITORY_NOT_FOUND`; StateError `REPOSITORY_MOVING` if it is being moved to another store
 */
export async function freezeRepository(
  store: MovingStore,
  name: string,
  move: MoveUnderWay,
): Promise<FrozenRepository> {
  const { catalogue, keyspace } = store.parts;
  const { env, engine } = catalogue;
  engine.assertWritable();
  const before = await recordOf(store, name);
  if (before.moving === undefined) {
    const handle = await RepositoryHandle.open(keyspace(before.id, name), env);
    await handle.close();
    if (handle.erasure instanceof StorageError) throw handle.erasure;
  }
  return catalogue.change(async () => {
    const record = await recordOf(store, name);
    const { moving } = record;
    if (moving !== undefined && moving.store !== move.store) throw repositoryMoving(name, moving);
    if (moving !== undefined) return { ...record, moving };
    const frozen = { ...record, moving: move };
    await catalogue.writeAlone([{ type: 'put', key: repositoryKey(name), value: toJson(frozen) }]);
    return frozen;
  });
}

/** Lets a repository take writes again. Returns false if there is no such move. */
export function thawRepository(store: MovingStore, name: string, move: string): Promise<boolean> {
  const { catalogue } = store.parts;
  return catalogue.change(async () => {
    const record = await store.record(name);
    if (record?.moving?.id !== move) return false;
    const { moving: _, ...thawed } = record;
    await catalogue.writeAlone([{ type: 'put', key: repositoryKey(name), value: toJson(thawed) }], true);
    return true;
  }, true);
}

async function recordOf(store: MovingStore, name: string): Promise<RepositoryRecord> {
  const record = await store.record(name);
  if (record !== undefined) return record;
  await store.moved.assertNone(name);
  throw repositoryNotFound(name);
}
