/**
 * Erases a term and is killed at the n-th step from the moment on at which the erasure is in effect: at a write, at a call that changes
 * the folders, or while the copy of the database is being written. Prints the number of steps if it lives.
 *
 * node kill-child.mjs <directory> <leveldb or lmdb> <n; 0: never> <before or after> <IRI>
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { basename, join } from 'node:path';

const [directory, backend, n, when, term] = process.argv.slice(2);
let steps = 0;
let counting = false;

async function step(work) {
  const isLast = counting && ++steps === Number(n);
  if (isLast && when === 'before') process.kill(process.pid, 'SIGKILL');
  const result = await work();
  if (isLast) process.kill(process.pid, 'SIGKILL');
  return result;
}

// Only what concerns the store: other parts of Node.js use these calls, too.
const concerns = (path) => typeof path === 'string' && path.includes(basename(directory));
for (const name of ['rename', 'rm', 'mkdir', 'open', 'unlink', 'truncate']) {
  const original = fs.promises[name];
  fs.promises[name] = (path, ...rest) =>
    concerns(path) ? step(() => original.call(fs.promises, path, ...rest)) : original.call(fs.promises, path, ...rest);
}
syncBuiltinESMExports();
const immediate = globalThis.setImmediate;
globalThis.setImmediate = (call, ...rest) =>
  immediate(() => {
    // A chunk of the copy has been written.
    if (counting && ['level', 'lmdb'].some((name) => fs.existsSync(join(directory, `${name}.copy`)))) {
      void step(async () => call(...rest));
    } else call(...rest);
  });

const { iri, open } = await import('../../packages/quadrille/dist/index.js');
const { LevelDirectory } = await import('../../packages/storage-level/dist/index.js');
const { LmdbDirectory } = await import('../../packages/lmdb/dist/index.js');
const Driver = backend === 'lmdb' ? LmdbDirectory : LevelDirectory;
const driver = new Driver(directory, { blobs: { valueBytes: 100, batchBytes: 400 } });
const write = driver.write.bind(driver);
driver.write = (ops, how) => step(() => write(ops, how));
const db = await open({ storage: driver });
const repository = await db.repository('r');
counting = true;
await repository.maintenance.erase({ term: iri(term) }, { reason: 'asked for' });
counting = false;
await db.close();
console.log(steps);
