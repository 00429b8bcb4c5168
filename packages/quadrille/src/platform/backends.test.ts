import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { open, type Backend, type Location, type OpenOptions } from '../index.js';
import { hostOf } from '../host/index.js';
import { directory, lines, q } from '../testing/fixtures.js';

const make = async (path: string, backend: Backend): Promise<void> => {
  const db = await open(path, { backend });
  await (await db.repository('people', { create: true })).add(q('a p b'));
  await db.close();
};

describe.each(['leveldb', 'lmdb'] as const)('%s', (backend) => {
  test('a store knows its own backend', async () => {
    const path = join(await directory(), 'store');
    await make(path, backend);
    for (const options of [{}, { backend }, { create: false }]) {
      const db = await open(path, options);
      expect(await lines((await db.repository('people')).quads())).toEqual(['a p b']);
      await db.close();
    }
    const other = backend === 'lmdb' ? 'leveldb' : 'lmdb';
    await expect(open(path, { backend: other })).rejects.toMatchObject({ code: 'INVALID_OPTION' });
  });

  test('readOnly: everything can be read, nothing written', async () => {
    const path = join(await directory(), 'store');
    await expect(open(path, { readOnly: true, backend })).rejects.toMatchObject({ code: 'STORE_NOT_FOUND' });
    await make(path, backend);
    const first = await open(path);
    await (await first.repository('people')).settings.set({ search: { text: true } });
    await first.close();
    const db = await open(path, { readOnly: true });
    const repo = await db.repository('people');
    expect((await repo.settings.get()).search).toMatchObject({ text: { fold: 'case' } });
    expect(await repo.ask('ASK { ?s ?p ?o }')).toBe(true);
    expect((await db.verify()).ok).toBe(true);
    const writes: Record<string, () => Promise<unknown>> = {
      add: () => repo.add(q('a p c')),
      remove: () => repo.remove({}),
      load: () => repo.load({ text: '<x:a> <x:b> <x:c> .' }, { format: 'nt' }),
      update: () => repo.update('INSERT DATA { <x:a> <x:b> 1 }'),
      transaction: () => repo.transaction(async (tx) => tx.add(q('c p d'))),
      revert: () => repo.revert(2),
      reset: () => repo.branches.reset(1),
      compact: () => repo.maintenance.compact(),
      rebuild: () => repo.maintenance.rebuild(),
      tag: () => repo.tags.set('t', 1),
      namespace: () => repo.namespaces.set('x', 'urn:x:'),
      metadata: () => repo.settings.metadata.set({ summary: 'x' }),
      'another repository': () => db.repository('more', { create: true }),
      account: () => db.accounts.create('x'),
      records: () => hostOf(db).records.write([{ key: 'k', value: 1 }]),
      'delete repository': () => db.deleteRepository('people'),
    };
    for (const [name, write] of Object.entries(writes))
      await expect(write(), name).rejects.toMatchObject({ code: 'READ_ONLY' });
    expect(await lines(repo.quads())).toEqual(['a p b']);
    await db.close();
    const again = await open(path);
    expect(await lines((await again.repository('people')).quads())).toEqual(['a p b']);
    await again.close();
  });
});

test('LMDB: readers see the state of when they were opened, beside the one that writes', async () => {
  const path = join(await directory(), 'store');
  await make(path, 'lmdb');
  const writer = await open(path);
  const people = await writer.repository('people');
  const reader = await open(path, { readOnly: true });
  const seen = await reader.repository('people');
  await people.load(
    { text: Array.from({ length: 500 }, (_, i) => `<x:${i}> <x:p> "${i}" .`).join('\n') },
    { format: 'nt' },
  );
  await people.maintenance.compact();
  await people.remove({});
  expect(await lines(seen.quads())).toEqual(['a p b']);
  await reader.close();
  const later = await open(path, { readOnly: true });
  expect(await (await later.repository('people')).size()).toBe(0);
  expect(await (await later.repository('people')).at('HEAD~1').size()).toBe(501);
  await later.close();
  await writer.close();
});

test('LevelDB: a reader needs the store for itself', async () => {
  const path = join(await directory(), 'store');
  await make(path, 'leveldb');
  const writer = await open(path);
  await expect(open(path, { readOnly: true })).rejects.toMatchObject({ code: 'STORE_LOCKED' });
  await writer.close();
});

test.each<[Location, object]>([
  ['x', { backend: 'sqlite' }],
  ['x', { backend: 'toString' }],
  ['x', { readOnly: 1 }],
  ['x', { readOnly: true, create: true }],
  [':memory:', { backend: 'leveldb' }],
  [':memory:', { readOnly: true }],
])('%j with %j is refused', async (location, options) => {
  await expect(open(location, options as OpenOptions)).rejects.toMatchObject({ code: 'INVALID_OPTION' });
});

// Of the build output: run npx tsc -b first.
test('without the package of LMDB everything else works, and the error names it', async () => {
  const path = join(await directory(), 'store');
  const library = pathToFileURL(join(import.meta.dirname, '../../dist/index.js')).href;
  const program = `
    import { register } from 'node:module';
    register('data:text/javascript,' + encodeURIComponent(
      'export const resolve = (name, context, next) => { if (/^lmdb$|lmdb$/.test(name))' +
      ' throw Object.assign(new Error(name), { code: "ERR_MODULE_NOT_FOUND" }); return next(name, context); }'));
    const { open } = await import(${JSON.stringify(library)});
    await (await open(${JSON.stringify(path)})).close();
    await open(${JSON.stringify(`${path}2`)}, { backend: 'lmdb' }).catch((e) => console.log(e.code, e.message));`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--no-deprecation', '--input-type=module', '-e', program], {
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  expect(stdout).toMatch(/^INVALID_OPTION .*npm install @quadrille\/lmdb/);
});
