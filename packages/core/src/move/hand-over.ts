/** The last steps of a move: the other store shows the copy, and this one tells where the repository is. */
import { ConflictError } from '@quadrille/model';
import type { WriteOp } from '@quadrille/storage';
import { toJson } from '../format/byte-codec.js';
import { droppedOp, droppedKey, repositoryKey } from '../catalogue/catalogue.js';
import { movedOps, type MovedRepository, repositoryMoving } from '../catalogue/moved-repositories.js';
import { accountOf, repositoryNotFound } from '../catalogue/names.js';
import { type RecordChange, recordOps } from '../catalogue/service-records.js';
import type { FrozenRepository, MovingStore } from './freeze.js';
import type { HiddenCopy } from './take-in.js';

const utf8 = new TextDecoder();

/**
 * Shows a copy, in one write. An account that is not there is made, with the namespaces that it has in the other store.
 * @param records of the server, which are written with it
 * @throws ConflictError `ALREADY_EXISTS`
 */
export async function showCopy(
  from: MovingStore,
  to: MovingStore,
  { name, frozen }: { readonly name: string; readonly frozen: FrozenRepository },
  copy: HiddenCopy,
  records: readonly RecordChange[],
): Promise<void> {
  const { catalogue, accounts } = to.parts;
  const account = accountOf(name);
  const given = await from.accounts.namespaces(account).list();
  const namespaces = Object.fromEntries(Array.from(given, ([prefix, iri]) => [prefix, utf8.decode(iri)]));
  const { moving, ...record } = frozen;
  await catalogue.change(async () => {
    if ((await to.record(name)) !== undefined) throw alreadyThere(name);
    await catalogue.writeAlone([
      ...(await accounts.creation(account, namespaces)),
      { type: 'put', key: repositoryKey(name), value: toJson({ ...record, id: copy.id, move: moving.id }) },
      { type: 'delete', key: droppedKey(copy.id) },
      // It may come back to where it was before.
      ...movedOps(name, undefined),
      ...recordOps(records),
    ]);
  });
}

/** The error for a repository whose name the other store has. */
export const alreadyThere = (name: string): ConflictError =>
  new ConflictError('ALREADY_EXISTS', `the other store has a repository ${name} already: nothing was moved`, {
    details: { repository: name },
  });

/**
 * Puts a record of the move in the place of the repository, in one write, if it is still the same one. Then its data are deleted.
 * @param records of the server, which are written with it
 * @throws StateError `REPOSITORY_MOVING` if another move has begun since; NotFoundError
 */
export async function leaveRecord(
  store: MovingStore,
  name: string,
  moved: MovedRepository,
  records: readonly RecordChange[],
): Promise<void> {
  const { catalogue, discard } = store.parts;
  const id = await catalogue.change(async () => {
    const record = await store.record(name);
    if (record === undefined) throw repositoryNotFound(name);
    if (record.moving?.id !== moved.id) throw repositoryMoving(name, record.moving ?? moved);
    const ops: WriteOp[] = [
      { type: 'delete', key: repositoryKey(name) },
      droppedOp(record.id),
      ...movedOps(name, moved),
      ...recordOps(records),
    ];
    await catalogue.writeAlone(ops, true);
    return record.id;
  }, true);
  await discard(id);
}

/** Changes where a moved repository is said to be. */
export async function changeRedirect(store: MovingStore, name: string, redirect: string): Promise<void> {
  const { catalogue } = store.parts;
  await catalogue.change(async () => {
    const moved = await store.moved.get(name);
    if (moved !== undefined) await catalogue.writeAlone(movedOps(name, { ...moved, redirect }));
  });
}
