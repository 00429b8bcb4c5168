/**
 * Copies a repository with its whole history under another name. Its entries are copied as they are, under a new number. So
 * ids, times and numbers of revisions stay, and nothing is shared: damage of one copy does not reach the other.
 */
import { ConflictError, EvaluationError } from '@quadrille/model';
import type { Bytes } from '@quadrille/storage';
import type { Accounts } from '../catalogue/accounts.js';
import { droppedKey, repositoryKey, storeEntryOp, toJson } from '../catalogue/catalogue.js';
import type { Catalogue } from '../catalogue/catalogue.js';
import { accountOf, repositoryNotFound, withoutAccount } from '../catalogue/names.js';
import type { RepositoryRecord } from '../catalogue/repository-records.js';
import { putU32, Tag } from '../format/layout.js';
import { BatchWriter } from '../keyspace/batch-writer.js';
import type { FormatGate } from '../keyspace/format-gate.js';
import type { Keyspace } from '../keyspace/keyspace.js';
import { Pacer } from '../runtime/env.js';
import type { Ref } from '../revision/refs.js';
import { cutRepository } from './cut-repositories.js';

/** The parts of a store that a fork needs. */
export interface ForkParts {
  readonly catalogue: Catalogue;
  readonly accounts: Accounts;
  readonly format: FormatGate;
  keyspace(id: number, name: string): Keyspace;
  /** Deletes the data of a repository that its mark names. */
  discard(id: number): Promise<void>;
}

export interface ForkOptions {
  /** The last revision of the copy's `main`. */
  readonly at?: Ref | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The caller holds the name of the target. A crash leaves a mark, so that the next opening of the store deletes what was copied.
 * @throws ConflictError `ALREADY_EXISTS`
 */
export async function forkRepository(
  parts: ForkParts,
  source: { readonly name: string; readonly record: RepositoryRecord },
  target: string,
  { at, signal }: ForkOptions,
): Promise<void> {
  const { catalogue, format } = parts;
  if ((await catalogue.engine.get(repositoryKey(target))) !== undefined)
    throw new ConflictError('ALREADY_EXISTS', `there is a repository ${target} already: choose another name`, {
      details: { repository: target },
    });
  await format.raise();
  const id = await reserve(catalogue);
  try {
    const from = parts.keyspace(source.record.id, source.name);
    const to = parts.keyspace(id, target);
    await copyEntries(from, to, catalogue, signal);
    if (at !== undefined) await cutRepository(catalogue.engine, { id, name: target }, catalogue.env, at);
    catalogue.check();
    await publish(parts, source.record, id, target);
  } catch (error) {
    await parts.discard(id).catch(() => undefined);
    if (signal?.aborted === true && error === signal.reason)
      throw new EvaluationError('ABORTED', 'the caller aborted the fork; nothing of it was kept', { cause: error });
    throw error;
  }
}

// A number whose data would be deleted at the next opening.
function reserve(catalogue: Catalogue): Promise<number> {
  return catalogue.lock.run(async () => {
    const entry = await catalogue.entry();
    const id = entry?.nextRepository ?? 1;
    await catalogue.writeAlone([
      storeEntryOp(id + 1, entry?.id ?? catalogue.newStoreId()),
      { type: 'put', key: droppedKey(id), value: new Uint8Array(0) },
    ]);
    return id;
  });
}

async function copyEntries(
  from: Keyspace,
  to: Keyspace,
  catalogue: Catalogue,
  signal: AbortSignal | undefined,
): Promise<void> {
  const pacer = new Pacer(catalogue.env, undefined, signal);
  const batch = new BatchWriter(to);
  let complete = false;
  // One range shows one state of the storage, and writers go on.
  for await (const chunk of from.engine.range(from.everything, { read: 'entries' })) {
    catalogue.check();
    for (const { key, value } of chunk) {
      complete ||= key[5] === Tag.head;
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

// One write shows the copy.
function publish(
  { catalogue, accounts }: ForkParts,
  { summary, description, homepage }: RepositoryRecord,
  id: number,
  target: string,
): Promise<void> {
  return catalogue.lock.run(async () => {
    const created = new Date(catalogue.env.now()).toISOString();
    const record = { name: withoutAccount(target), summary, description, homepage, id, created };
    await catalogue.writeAlone([
      ...(await accounts.creation(accountOf(target))),
      { type: 'put', key: repositoryKey(target), value: toJson(record) },
      { type: 'delete', key: droppedKey(id) },
    ]);
  });
}
