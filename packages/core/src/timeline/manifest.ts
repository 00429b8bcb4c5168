/**
 * The manifest of a repository: the list of its runs, and the revision up to which they are complete. A list that does not fit into one
 * value goes on in others.
 */
import type { Bytes, WriteOp } from '@quadrille/storage';
import { ByteReader, ByteWriter, joinBytes } from '../format/byte-codec.js';
import { PART_BYTES, Tag } from '../format/layout.js';
import type { RunEntry } from '../index/run/run.js';
import { readRunEntry, writeRunEntry } from '../index/run/run.js';
import type { Keyspace } from '../keyspace/keyspace.js';

/** What the first value of a manifest has. */
export interface ManifestHead {
  /** The small deltas up to this revision are in the runs. Opening replays the later ones from the log. */
  readonly flushed: number;
  /** Revision of the last checkpoint of the statistics. */
  readonly checkpoint: number;
  readonly nextRun: number;
}

export interface Manifest extends ManifestHead {
  readonly runs: readonly RunEntry[];
}

const VERSION = 1;
/** Of a manifest in several values; it has their number. */
const IN_PARTS = 2;

/** The whole manifest, of any length. */
export function encodeManifest(root: Manifest): Uint8Array {
  const runs = new ByteWriter().varint(root.runs.length);
  for (const run of root.runs) writeRunEntry(runs, run);
  const list = runs.finish();
  const small = head(VERSION, root).bytes(list).finish();
  if (small.length <= PART_BYTES) return small.slice();
  const parts = Math.ceil((small.length + PARTS_BYTES) / PART_BYTES);
  return head(IN_PARTS, root).u32(parts).bytes(list).finish().slice();
}

const PARTS_BYTES = 4;

const head = (version: number, { flushed, checkpoint, nextRun }: ManifestHead): ByteWriter =>
  new ByteWriter().u8(version).varint(flushed).varint(checkpoint).varint(nextRun);

/** Reads the first value of a manifest. `parts` is the number of values. */
export function decodeManifestHead(bytes: Uint8Array): ManifestHead & { readonly parts: number } {
  return readManifestHead(new ByteReader(bytes));
}

function readManifestHead(reader: ByteReader): ManifestHead & { readonly parts: number } {
  const version = reader.u8();
  const known = { flushed: reader.varint(), checkpoint: reader.varint(), nextRun: reader.varint() };
  return { ...known, parts: version === IN_PARTS ? reader.u32() : 1 };
}

export function decodeManifest(bytes: Uint8Array): Manifest {
  const reader = new ByteReader(bytes);
  const { flushed, checkpoint, nextRun } = readManifestHead(reader);
  const runs: RunEntry[] = [];
  for (let count = reader.varint(); count > 0; count--) runs.push(readRunEntry(reader));
  return { flushed, checkpoint, nextRun, runs };
}

/** Reads a manifest of any number of values. @throws CorruptionError if one is missing */
export async function readManifest(keyspace: Keyspace): Promise<Manifest & { readonly manifestParts: number }> {
  const first = await keyspace.get(Tag.root);
  if (first === undefined) throw keyspace.missing('the root');
  const { parts } = decodeManifestHead(first);
  const values = [first];
  for (let part = 1; part < parts; part++) {
    const value = await keyspace.getKey(partKey(keyspace, part));
    if (value === undefined) throw keyspace.missing(`part ${part} of the root`);
    values.push(value);
  }
  return { ...decodeManifest(parts === 1 ? first : joinBytes(values)), manifestParts: parts };
}

/** The writes of a manifest. `before` is the number of values of the one that it replaces. */
export function manifestOps(keyspace: Keyspace, root: Manifest, before = 1): WriteOp[] {
  const ops = keyspace.putParts(encodeManifest(root), (part) => partKey(keyspace, part));
  if (ops.length < before)
    ops.push({ type: 'deleteRange', gte: partKey(keyspace, Math.max(1, ops.length)), lt: partKey(keyspace, before) });
  return ops;
}

const partKey = (keyspace: Keyspace, part: number): Bytes =>
  part === 0 ? keyspace.key(Tag.root) : keyspace.key(Tag.root, part);
