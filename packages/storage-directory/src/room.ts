/**
 * Checks how much may be written to the file system of a store. The last few megabytes are reserved for batches that
 * free space. Otherwise nobody could delete what a failed load has left on a full disk.
 */

import { statfsSync } from 'node:fs';

const MB = 1024 * 1024;
/** Reserved bytes. */
const RESERVE_BYTES = 4 * MB;
/** Largest reserved share of a small file system. */
const RESERVE_SHARE = 1 / 16;

/** Whether there is room for this many bytes in addition to the reserve. */
export type HasRoom = (bytes: number) => boolean;

/** @param inside returns the free bytes inside the backend's files, which it fills before they grow */
export function roomIn(path: string, inside: () => number = () => 0): HasRoom {
  return (bytes) => {
    const space = spaceOf(path);
    if (space === undefined) return true;
    const reserve = Math.min(RESERVE_BYTES, space.total * RESERVE_SHARE);
    // Calls inside() only if its result can make a difference.
    return space.free - reserve >= bytes || space.free + inside() - reserve >= bytes;
  };
}

/** Returns undefined if the file system does not report its size. */
function spaceOf(path: string): { total: number; free: number } | undefined {
  try {
    const { bsize, blocks, bavail } = statfsSync(path);
    return blocks === 0 ? undefined : { total: blocks * bsize, free: bavail * bsize };
  } catch {
    return undefined;
  }
}
