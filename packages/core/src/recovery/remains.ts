/** Reads a damaged storage value by value, because a range ends at the first unreadable value. */
import { CorruptionError, QuadrilleError, StorageError } from '@quadrille/model';
import {
  type Bytes,
  type KeyRange,
  type StorageEngine,
  type Damage,
  type KeySpan,
  compareBytes,
} from '@quadrille/storage';
import { Area, readU32, Tag } from '../format/layout.js';

/** A value, or the reason why it cannot be read, or neither if there is no value. */
export interface Remnant {
  readonly value?: Bytes;
  readonly problem?: QuadrilleError;
}

/** Whether an error means that data are damaged or that the disk cannot read them. */
export const isDamage = (error: unknown): error is QuadrilleError =>
  error instanceof CorruptionError || (error instanceof StorageError && error.code === 'STORAGE_IO');

/** The result of a function that reads, or the damage that it meets. */
export async function attempt<T>(read: () => Promise<T>): Promise<{ result: T } | { problem: QuadrilleError }> {
  try {
    return { result: await read() };
  } catch (error) {
    if (isDamage(error)) return { problem: error };
    throw error;
  }
}

export async function remnantOf(engine: StorageEngine, key: Bytes): Promise<Remnant> {
  const read = await attempt(async () => (engine.canGetSync ? engine.getSync(key) : engine.get(key)));
  if ('problem' in read) return read;
  return read.result === undefined ? {} : { value: read.result };
}

/** The keys of a range, as far as they can be read. */
export async function* keysIn(engine: StorageEngine, range: KeyRange): AsyncGenerator<Bytes> {
  for await (const chunk of engine.range(range, { read: 'keys' })) for (const { key } of chunk) yield key;
}

/** The entries of a range. An unreadable entry has a problem instead of its value. */
export async function* remnantsIn(
  engine: StorageEngine,
  range: KeyRange,
): AsyncGenerator<Remnant & { readonly key: Bytes }> {
  for await (const key of keysIn(engine, range)) yield { key, ...(await remnantOf(engine, key)) };
}

/** Whether keys in a span may be missing without a trace. */
export const mayMiss = (damages: readonly Damage[], { from, to }: KeySpan): boolean =>
  damages.some(({ missing }) => {
    if (missing === undefined || missing === 'anywhere') return missing !== undefined;
    return compareBytes(missing.from, to) <= 0 && compareBytes(from, missing.to) <= 0;
  });

/**
 * Whether data may be lost by a damage without another message. Gaps of the log and of the terms are found when they
 * are read. The rest of a repository is rebuilt, except its prefixes, tags, settings, remotes and signatures.
 */
export function losesUnseen({ missing }: Damage): boolean {
  if (missing === undefined || missing === 'anywhere') return missing !== undefined;
  const { from, to } = missing;
  if ((from[0] ?? 0) < Area.data) return true;
  if (from[0]! > Area.data) return false;
  // The span covers several repositories. Prefixes, tags, settings, remotes and signatures are near the end of the first one.
  if (to[0]! > Area.data || to.length < FIXED_BYTES || from.length < FIXED_BYTES || readU32(from, 1) !== readU32(to, 1))
    return (from[TAG_AT] ?? 0) <= Tag.signature;
  return from[TAG_AT]! <= Tag.signature && to[TAG_AT]! >= Tag.namespace;
}

/** Position of the tag in a key of a repository. */
const TAG_AT = 5;
const FIXED_BYTES = 6;
