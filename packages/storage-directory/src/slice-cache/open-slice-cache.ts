/** Opens the cache of a shared store on the local disk. */

import type { DiskCache } from './disk-cache.js';

/**
 * Opens a cache of parts of packs in a folder of its own, and makes the folder if it is not there.
 * @param bytes its largest size, in bytes
 * @throws StateError `STORE_LOCKED` if another process has the folder
 */
export async function openSliceCache(directory: string, bytes: number): Promise<DiskCache> {
  // Few programs need it.
  const { DiskCache } = await import('./disk-cache.js');
  return DiskCache.open(directory, bytes);
}
