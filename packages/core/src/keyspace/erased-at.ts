/**
 * When data were erased from a repository. A revision from before an erasure may have other content since, so its
 * entity tag changes with each.
 */
import type { Bytes, WriteOp } from '@quadrille/storage';
import { ByteReader, ByteWriter } from '../format/byte-codec.js';
import { Tag } from '../format/layout.js';

/** First number of the key, which is apart from those of a plan. */
const TIMES = 3;
/** Times that are kept. Of earlier ones the number is enough. */
const MOST_TIMES = 4096;

/** The erasures of a repository, by their times. */
export interface ErasedAt {
  /** Number of erasures before those in `times`. */
  readonly before: number;
  /** Milliseconds since 1970, ascending: no revision from before the erasure has a later time. */
  readonly times: readonly number[];
}

/** The keys of a repository. */
interface Keys {
  key(tag: number, ...numbers: number[]): Bytes;
  get(tag: number, ...numbers: number[]): Promise<Bytes | undefined>;
}

export const NEVER_ERASED: ErasedAt = { before: 0, times: [] };

/**
 * A number that grows with each erasure after a revision of this time; 0 if there was none. It is the number of those
 * erasures, unless there were thousands.
 */
export function erasuresSince({ before, times }: ErasedAt, time: number): number {
  let later = 0;
  while (later < times.length && times[times.length - 1 - later]! >= time) later++;
  return later === 0 ? 0 : before + later;
}

/** The key of the times. */
export const erasedKey = (keyspace: Pick<Keys, 'key'>): Bytes => keyspace.key(Tag.erasure, TIMES);

/** The write that adds an erasure. */
export function erasedOp(keyspace: Keys, known: ErasedAt, time: number): WriteOp {
  const last = Math.max(time, known.times.at(-1) ?? 0);
  const times = [...known.times, last].slice(-MOST_TIMES);
  const before = known.before + known.times.length + 1 - times.length;
  const writer = new ByteWriter(32 + times.length * 8).u8(1).varint(before).varint(times.length);
  for (const each of times) writer.f64(each);
  return { type: 'put', key: erasedKey(keyspace), value: writer.finish().slice() };
}

export async function readErasedAt(keyspace: Keys): Promise<ErasedAt> {
  const value = await keyspace.get(Tag.erasure, TIMES);
  return value === undefined ? NEVER_ERASED : decodeErasedAt(value);
}

function decodeErasedAt(value: Bytes): ErasedAt {
  const reader = new ByteReader(value);
  reader.u8();
  const before = reader.varint();
  return { before, times: Array.from({ length: reader.varint() }, () => reader.f64()) };
}
