/** The manifest of a repository: the list of its runs, and the revision up to which they are complete. */
import { ByteReader, ByteWriter } from '../format/byte-codec.js';
import type { RunEntry } from '../index/run/run.js';
import { readRunEntry, writeRunEntry } from '../index/run/run.js';

export interface Manifest {
  /** The small deltas up to this revision are in the runs. Opening replays the later ones from the log. */
  readonly flushed: number;
  /** Revision of the last checkpoint of the statistics. */
  readonly checkpoint: number;
  readonly nextRun: number;
  readonly runs: readonly RunEntry[];
}

const VERSION = 1;

export function encodeManifest(root: Manifest): Uint8Array {
  const writer = new ByteWriter().u8(VERSION).varint(root.flushed).varint(root.checkpoint).varint(root.nextRun);
  writer.varint(root.runs.length);
  for (const run of root.runs) writeRunEntry(writer, run);
  return writer.finish().slice();
}

export function decodeManifest(bytes: Uint8Array): Manifest {
  const reader = new ByteReader(bytes);
  reader.u8();
  const head = { flushed: reader.varint(), checkpoint: reader.varint(), nextRun: reader.varint() };
  const runs: RunEntry[] = [];
  for (let count = reader.varint(); count > 0; count--) runs.push(readRunEntry(reader));
  return { ...head, runs };
}
