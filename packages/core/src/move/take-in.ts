/** The second step of a move: the other store gets a copy, which nobody sees yet, and which is compared with the repository. */
import { CorruptionError } from '@quadrille/model';
import type { Bytes } from '@quadrille/storage';
import { copyEntries, EntrySum, reserveNumber } from './copy-entries.js';
import { lineKey, readU32, Tag } from '../format/layout.js';
import { equalBytes } from '../format/byte-codec.js';
import type { Keyspace } from '../keyspace/keyspace.js';
import { Digest, loadDigest } from '../format/digest.js';
import { Pacer } from '../runtime/env.js';
import type { MovingStore } from './freeze.js';

/** A copy that the other store does not show yet. If the process ends, the next opening of that store deletes it. */
export interface HiddenCopy {
  /** Its number in the other store. */
  readonly id: number;
  /** Number of its entries. */
  readonly entries: number;
  /** Bytes of its values. */
  readonly bytes: number;
}

export interface TakeInOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((copied: { readonly entries: number; readonly bytes: number }) => void) | undefined;
}

/**
 * Copies a frozen repository, and reads the copy again to compare it.
 * @throws CorruptionError `CHECKSUM` if the copy differs; the reason of the signal. Nothing of it is kept then
 */
export async function takeIn(
  from: MovingStore,
  to: MovingStore,
  { name, id: number }: { readonly name: string; readonly id: number },
  { signal, onProgress }: TakeInOptions,
): Promise<HiddenCopy> {
  await loadDigest();
  const { catalogue, format, keyspace, discard } = to.parts;
  const { env } = catalogue;
  await format.raise();
  const id = await reserveNumber(catalogue);
  try {
    const copied = new EntrySum();
    const onEntry = (key: Bytes, value: Bytes): void => {
      copied.add(key, value);
      if (copied.entries % REPORTED === 0) onProgress?.(copied);
    };
    const check = (): void => {
      from.parts.catalogue.check();
      catalogue.check();
    };
    const [copy, original] = [keyspace(id, name), from.parts.keyspace(number, name)];
    await copyEntries(original, copy, { env, check, signal, onEntry });
    // The original is read again too: what it lacked at the first time would be lost.
    const sums = await Promise.all([copy, original].map((each) => sumOf(each, new Pacer(env, undefined, signal))));
    const digest = copied.digest();
    if (!sums.every((sum) => equalBytes(sum.digest(), digest))) throw differs(name);
    onProgress?.(copied);
    return { id, entries: copied.entries, bytes: copied.bytes };
  } catch (error) {
    await discard(id).catch(() => undefined);
    throw error;
  }
}

/** Entries between two reports. */
const REPORTED = 256;

async function sumOf(keyspace: Keyspace, pacer: Pacer): Promise<EntrySum> {
  const sum = new EntrySum();
  for await (const chunk of keyspace.engine.range(keyspace.everything, { read: 'entries' })) {
    for (const { key, value } of chunk) sum.add(key, value);
    if (pacer.due()) await pacer.pause();
  }
  return sum;
}

/** What a commit or a change of names or settings changes, and maintenance does not. */
const STATE = [
  Tag.head,
  Tag.namespace,
  Tag.tag,
  Tag.branch,
  Tag.line,
  Tag.settings,
  Tag.remote,
  Tag.patch,
  Tag.trimmed,
  Tag.rewritten,
] as const;

/**
 * Compares a copy with the repository as it is now. A server of a version that does not know moves may have written to it.
 * @throws CorruptionError `CHECKSUM` if it has changed
 */
export async function assertUnchanged(
  from: MovingStore,
  to: MovingStore,
  { name, id }: { readonly name: string; readonly id: number },
  copy: HiddenCopy,
): Promise<void> {
  const [theirs, ours] = await Promise.all([
    stateOf(from.parts.keyspace(id, name)),
    stateOf(to.parts.keyspace(copy.id, name)),
  ]);
  if (!equalBytes(theirs, ours)) throw differs(name);
}

async function stateOf(keyspace: Keyspace): Promise<Uint8Array> {
  const digest = new Digest();
  const add = (rest: Bytes, value: Bytes | undefined): void => {
    digest.update(new Uint8Array([rest.length, ...rest]));
    if (value !== undefined) digest.update(value);
  };
  const lines: number[] = [];
  for (const tag of STATE) {
    digest.update(new Uint8Array([tag]));
    for await (const { rest, value } of keyspace.entries(tag)) {
      add(rest, value);
      if (tag === Tag.line) lines.push(readU32(rest, 0));
    }
  }
  for (const line of lines) {
    const key = lineKey(keyspace.id, line, Tag.head);
    add(key.subarray(keyspace.tagEnd), await keyspace.getKey(key));
  }
  return digest.finish();
}

const differs = (name: string): CorruptionError =>
  new CorruptionError('CHECKSUM', `repository ${name}: the copy in the other store differs, and was not kept`, {
    details: { repository: name },
  });
