/** Replacing the root of a log, and the checkpoint in it. */

import type { LogReader } from './log-reader.js';
import { encodeRoot, type Checkpoint, type RootRecord } from './root-record.js';

/** Replaces the root that the reader knows. False if it has changed; then the reader knows the new one. */
export async function replaceRoot(reader: LogReader, root: RootRecord): Promise<boolean> {
  const { driver, log, rootVersion } = reader;
  const outcome = await driver.casRoot(log, encodeRoot(root), rootVersion);
  if (outcome === 'ok') {
    reader.replacedRoot(root);
    return true;
  }
  await reader.readRoot();
  return outcome === 'unknown' && JSON.stringify(reader.root) === JSON.stringify(root);
}

/**
 * Lets the log begin with a checkpoint, so that nobody needs the entries that it covers. Any server may do so, because a
 * checkpoint says nothing that the log does not.
 * @returns false if there is one that covers as much already
 */
export async function replaceCheckpoint(reader: LogReader, checkpoint: Checkpoint): Promise<boolean> {
  for (;;) {
    const { root } = reader;
    if ((root.checkpoint?.position ?? 0) >= checkpoint.position) return false;
    if (await replaceRoot(reader, { ...root, checkpoint })) return true;
  }
}
