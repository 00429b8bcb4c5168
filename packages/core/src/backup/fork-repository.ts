/**
 * Copies a repository with its whole history under another name. Its entries are copied as they are, under a new number. So
 * ids, times and numbers of revisions stay, and nothing is shared: damage of one copy does not reach the other.
 */
import { ConflictError, EvaluationError } from '@quadrille/model';
import { toJson } from '../format/byte-codec.js';
import { droppedKey, repositoryKey } from '../catalogue/catalogue.js';
import { accountOf, withoutAccount } from '../catalogue/names.js';
import type { RepositoryRecord } from '../catalogue/repository-records.js';
import type { Ref } from '../timeline/refs.js';
import { copyEntries, type CopyParts, reserveNumber } from '../move/copy-entries.js';
import { Tag } from '../format/layout.js';
import { cutRepository } from '../rewrite/cut.js';

export interface ForkOptions {
  /** The last revision of the copy's `main`. */
  readonly at?: Ref | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The store that gets the copy. It does not get the remotes, whose addresses may have passwords. Default: the same store. */
  readonly into?: CopyParts | undefined;
}

const PRIVATE: ReadonlySet<number> = new Set([Tag.remote]);

/**
 * The caller holds the name of the target. A crash leaves a mark, so that the next opening of the store deletes what was copied.
 * @throws ConflictError `ALREADY_EXISTS`
 */
export async function forkRepository(
  parts: CopyParts,
  source: { readonly name: string; readonly record: RepositoryRecord },
  target: string,
  { at, signal, into = parts }: ForkOptions,
): Promise<void> {
  const { catalogue, format } = into;
  if ((await catalogue.engine.get(repositoryKey(target))) !== undefined)
    throw new ConflictError('ALREADY_EXISTS', `there is a repository ${target} already: choose another name`, {
      details: { repository: target },
    });
  await format.raise();
  const id = await reserveNumber(catalogue);
  try {
    const from = parts.keyspace(source.record.id, source.name);
    const to = into.keyspace(id, target);
    const check = (): void => {
      parts.catalogue.check();
      catalogue.check();
    };
    const without = into === parts ? undefined : PRIVATE;
    await copyEntries(from, to, { env: catalogue.env, check, signal, without });
    if (at !== undefined) await cutRepository(catalogue.engine, { id, name: target }, catalogue.env, at);
    catalogue.check();
    await publish(into, source.record, id, target);
  } catch (error) {
    await into.discard(id).catch(() => undefined);
    if (signal?.aborted === true && error === signal.reason)
      throw new EvaluationError('ABORTED', 'the caller aborted the fork; nothing of it was kept', { cause: error });
    throw error;
  }
}

// One write shows the copy.
function publish(
  { catalogue, accounts }: CopyParts,
  { summary, description, homepage }: RepositoryRecord,
  id: number,
  target: string,
): Promise<void> {
  return catalogue.change(async () => {
    const created = new Date(catalogue.env.now()).toISOString();
    const record = { name: withoutAccount(target), summary, description, homepage, id, created };
    await catalogue.writeAlone([
      ...(await accounts.creation(accountOf(target))),
      { type: 'put', key: repositoryKey(target), value: toJson(record) },
      { type: 'delete', key: droppedKey(id) },
    ]);
  });
}
