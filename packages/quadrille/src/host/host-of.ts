/** How hosts reach what the types of databases and repositories do not show. */
import type { Database } from '../api/database.js';
import type { ReadView } from '../api/read-view.js';
import type { Repository } from '../api/repository.js';
import type { HostedDatabase, HostedRepository, HostedView } from './host-types.js';

/** Where databases and repositories keep it: no member that completion of names shows. */
export const HOST = Symbol('host');

/**
 * The calls of a database that only hosts need: programs that run requests of others.
 * @example
 * ```ts
 * import { open } from 'quadrille';
 * import { hostOf } from 'quadrille/host';
 *
 * await using db = await open(':memory:');
 * await hostOf(db).records.write([{ key: 'mine/1', value: { done: true } }]);
 * ```
 * @since 0.1.0
 */
export function hostOf(database: Database): HostedDatabase;
/**
 * The calls of a repository that only hosts need.
 * @since 0.1.0
 */
export function hostOf(repository: Repository): HostedRepository;
/**
 * The calls of a view that only hosts need.
 * @since 0.1.0
 */
export function hostOf(view: ReadView): HostedView;
export function hostOf(hosted: object): unknown {
  return (hosted as { readonly [HOST]: unknown })[HOST];
}
