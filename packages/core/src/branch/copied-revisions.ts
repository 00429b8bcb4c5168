/**
 * Revisions that a line has taken over from another one, by a fast-forward. They have the same numbers on both lines, so
 * ranges of numbers tell where they were made.
 */
import { ByteReader, ByteWriter } from '../format/byte-codec.js';
import type { Bytes, WriteOp } from '@quadrille/storage';
import { readU32, Tag } from '../format/layout.js';
import { LineKeyspace, revisionIdKey } from '../keyspace/line-keyspace.js';
import type { Keyspace } from '../keyspace/keyspace.js';
import type { LinePosition } from '../timeline/line-record.js';
import { decodePositions, MAIN_LINE } from '../timeline/line-record.js';
import { readRecord } from '../revision/log.js';
import { TrimmedNumbers } from '../revision/trimmed-numbers.js';

const VERSION = 1;

/** Revisions of a line, from one number to another, that were made on another line. */
export interface CopiedRange {
  readonly first: number;
  readonly last: number;
  /** The number of the line on which they were made. */
  readonly origin: number;
}

export function encodeCopied({ last, origin }: CopiedRange): Bytes {
  return new ByteWriter(16).u8(VERSION).u32(last).u32(origin).finish().slice();
}

/** The ranges of a line, in the order of their numbers. */
export async function copiedRanges(keyspace: Keyspace): Promise<CopiedRange[]> {
  const found: CopiedRange[] = [];
  for await (const { rest, value } of keyspace.entries(Tag.copied)) {
    const reader = new ByteReader(value);
    reader.u8();
    found.push({ first: readU32(rest, 0), last: reader.u32(), origin: reader.u32() });
  }
  return found;
}

/** The lines that have each of the revisions; none for those that only `main` has. */
export async function positionsOf(keyspace: Keyspace, ids: readonly Uint8Array[]): Promise<LinePosition[][]> {
  const stored = await keyspace.engine.getMany(ids.map((id) => revisionIdKey(keyspace, id)));
  keyspace.check();
  return stored.map((value) => (value === undefined ? [] : decodePositions(value)));
}

/** The entry of a revision in the index of ids. The line on which it was made is first. */
export function positionsOp(keyspace: Keyspace, id: Uint8Array, positions: readonly LinePosition[]): WriteOp {
  const key = revisionIdKey(keyspace, id);
  if (positions.length === 0) return { type: 'delete', key };
  const writer = new ByteWriter(8 * positions.length);
  for (const { line, number } of positions) writer.u32(line).u32(number);
  return { type: 'put', key, value: writer.finish().slice() };
}

/** A revision that a line takes over. */
export interface TakenRevision {
  readonly id: Uint8Array;
  readonly number: number;
  /** The first number that it stands for: its own, unless it is a squash. */
  readonly first: number;
  /** The line that has made it, if the index of ids does not know the revision. */
  readonly maker: number;
}

/**
 * The writes of the index of ids for revisions that a line takes over. Adds them to the last of the ranges, or begins others. The caller
 * holds the write lock: entries of the index grow by turns.
 */
export async function takeOver(
  keyspace: Keyspace,
  line: number,
  revisions: readonly TakenRevision[],
  ranges: CopiedRange[],
): Promise<WriteOp[]> {
  const known = await positionsOf(
    keyspace,
    revisions.map(({ id }) => id),
  );
  return revisions.map(({ id, number, first, maker }, i) => {
    const places = known[i]!.length > 0 ? known[i]! : [{ line: maker, number }];
    const origin = places[0]!.line;
    const last = ranges.at(-1);
    if (last?.last === first - 1 && last.origin === origin) ranges[ranges.length - 1] = { ...last, last: number };
    else ranges.push({ first, last: number, origin });
    return positionsOp(keyspace, id, [...places, { line, number }]);
  });
}

/** The write of a range. */
export const rangeOp = (keyspace: Keyspace, range: CopiedRange): WriteOp => ({
  type: 'put',
  key: keyspace.key(Tag.copied, range.first),
  value: encodeCopied(range),
});

/** The id of a revision of a line; `undefined` for a removed one of which nothing is known. */
export async function idAt(keyspace: Keyspace, number: number): Promise<Uint8Array | undefined> {
  const trimmed = await TrimmedNumbers.at(keyspace, number);
  const revision = trimmed.has(number) ? await trimmed.find(number) : await readRecord(keyspace, number);
  return revision?.id;
}

/** Entries that are written together. */
const AT_ONCE = 1024;

/** The last revision of each line that there is. */
type Ends = ReadonlyMap<number, number>;

/** Forgets copies and places of revisions that are gone. */
export async function clipCopies(root: Keyspace, ends: Ends): Promise<void> {
  let ops: WriteOp[] = [];
  const write = async (): Promise<void> => {
    if (ops.length > 0) await root.writeAlone(ops);
    ops = [];
  };
  for (const line of ends.keys()) {
    const keyspace = line === MAIN_LINE ? root : new LineKeyspace(root, root, line, 0);
    for (const range of await copiedRanges(keyspace)) ops.push(...clippedRange(keyspace, range, line, ends));
  }
  for await (const { rest, value } of root.entries(Tag.revisionId)) {
    const positions = decodePositions(value);
    const kept = positions.filter(({ line, number }) => number <= (ends.get(line) ?? 0));
    if (kept.length < positions.length) ops.push(positionsOp(root, rest, kept));
    if (ops.length >= AT_ONCE) await write();
  }
  await write();
}

function clippedRange(keyspace: Keyspace, range: CopiedRange, line: number, ends: Ends): WriteOp[] {
  const last = Math.min(range.last, ends.get(line)!, ends.get(range.origin) ?? 0);
  const key = keyspace.key(Tag.copied, range.first);
  if (last < range.first) return [{ type: 'delete', key }];
  return last === range.last ? [] : [rangeOp(keyspace, { ...range, last })];
}
