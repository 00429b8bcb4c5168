/** LevelDB's file `LOG`: the only place where it says that it dropped damaged records when it was opened. */

import { open } from 'node:fs/promises';
import { join } from 'node:path';

const MAX_LOG_BYTES = 1024 * 1024;
const LOSS = /dropping|ignoring error/i;

/** The lines about losses since LevelDB was last opened. Read right after opening: LevelDB begins a new file each time. */
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
    // Without the file there is nothing to warn of; the store itself is open.
    return [];
  }
}
