/** Reads LevelDB's file `LOG`, the only place where LevelDB reports the damaged records that it dropped at open. */

import { open } from 'node:fs/promises';
import { join } from 'node:path';

const MAX_LOG_BYTES = 1024 * 1024;
const LOSS = /dropping|ignoring error/i;

/**
 * The lines about losses at the last open. Call it right after opening, because LevelDB starts a new file each time.
 */
export async function readLevelWarnings(levelDirectory: string): Promise<string[]> {
  try {
    const file = await open(join(levelDirectory, 'LOG'), 'r');
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_LOG_BYTES), 0, MAX_LOG_BYTES, 0);
      return buffer
        .toString('utf8', 0, bytesRead)
        .split('\n')
        .filter((line) => LOSS.test(line));
    } finally {
      await file.close();
    }
  } catch {
    // Without the file there are no warnings, and the store can be used all the same.
    return [];
  }
}
