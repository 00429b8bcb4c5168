/** Where campaigns keep what they throw away. */
import { mkdtempSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const IN_MEMORY = '/dev/shm';
const ENOUGH_BYTES = 2 ** 30;

/** A new folder, in memory where the machine has a file system there with enough room: what a killed process wrote is in memory anyway. */
export function scratchFolder(): string {
  return mkdtempSync(join(hasMemory() ? IN_MEMORY : tmpdir(), 'quadrille-campaign-'));
}

function hasMemory(): boolean {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    return bavail * bsize >= ENOUGH_BYTES;
  } catch {
    return false;
  }
}
