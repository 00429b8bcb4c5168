/** The stored records of branches and lines: their names, their first revisions, and the revisions on them. */
import { ByteReader, ByteWriter } from '../format/byte-codec.js';
import { readU32, Tag } from '../format/layout.js';
import type { Keyspace } from '../keyspace/keyspace.js';
import { LineKeyspace } from '../keyspace/line-keyspace.js';
import { readRecord } from '../revision/log.js';
import { decodeHead } from '../revision/record.js';

/** Number of the line `main`, which has no record. */
export const MAIN_LINE = 0;
/** Name of the branch that every repository has. */
export const MAIN = 'main';

const VERSION = 1;

/** The value of a branch's name. */
export interface BranchRecord {
  readonly line: number;
  /** Milliseconds since 1970. */
  readonly created: number;
}

export const encodeBranch = ({ line, created }: BranchRecord): Uint8Array =>
  new ByteWriter(16).u8(VERSION).u32(line).f64(created).finish().slice();

export function decodeBranch(bytes: Uint8Array): BranchRecord {
  const reader = new ByteReader(bytes);
  reader.u8();
  return { line: reader.u32(), created: reader.f64() };
}

/** Where a line begins. */
export interface LineRecord {
  /** The line on which it begins. */
  readonly base: number;
  /** The last revision of the base that belongs to it. */
  readonly fork: number;
  /** Id of that revision, 16 bytes. */
  readonly forkId: Uint8Array;
  /** Whether the line has the quads of its base in runs of its own. Not written yet. */
  readonly materialised: boolean;
}

export const encodeLine = ({ base, fork, forkId, materialised }: LineRecord): Uint8Array =>
  new ByteWriter(32)
    .u8(VERSION)
    .u32(base)
    .u32(fork)
    .bytes(forkId)
    .u8(materialised ? 1 : 0)
    .finish()
    .slice();

export function decodeLine(bytes: Uint8Array): LineRecord {
  const reader = new ByteReader(bytes);
  reader.u8();
  return {
    base: reader.u32(),
    fork: reader.u32(),
    forkId: reader.bytes(16).slice(),
    materialised: reader.u8() === 1,
  };
}

/** A revision by its line and number. */
export interface LinePosition {
  readonly line: number;
  readonly number: number;
}

/** The lines that a revision is on: pairs of line and number. */
export function decodePositions(bytes: Uint8Array): LinePosition[] {
  const reader = new ByteReader(bytes);
  const positions: LinePosition[] = [];
  for (let left = bytes.length / 8; left > 0; left--) positions.push({ line: reader.u32(), number: reader.u32() });
  return positions;
}

/** Number of lines whose heads are read together. */
const AT_ONCE = 256;

/** Lowest id of a term that no revision of a line other than `main` uses. */
export async function termMarkOfLines(keyspace: Keyspace): Promise<number> {
  const lines: LineKeyspace[] = [];
  // Their bases do not matter: only their own keys are read.
  for await (const { rest, value } of keyspace.entries(Tag.line))
    lines.push(new LineKeyspace(keyspace, keyspace, readU32(rest, 0), decodeLine(value).fork));
  let mark = 0;
  for (let at = 0; at < lines.length; at += AT_ONCE) {
    const some = lines.slice(at, at + AT_ONCE);
    const heads = await keyspace.engine.getMany(some.map((line) => line.key(Tag.head)));
    const numbers = heads.map((head) => (head === undefined ? 0 : decodeHead(head).number));
    const committed = some.flatMap((line, i) => (numbers[i]! > line.fork ? [{ line, number: numbers[i]! }] : []));
    for (const { line, number } of committed) mark = Math.max(mark, (await readRecord(line, number)).termMark);
  }
  return mark;
}
