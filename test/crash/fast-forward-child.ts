/**
 * Merges a branch by a fast-forward and is killed at its n-th write: before it, or after it was made.
 *
 * node --import ./test/campaigns/typescript.mjs fast-forward-child.ts <directory> <leveldb or lmdb> <n> <before or after>
 */
import { open } from 'quadrille';
import { LevelDirectory } from '@quadrille/storage-level';
import { LmdbDirectory } from '@quadrille/storage-lmdb';

const [directory = '', backend, n, when] = process.argv.slice(2);
const options = { create: false, lockTimeoutMs: 5000 };
const driver = backend === 'lmdb' ? new LmdbDirectory(directory, options) : new LevelDirectory(directory, options);
const write = driver.write.bind(driver);
const db = await open({ storage: driver });
const repository = await db.repository('crash/forward');
let left = Number(n);
driver.write = async (ops, how) => {
  left--;
  if (left === 0 && when === 'before') process.kill(process.pid, 'SIGKILL');
  const outcome = await write(ops, how);
  if (left === 0) process.kill(process.pid, 'SIGKILL');
  return outcome;
};
await repository.merge('ahead', { fastForward: true });
await db.close();
