/**
 * Moves a repository from one directory to another, and is killed at its n-th write to either store: before it, or after it was made.
 *
 * node move-child.mjs <from> <to> <leveldb or lmdb> <n> <before or after>
 */
import { moveRepository } from '../../packages/quadrille/dist/index.js';
import { LevelDirectory } from '../../packages/storage-level/dist/index.js';
import { LmdbDirectory } from '../../packages/lmdb/dist/index.js';

const [from, to, backend, n, when] = process.argv.slice(2);
let left = Number(n);

function counted(driver) {
  const write = driver.write.bind(driver);
  driver.write = async (ops, how) => {
    left--;
    const isLast = left === 0;
    if (isLast && when === 'before') process.kill(process.pid, 'SIGKILL');
    const outcome = await write(ops, how);
    if (isLast) process.kill(process.pid, 'SIGKILL');
    return outcome;
  };
  return driver;
}

const options = { lockTimeoutMs: 5000 };
const source = counted(new LevelDirectory(from, { ...options, create: false }));
const target = counted(new (backend === 'lmdb' ? LmdbDirectory : LevelDirectory)(to, { ...options, create: true }));
const { outcome } = await moveRepository({ storage: source }, 'crash/moved', { storage: target });
console.log(outcome);
