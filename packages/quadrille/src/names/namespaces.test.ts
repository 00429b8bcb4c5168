import { describe, expect, test } from 'vitest';
import type { MetadataChange } from '../index.js';
import { open } from '../index.js';
import { directory, EX, many, memory, q, repository } from '../testing/fixtures.js';
import { StoredNamespaces } from './namespaces.js';

describe('prefixes that are kept in memory', () => {
  const values = new Map([['ex', new TextEncoder().encode('urn:ex:')]]);
  const failure = new Error('the disk does not answer');
  const stored = (fails: { list: boolean; set: boolean }): StoredNamespaces =>
    new StoredNamespaces({
      shown: 0,
      check: () => undefined,
      list: async () => {
        if (fails.list) throw failure;
        return new Map(values);
      },
      set: async (name: string, value: Uint8Array<ArrayBuffer>) => {
        values.set(name, value);
        if (fails.set) throw failure;
      },
    } as never);

  test('a read that fails is made again', async () => {
    const fails = { list: true, set: false };
    const namespaces = stored(fails);
    await expect(namespaces.list()).rejects.toBe(failure);
    fails.list = false;
    expect(await namespaces.list()).toEqual({ ex: 'urn:ex:' });
    expect(namespaces.list()).toBe(namespaces.list());
  });

  test('what a write has stored although it failed is read', async () => {
    const namespaces = stored({ list: false, set: true });
    expect(await namespaces.list()).toEqual({ ex: 'urn:ex:' });
    await expect(namespaces.set('ex', 'urn:other:')).rejects.toBe(failure);
    expect(await namespaces.list()).toEqual({ ex: 'urn:other:' });
  });
});

describe('prefixes', () => {
  test('set, get, list, delete', async () => {
    const { namespaces } = await repository();
    expect(await namespaces.list()).toEqual({ ex: EX });
    await namespaces.set('', 'urn:empty:');
    await namespaces.set('p-1.b', 'urn:b:');
    await namespaces.set('constructor', 'urn:c:');
    expect(await namespaces.list()).toEqual({ ex: EX, '': 'urn:empty:', 'p-1.b': 'urn:b:', constructor: 'urn:c:' });
    expect(await namespaces.get('p-1.b')).toBe('urn:b:');
    expect(await namespaces.delete('p-1.b')).toBe(true);
    expect(await namespaces.delete('p-1.b')).toBe(false);
    expect(await namespaces.get('p-1.b')).toBeUndefined();
    expect(await namespaces.get('toString')).toBeUndefined();
  });

  test('those of the repository beat those of the account, and both hold at once', async () => {
    const db = await memory();
    const repo = await db.repository('acme/people', { create: true });
    const other = await db.repository('acme/other', { create: true });
    const account = db.account('acme').namespaces;
    const value = (target = repo): Promise<unknown> =>
      target
        .select('SELECT ?x { BIND(STR(v:x) AS ?x) }')
        .first()
        .then((row) => row?.['x']?.value);
    await expect(value()).rejects.toMatchObject({ code: 'SPARQL_SYNTAX' });
    await account.set('v', 'urn:account:');
    expect([await value(), await value(other)]).toEqual(['urn:account:x', 'urn:account:x']);
    await repo.namespaces.set('v', 'urn:repository:');
    expect([await value(), await value(other)]).toEqual(['urn:repository:x', 'urn:account:x']);
    await repo.update('INSERT DATA { v:a v:b v:c }');
    expect((await repo.dump('ttl').toArray()).join('')).toMatch(/prefix v: <urn:repository:>[^]*v:a v:b v:c/i);
    const text = 'PREFIX v: <urn:own:> SELECT ?x { BIND(STR(v:x) AS ?x) }';
    expect((await repo.select(text).first())!['x']!.value).toBe('urn:own:x');
    await repo.namespaces.delete('v');
    expect(await value()).toBe('urn:account:x');
    expect(await repo.namespaces.get('v')).toBeUndefined();
  });

  test.each(['__proto__', 'a b', '1a', 'a.', 'a:', '-a', '_a', null, undefined, 7])(
    '%s is no prefix',
    async (prefix) => {
      const { namespaces } = await repository();
      await expect(namespaces.set(prefix as string, 'urn:x:')).rejects.toMatchObject({ code: 'INVALID_NAME' });
    },
  );
  test.each(['', 'relative/', 'http://e/a b', 'urn:<x>', null, 7])('%s is no namespace', async (iri) => {
    const { namespaces } = await repository();
    await expect(namespaces.set('x', iri as string)).rejects.toMatchObject({ code: 'INVALID_TERM' });
    expect(await namespaces.get('x')).toBeUndefined();
  });

  test('what every object has is no declared prefix', async () => {
    const repo = await repository('a p b');
    for (const prefix of ['constructor', 'toString', 'valueOf'])
      await expect(repo.ask(`ASK { ?s ${prefix}:x ?o }`)).rejects.toMatchObject({ code: 'SPARQL_SYNTAX' });
  });
});

test('metadata', async () => {
  const db = await memory();
  const repo = await db.repository('acme/people', {
    create: true,
    metadata: { summary: 'who', homepage: 'http://e/' },
  });
  const { created, ...first } = await repo.settings.metadata.get();
  expect(created).toBeInstanceOf(Date);
  expect(first).toEqual({ name: 'people', summary: 'who', description: undefined, homepage: 'http://e/' });
  expect(await repo.settings.metadata.set({ name: 'Our People', description: 'd' })).toMatchObject({
    name: 'Our People',
  });
  await repo.settings.metadata.set({ summary: undefined } as unknown as MetadataChange);
  expect(await repo.settings.metadata.get()).toMatchObject({ name: 'Our People', summary: 'who', description: 'd' });
  expect(await repo.settings.metadata.set({ name: null, summary: null })).toMatchObject({
    name: 'people',
    summary: undefined,
  });
  for (const change of [{ title: 'x' }, { summary: 7 }, JSON.parse('{"__proto__":"x"}'), null] as MetadataChange[])
    await expect(repo.settings.metadata.set(change)).rejects.toMatchObject({ code: 'INVALID_OPTION' });
  expect(await db.repositories().toArray()).toEqual([
    { name: 'acme/people', metadata: await repo.settings.metadata.get() },
  ]);
  expect(await repo.log().toArray()).toHaveLength(1);
});

test('accounts', async () => {
  const db = await memory();
  expect(await db.accounts.list().toArray()).toEqual([]);
  await db.accounts.create('acme');
  await expect(db.accounts.create('acme')).rejects.toMatchObject({ code: 'ALREADY_EXISTS' });
  await db.repository('other/x', { create: true });
  await db.account('acme').namespaces.set('v', 'urn:v:');
  expect(await db.accounts.list().toArray()).toEqual(['acme', 'other']);
  await expect(db.accounts.delete('other')).rejects.toMatchObject({ code: 'PRECONDITION_FAILED' });
  await db.deleteRepository('other/x');
  expect(await db.accounts.delete('other')).toBe(true);
  expect(await db.accounts.delete('other')).toBe(false);
  const held = db.account('acme').namespaces;
  await held.list();
  await db.accounts.delete('acme');
  expect(await held.list()).toEqual({});
  await db.accounts.create('acme');
  expect(await held.get('v')).toBeUndefined();
  expect(await held.get('rdf')).toContain('22-rdf-syntax');
  for (const name of ['', 'Acme', 'a/b', 'a b', '-a', 'ä', 'x'.repeat(101)]) {
    await expect(
      db.accounts.create(name).catch((error: unknown) => Promise.reject(error as Error)),
    ).rejects.toMatchObject({ code: 'INVALID_NAME' });
    expect(() => db.account(name)).toThrow(expect.objectContaining({ code: 'INVALID_NAME' }));
  }
});

describe('repositories', () => {
  test('are listed, by account too', async () => {
    const db = await memory();
    for (const name of ['b', 'acme/z', 'acme/a', 'acme2/a']) await db.repository(name, { create: true });
    const names = async (account?: string): Promise<string[]> =>
      (await db.repositories(account).toArray()).map(({ name }) => name);
    expect(await names()).toEqual(['acme/a', 'acme/z', 'acme2/a', 'default/b']);
    expect(await names('acme')).toEqual(['acme/a', 'acme/z']);
    expect(await names('none')).toEqual([]);
    expect(await db.repository('b')).toBe(await db.repository('default/b', { create: true }));
    await expect(db.repository('none')).rejects.toMatchObject({ code: 'REPOSITORY_NOT_FOUND' });
  });

  test.each(['', '/', 'a/', '/a', 'a/b/c', 'A', 'a b', '-a', 'ü', 'x'.repeat(101), null, 7, '__proto__/A'])(
    '%s is no name',
    async (name) => {
      const db = await memory();
      for (const call of [
        () => db.repository(name as string, { create: true }),
        () => db.deleteRepository(name as string),
      ])
        await expect(call()).rejects.toMatchObject({ code: 'INVALID_NAME' });
      expect(await db.accounts.list().toArray()).toEqual([]);
    },
  );

  test('deletion gives the space back and ends what is held', async () => {
    const path = await directory();
    const db = await open(path);
    const repo = await db.repository('people', { create: true });
    await repo.add(many(5000));
    const lazy = repo.quads();
    expect(await db.deleteRepository('people')).toBe(true);
    expect(await db.deleteRepository('default/people')).toBe(false);
    expect(await db.repositories().toArray()).toEqual([]);
    for (const call of [() => lazy.toArray(), () => repo.size(), () => repo.add(q('a p b')), () => repo.ask('ASK {}')])
      await expect(call()).rejects.toMatchObject({ code: 'REPOSITORY_DELETED' });
    for (const call of [
      () => repo.settings.metadata.get(),
      () => repo.namespaces.list(),
      () => repo.tags.set('t', 'HEAD'),
    ])
      await expect(call()).rejects.toMatchObject({ code: 'REPOSITORY_DELETED' });
    const again = await db.repository('people', { create: true });
    expect([await again.size(), (await again.revision()).number]).toEqual([0, 1]);
    expect(await again.namespaces.list()).toEqual({});
    expect((await again.maintenance.stats()).bytes).toBeLessThan(10_000);
    await db.close();
  });
});

test('names that are too long for a key are refused, and are not there', async () => {
  const { namespaces, tags } = await repository();
  const long = 'x'.repeat(3000);
  await expect(namespaces.set(long, 'urn:x:')).rejects.toMatchObject({ code: 'INVALID_NAME' });
  await namespaces.set('x'.repeat(200), 'urn:x:');
  expect([await namespaces.delete(long), await namespaces.get(long)]).toEqual([false, undefined]);
  expect([await tags.delete(long), await tags.get(long)]).toEqual([false, undefined]);
  expect(await namespaces.delete('x'.repeat(200))).toBe(true);
});
