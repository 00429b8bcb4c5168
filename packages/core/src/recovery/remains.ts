/** Reads a damaged storage value by value, because a range ends at the first unreadable value. */
import { CorruptionError, QuadrilleError, StorageError } from '@quadrille/model';
import type { Bytes, KeyRange, StorageEngine } from '@quadrille/storage';

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
