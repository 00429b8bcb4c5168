/** Copies the catalogue: accounts, prefixes, records of the server. */
import type { Bytes, StorageEngine } from '@quadrille/storage';
import { toJson } from '../format/byte-codec.js';
import { accountKey, nameIn, repositoryKey, storeEntryOp } from '../catalogue/catalogue.js';
import { accountOf } from '../catalogue/names.js';
import type { RepositoryRecord } from '../catalogue/repository-records.js';
import { afterPrefix, Area, areaKey } from '../format/layout.js';
import { BatchWriter } from '../keyspace/batch-writer.js';
import type { Keyspace } from '../keyspace/keyspace.js';
import type { Env } from '../runtime/env.js';
import { remnantsIn } from './remains.js';
import type { Problems } from './report.js';

const WHAT: Readonly<Record<number, string>> = {
  [Area.account]: 'the account',
  [Area.accountNamespace]: 'a prefix of the account',
  [Area.service]: 'the record of the server',
};

/** @param to any keyspace of the target storage. `next` is the number of the next repository, if it is known; `id` is that of the new store */
export async function copyCatalogue(
  from: StorageEngine,
  to: Keyspace,
  repositories: ReadonlyMap<string, RepositoryRecord>,
  { next = 1, id, env, problems }: { next: number | undefined; id: Uint8Array; env: Env; problems: Problems },
): Promise<void> {
  const batch = new BatchWriter(to);
  const free = Array.from(repositories.values(), ({ id }) => id + 1).reduce((a, b) => Math.max(a, b), next);
  batch.add([storeEntryOp(free, id)]);
  const accounts = new Set<string>();
  for (const area of [Area.account, Area.accountNamespace, Area.service]) {
    for await (const { key, value, problem } of remnantsIn(from, {
      gte: areaKey(area),
      lt: afterPrefix(areaKey(area)),
    })) {
      if (value !== undefined) {
        batch.put(key, value);
        if (area === Area.account) accounts.add(nameIn(key));
      } else if (problem !== undefined) problems.lost(problem, `${WHAT[area]} ${printable(key)}`);
      if (batch.full) await batch.send();
    }
  }
  const created = toJson({ created: new Date(env.now()).toISOString() });
  for (const [name, record] of repositories) {
    const account = accountOf(name);
    if (!accounts.has(account)) batch.put(accountKey(account), created);
    accounts.add(account);
    batch.put(repositoryKey(name), toJson(record));
    if (batch.full) await batch.send();
  }
  await batch.flush();
}

const printable = (key: Bytes): string => nameIn(key).replaceAll('\0', ' ');
