import type { Snapshot } from '../read/snapshot.js';
import { Pacer } from '../runtime/env.js';

/** The statistics of a snapshot for another thread. */
export async function encodedStatistics(snapshot: Snapshot): Promise<Uint8Array> {
  return (await snapshot.statistics()).encode(new Pacer(snapshot.timeline.env));
}
