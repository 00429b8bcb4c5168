// The conformance suite of storage under any runtime: prints how many rules hold, and those that do not. It uses the built packages.
//   node test/runtimes/conformance.mjs
import { deepStrictEqual, strictEqual } from 'node:assert';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MemoryDriver } from '@quadrille/storage';
import { LevelDirectory } from '@quadrille/storage-level';
import { LmdbDirectory } from '@quadrille/lmdb';
import { storageConformance } from '@quadrille/storage/testing';

const rules = [];
const names = [];
const testApi = {
  describe(name, body) {
    names.push(name);
    body();
    names.pop();
  },
  it(name, body) {
    rules.push({ name: [...names, name].join(', '), body });
  },
  expect: (actual) => ({
    toBe: (expected) => strictEqual(actual, expected),
    toEqual: (expected) => deepStrictEqual(actual, expected),
  }),
};

storageConformance(testApi, 'memory', async () => ({ driver: new MemoryDriver() }));
for (const [name, Directory] of [
  ['leveldb', LevelDirectory],
  ['lmdb', LmdbDirectory],
]) {
  const persistent = async () => {
    const base = await mkdtemp(join(tmpdir(), 'quadrille-runtime-'));
    const again = () => new Directory(join(base, 'store'), { create: true });
    return { driver: again(), again, dispose: () => rm(base, { recursive: true }) };
  };
  storageConformance(testApi, name, persistent, { persistent: true });
}

const failed = [];
for (const { name, body } of rules) {
  await body().catch((error) => failed.push(`${name}: ${error.message}`));
}
console.log(JSON.stringify({ passed: rules.length - failed.length, failed }));
