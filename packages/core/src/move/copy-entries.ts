/** Copies the entries of a repository as they are, under another number, in the same store or in another one. */
import type { Bytes } from '@quadrille/storage';
import { droppedOp, storeEntryOp } from '../catalogue/catalogue.js';
import type { Accounts } from '../catalogue/accounts.js';
import type { Catalogue } from '../catalogue/catalogue.js';
import type { FormatGate } from '../keyspace/format-gate.js';
import { repositoryNotFound } from '../catalogue/names.js';
import { putU32, Tag } from '../format/layout.js';
import { BatchWriter } from '../keyspace/batch-writer.js';
import type { Keyspace } from '../keyspace/keyspace.js';
import { Digest } from '../format/digest.js';
import type { Env } from '../runtime/env.js';
import { Pacer } from '../runtime/env.js';

/** Where the number of a repository ends in a key, and what follows is the same in every copy. */
const REST_AT = 5;

/** The parts of a store that copies of repositories need. */
export interface CopyParts {
  readonly catalogue: Catalogue;
  readonly accounts: Accounts;
  readonly format: FormatGate;
  keyspace(id: number, name: string): Keyspace;
  /** Deletes the data of a repository that its mark names. */
  discard(id: number): Promise<void>;
}

export interface CopyOptions {
  readonly env: Env;
  /** Throws if one of the stores is closed. */
  readonly check: () => void;
  readonly signal?: AbortSignal | undefined;
  /** Tags of entries that the copy does not get. */
  readonly without?: ReadonlySet<number> | undefined;
  /** Gets each entry that was copied. */
  readonly onEntry?: ((key: Bytes, value: Bytes) => void) | undefined;
}

/** A number whose data would be deleted at the next opening, until the mark of it is deleted. */
export function reserveNumber(catalogue: Catalogue): Promise<number> {
  return catalogue.change(async () => {
    const entry = await catalogue.entry();
    const id = entry?.nextRepository ?? 1;
    await catalogue.writeAlone([storeEntryOp(id + 1, entry?.id ?? catalogue.newStoreId()), droppedOp(id)]);
    return id;
  });
}

/** @throws NotFoundError `REPOSITORY_NOT_FOUND` if the repository was deleted meanwhile */
export async function copyEntries(
  from: Keyspace,
  to: Keyspace,
  { env, check, signal, without, onEntry }: CopyOptions,
): Promise<void> {
  const pacer = new Pacer(env, undefined, signal);
  const batch = new BatchWriter(to);
  let complete = false;
  // One range shows one state of the storage, and writers go on.
  for await (const chunk of from.engine.range(from.everything, { read: 'entries' })) {
    check();
    for (const { key, value } of chunk) {
      complete ||= key[REST_AT] === Tag.head;
      if (without?.has(key[REST_AT]!) === true) continue;
      onEntry?.(key, value);
      batch.put(movedKey(key, to.id), value);
      if (batch.full) await batch.send();
    }
    if (pacer.due()) await pacer.pause();
  }
  await batch.flush();
  // A small repository is copied within one turn, and may be aborted too.
  await pacer.pause();
  if (!complete) throw repositoryNotFound(from.name);
}

function movedKey(key: Bytes, id: number): Bytes {
  const moved = key.slice();
  putU32(moved, 1, id);
  return moved;
}

/** What entries are, whatever the number of their repository. They are added in the order of their keys. */
export class EntrySum {
  readonly #digest = new Digest();
  readonly #lengths = new DataView(new ArrayBuffer(8));
  entries = 0;
  /** Bytes of the values. */
  bytes = 0;

  readonly add = (key: Bytes, value: Bytes): void => {
    this.#lengths.setUint32(0, key.length);
    this.#lengths.setUint32(4, value.length);
    this.#digest.update(new Uint8Array(this.#lengths.buffer)).update(key.subarray(REST_AT)).update(value);
    this.entries++;
    this.bytes += value.length;
  };

  /** Call it once, at the end. */
  digest(): Uint8Array {
    return this.#digest.finish();
  }
}
