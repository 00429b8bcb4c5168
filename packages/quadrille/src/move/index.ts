import type { MoveOptions, MoveReport } from '../api/index.js';
import type { Location } from '../open.js';
import { MOVE_OPTIONS } from '../options/calls.js';
import { checkOptions } from '../options/check-options.js';

/**
 * Moves a repository from one store to another, with everything that it has: revisions with their ids and times, branches, tags,
 * prefixes, settings and metadata. Meanwhile it can be read, and takes no writes. The copy is compared with it byte by byte before the
 * other store shows it. Then `open` and `repository` of the first store answer `REPOSITORY_MOVED`, until `deleteRepository` frees the name.
 *
 * If it fails before the other store shows the repository, the first one is as it was. If the process is killed, the repository takes
 * no writes until the same call has been made again, which goes on, or one with `cancel`. Servers of a shared store that the repository
 * leaves may go on: they lose the right to write for a moment, twice. Nobody else may write to the other store.
 * Costs about as much as writing the bytes of the repository and reading them three times.
 *
 * @param from directory or URL of the store that has the repository
 * @param name `account/repository`
 * @param to directory or URL of the other store, which is made if it is not there
 * @throws InvalidArgumentError `INVALID_OPTION`, also where both are the same store; `INVALID_NAME`
 * @throws NotFoundError `REPOSITORY_NOT_FOUND`, `STORE_NOT_FOUND`; `REPOSITORY_MOVED` if it is in a third store
 * @throws ConflictError `ALREADY_EXISTS` if the other store has a repository of this name; `PRECONDITION_FAILED` if there is no move to cancel
 * @throws StateError `STORE_LOCKED`; `REPOSITORY_MOVING` if a move to a third store has begun
 * @throws StorageError `STORAGE_FULL`, `STORE_UNAVAILABLE`, `LEASE_LOST`, `SNAPSHOT_EXPIRED`
 * @throws CorruptionError `CHECKSUM` if the repository is damaged, or the copy differs
 * @throws EvaluationError `ABORTED`
 * @example
 * ```ts
 * import { moveRepository, open } from 'quadrille';
 *
 * const db = await open('./data');
 * const repo = await db.repository('acme/people', { create: true });
 * await repo.update('INSERT DATA { <urn:ann> foaf:name "Ann" }');
 * await db.close();
 *
 * const { outcome } = await moveRepository('./data', 'acme/people', './other', { redirect: 'https://other.example' });
 * console.log(outcome); // moved
 * ```
 * @since 0.1.0
 */
export async function moveRepository(
  from: Location,
  name: string,
  to: Location,
  options: MoveOptions = {},
): Promise<MoveReport> {
  checkOptions(options, MOVE_OPTIONS, 'moveRepository');
  const { moveRepository: move } = await import('./move-repository.js');
  return move(from, name, to, options);
}
