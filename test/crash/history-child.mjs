/**
 * Imports a history file and is killed at its n-th write: before it, or after it was made.
 *
 * node history-child.mjs <directory> <file> <leveldb or lmdb> <n> <before or after>
 */
import { open } from '../../packages/quadrille/dist/index.js';
import { LevelDirectory } from '../../packages/storage-level/dist/index.js';
import { LmdbDirectory } from '../../packages/storage-lmdb/dist/index.js';

const [directory, file, backend, n, when] = process.argv.slice(2);
const options = { create: true, lockTimeoutMs: 5000 };
const driver = backend === 'lmdb' ? new LmdbDirectory(directory, options) : new LevelDirectory(directory, options);
const write = driver.write.bind(driver);
let left = Number(n);
driver.write = async (ops, how) => {
  left--;
  if (left === 0 && when === 'before') process.kill(process.pid, 'SIGKILL');
  const outcome = await write(ops, how);
  if (left === 0) process.kill(process.pid, 'SIGKILL');
  return outcome;
};
const db = await open({ storage: driver });
const repository = await db.repository('crash/history', { create: true });
await repository.importHistory(file);
await db.close();
