/**
 * How much may be written to the file system of a store. The last few megabytes are kept for batches that give space back:
 * else nobody could delete on a full disk what a failed load has left there.
 */

import { statfsSync } from 'node:fs';

const MB = 1024 * 1024;
/** Kept: so many bytes … */
const RESERVE_BYTES = 4 * MB;
/** … and of a small file system no more than this share. */
const RESERVE_SHARE = 1 / 16;

/** Whether there is room for so many bytes beside what is kept. */
export type HasRoom = (bytes: number) => boolean;

/** @param inside bytes inside of the backend's own files, to which it writes before they grow */
export function roomIn(path: string, inside: () => number = () => 0): HasRoom {
  return (bytes) => {
    const space = spaceOf(path);
    if (space === undefined) return true;
    const reserve = Math.min(RESERVE_BYTES, space.total * RESERVE_SHARE);
    // What stands inside is asked for only where it matters.
    return space.free - reserve >= bytes || space.free + inside() - reserve >= bytes;
  };
}

/** Undefined where the file system does not say. */
function spaceOf(path: string): { total: number; free: number } | undefined {
  try {
    const { bsize, blocks, bavail } = statfsSync(path);
    return blocks === 0 ? undefined : { total: blocks * bsize, free: bavail * bsize };
  } catch {
    return undefined;
  }
}
