/**
 * The process that gets killed: opens the store in a directory and does the operations of a seed from a number on.
 * Every acknowledged one is told in the side file, with writeSync. It can also kill itself at a call that writes (kill-at-call.mjs).
 *
 * node kill-child.mjs <directory> <side file> <seed> <durable: 1 or 0> <leveldb or lmdb>
 *
 * It begins when its standard input says with which operation: to start Node takes longer than to work.
 */
import { killAtCall, plainWriteSync } from './kill-at-call.mjs';
import { openSync } from 'node:fs';
import { platformEnv, Store } from '../../packages/core/dist/index.js';
import { StorageEngine } from '../../packages/storage/dist/index.js';
import { perform, stateAt } from '../model/operations.mjs';
import { digestOf, operationsOf, REPOSITORY, TUNING } from './kill-operations.mjs';

const [directory, sideFile, seed, durable, backend] = process.argv.slice(2);
// Loading both takes a third of the time until it can begin.
const { LmdbDirectory, LevelDirectory } = await import(
  backend === 'lmdb' ? '../../packages/lmdb/dist/index.js' : '../../packages/storage-level/dist/index.js'
);
let first = 0;
for await (const line of process.stdin) {
  first = Number(line);
  break;
}
const side = openSync(sideFile, 'a');
const tell = (event) => plainWriteSync(side, `${JSON.stringify(event)}\n`);

tell({ event: 'opening' });
const options = { create: true, lockTimeoutMs: 2000 };
const driver =
  backend === 'lmdb'
    ? new LmdbDirectory(directory, { ...options, noSync: durable !== '1' })
    : new LevelDirectory(directory, {
        ...options,
        writeBufferBytes: 64 * 1024,
        // Mostly the journal is taken over all the time, too.
        ...(Number(seed) % 3 > 0 && { journal: { fileBytes: 4096, recordBytes: 1024 } }),
        // And blob files are made and collected.
        ...(Number(seed) % 4 > 0 && { blobs: { valueBytes: 60, batchBytes: 200, fileBytes: 8192 } }),
      });
const write = driver.write.bind(driver);
driver.write = async (ops, options) => {
  killAtCall();
  const outcome = await write(ops, options);
  killAtCall();
  return outcome;
};
const engine = await StorageEngine.open(driver);
const store = await Store.open(engine, { env: platformEnv(), tuning: TUNING, durable: durable === '1', cacheBytes: 1 });
const repository = await store.repository(REPOSITORY, true);
tell({ event: 'open', head: repository.head.number });

for (let index = first; ; index++) {
  const operation = operationsOf(Number(seed), index, repository.head.number);
  tell({ event: 'begin', index, kind: operation.kind });
  const revision = await perform(repository, operation, { message: `o${index}` }, `o${index}x`);
  // The digest is dear: the parent compares everything at the end anyway.
  const digest = index % 8 === 0 ? digestOf(await stateAt(repository, revision.number)) : undefined;
  tell({ event: 'done', index, number: revision.number, id: revision.id, digest });
}
