import { platform } from '#platform';
import type { JoinOptions, StoreMember } from '../api/index.js';
import { DISK_CACHE_OPTIONS, JOIN_OPTIONS } from '../options/calls.js';
import { checkOptions } from '../options/check-options.js';

/**
 * Makes this process one of several servers over a store in a database or a bucket. One of them writes at a time, the others follow it.
 * `quadrille serve --advertise` does it, and forwards writes to the one that writes.
 * @param url `postgres://…` or `s3://…`
 * @throws InvalidArgumentError `INVALID_OPTION` for another URL, or where the package for it is not installed
 * @throws StateError `STORE_LOCKED` if another process has the folder of `diskCache`
 * @example
 * ```ts
 * import { joinStore } from 'quadrille';
 *
 * const member = await joinStore('postgres://quadrille@db.example/quadrille', { advertise: 'http://one.example:8080' });
 * console.log(member.servers); // [], until member.open(); then open({ storage: member.follower() }) reads
 * ```
 * @since 0.1.0
 */
export async function joinStore(url: string, options: JoinOptions = {}): Promise<StoreMember> {
  checkOptions(options, JOIN_OPTIONS, 'joinStore');
  checkOptions(options.diskCache, DISK_CACHE_OPTIONS, 'joinStore: diskCache');
  return platform.joinStore(url, options);
}
