import { platform } from '#platform';
import type { Database } from '../api/index.js';
import { PUBLISH_OPTIONS } from '../options/calls.js';
import { checkOptions } from '../options/check-options.js';
import type { PublishOptions, PublishReport } from './publish-types.js';

/**
 * Writes a store as files that any web host can serve: {@link open} reads them by the address of their folder. The manifest
 * `quadrille.json` is written last, so the folder has the publication before or the one after, whatever happens. Published again, it
 * writes only what is new.
 *
 * Without `history` only the head of `main` is published, under its number and id. It costs about as much as copying the
 * repositories into a temporary store, and packing their bytes.
 *
 * @param store an open database, or where a store is. One that another process shares is asked for a copy
 * @param out the folder. It may be missing, have an earlier publication, or a `.git`, `.nojekyll` or `CNAME`
 * @throws InvalidArgumentError `INVALID_OPTION`, also where a store has several repositories and none is named
 * @throws NotFoundError `REPOSITORY_NOT_FOUND`, `STORE_NOT_FOUND`
 * @throws StateError `NOT_EMPTY` if the folder has other files; `PUBLISHED_OTHER` if it has a publication of another store, or of one from
 *   before an erasure; `STORE_LOCKED`
 * @throws StorageError `STORAGE_FULL`, `STORAGE_IO`
 * @throws EvaluationError `ABORTED`
 * @example
 * ```ts
 * import { open, publish } from 'quadrille';
 *
 * const db = await open(':memory:');
 * const repo = await db.repository('people', { create: true });
 * await repo.update('INSERT DATA { <urn:ann> foaf:name "Ann" }');
 * const { repositories } = await publish(db, './site');
 * console.log(repositories.map(({ name, quads }) => `${name} ${String(quads)}`)); // [ 'default/people 1' ]
 * await db.close();
 * ```
 * @since 0.1.0
 */
export async function publish(
  store: Database | string | URL,
  out: string | URL,
  options: PublishOptions = {},
): Promise<PublishReport> {
  checkOptions(options, PUBLISH_OPTIONS, 'publish');
  const { publishStore } = await platform.publisher();
  return publishStore(store, out, options);
}
