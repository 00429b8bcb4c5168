/**
 * The end of a copy that is published: what a new store makes of its own becomes what the copied store has. So the same repositories
 * make the same entries, whenever they are copied.
 */
import type { WriteOp } from '@quadrille/storage';
import { accountKey, accountNamespaceHead, repositoryKey, storeEntryOp } from '../catalogue/catalogue.js';
import { accountOf } from '../catalogue/names.js';
import { fromJson, toJson } from '../format/byte-codec.js';
import { afterPrefix, Tag } from '../format/layout.js';
import type { CopyParts } from '../move/copy-entries.js';

/** Call it when nothing else will be written to the copy. */
export async function settleCopy(from: CopyParts, to: CopyParts, names: readonly string[]): Promise<void> {
  const entry = await to.catalogue.entry();
  const id = (await from.catalogue.entry())?.id ?? entry!.id!;
  const ops: WriteOp[] = [storeEntryOp(entry!.nextRepository, id)];
  for (const account of new Set(names.map(accountOf))) ops.push(...(await accountOps(from, account)));
  for (const name of names) ops.push(...(await repositoryOps(from, to, name)));
  await to.catalogue.writeAlone(ops);
}

async function accountOps({ catalogue: { engine } }: CopyParts, account: string): Promise<WriteOp[]> {
  const head = accountNamespaceHead(account);
  const range = { gte: head, lt: afterPrefix(head) };
  const ops: WriteOp[] = [{ type: 'deleteRange', ...range }];
  const value = await engine.get(accountKey(account));
  if (value !== undefined) ops.push({ type: 'put', key: accountKey(account), value });
  for await (const chunk of engine.range(range, { read: 'entries' }))
    for (const { key, value } of chunk) ops.push({ type: 'put', key, value });
  return ops;
}

async function repositoryOps(from: CopyParts, to: CopyParts, name: string): Promise<WriteOp[]> {
  const key = repositoryKey(name);
  const [theirs, ours] = await Promise.all([from, to].map(({ catalogue }) => catalogue.engine.get(key)));
  const record = fromJson(ours!) as { id: number };
  const { created } = fromJson(theirs!) as { created: string };
  return [
    { type: 'put', key, value: toJson({ ...record, created }) },
    // It says that entries were changed, which nobody has read.
    { type: 'delete', key: to.keyspace(record.id, name).key(Tag.rewritten) },
  ];
}
