import { platform } from '#platform';
import type { CollectGarbageOptions, GarbageReport } from '../api/index.js';
import { COLLECT_OPTIONS } from '../options/calls.js';
import { checkOptions } from '../options/check-options.js';

const DAY_MS = 24 * 60 * 60_000;

/**
 * Deletes packs of a shared store that no state of it needs, such as those of processes that died before their commit. The process that
 * writes does so by itself after an hour, so this is for stores that no server keeps open. It takes the store over meanwhile.
 * Costs a list of all packs.
 *
 * @param url `postgres://…` or `s3://…`
 * @throws InvalidArgumentError `INVALID_OPTION` for another location, or where the package for it is not installed
 * @throws StateError `STORE_LOCKED` while another process writes to the store
 * @throws NotFoundError `STORE_NOT_FOUND`
 * @throws StorageError `STORE_UNAVAILABLE`, `STORE_ACCESS`
 * @example
 * ```ts
 * import { collectGarbage } from 'quadrille';
 *
 * export async function nightly(): Promise<void> {
 *   const { packs, bytes } = await collectGarbage('postgres://quadrille@db.example/quadrille');
 *   console.log(`${String(packs)} packs, ${String(bytes)} bytes`);
 * }
 * ```
 * @since 0.1.0
 */
export async function collectGarbage(url: string, options: CollectGarbageOptions = {}): Promise<GarbageReport> {
  checkOptions(options, COLLECT_OPTIONS, 'collectGarbage');
  return platform.collectGarbage(url, options.olderThanMs ?? DAY_MS);
}
