/** The root of a repository's indexes: the runs that make them up, and up to which revision they hold the small deltas. */
import { ByteReader, ByteWriter } from '../format/byte-codec.js';
import type { RunEntry } from '../index/run/run.js';
import { readRunEntry, writeRunEntry } from '../index/run/run.js';

export interface Root {
  /** Small deltas of revisions up to this one are in the runs; those after it are replayed from the log at open. */
  readonly flushed: number;
  /** Revision of the last statistics checkpoint. */
  readonly checkpoint: number;
  readonly nextRun: number;
  readonly runs: readonly RunEntry[];
}

const VERSION = 1;

export function encodeRoot(root: Root): Uint8Array {
  const writer = new ByteWriter().u8(VERSION).varint(root.flushed).varint(root.checkpoint).varint(root.nextRun);
  writer.varint(root.runs.length);
  for (const run of root.runs) writeRunEntry(writer, run);
  return writer.finish().slice();
}

export function decodeRoot(bytes: Uint8Array): Root {
  const reader = new ByteReader(bytes);
  reader.u8();
  const head = { flushed: reader.varint(), checkpoint: reader.varint(), nextRun: reader.varint() };
  const runs: RunEntry[] = [];
  for (let count = reader.varint(); count > 0; count--) runs.push(readRunEntry(reader));
  return { ...head, runs };
}
