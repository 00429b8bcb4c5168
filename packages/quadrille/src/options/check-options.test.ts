/** Wrong options are refused by the calls that take them, and nothing changes. */
import type * as RDF from '@rdfjs/types';
import { describe, expect, test } from 'vitest';
import { type Database, type LoadOptions, open, type OpenOptions, type Repository } from '../index.js';
import { hostOf } from '../host/index.js';
import { directory, memory, q, repository } from '../testing/fixtures.js';

const refused = (option: string): object =>
  expect.objectContaining({
    code: 'INVALID_OPTION',
    details: expect.objectContaining({ option }),
    message: expect.stringContaining(option),
  });

/** A source that fails when it is read. */
const neverRead = (): ReadableStream<Uint8Array> =>
  new ReadableStream({ pull: (controller) => controller.error(new Error('it was read')) }, { highWaterMark: 0 });

test.each<[object, string]>([
  [{ timeout: 5 }, 'query: unknown option "timeout": did you mean timeoutMs? (known: timeoutMs, '],
  [{ base: 'urn:a' }, 'query: unknown option "base": did you mean baseIRI? (known: baseIRI, '],
  [{ singal: 1 }, 'query: unknown option "singal": did you mean signal? (known: signal, '],
  [{ colour: 1 }, 'query: unknown option "colour" (known: '],
])('of %j the nearest known name is told first', async (options, message) => {
  const repo = await repository();
  await expect(repo.query('ASK {}', options)).rejects.toThrow(message);
});

test('options that only hosts know are not among those that are told', async () => {
  const repo = await repository();
  const message = await repo.update('CLEAR ALL', { tasks: 1 } as object).catch((error: Error) => error.message);
  expect(message).toMatch(/^update: unknown option "tasks".* \(known: /);
  expect(message).not.toMatch(/\btask\b|\brecords\b/);
});

describe('open', () => {
  test.each<[string, unknown]>([
    ['cacheBytes', -1],
    ['cacheBytes', 0],
    ['cacheBytes', Number.NaN],
    ['cacheBytes', 1.5],
    ['cacheBytes', '64'],
    ['cacheBytes', 2 ** 31],
    ['cacheBytes', 2 ** 32],
    ['cacheBytes', Infinity],
    ['repositoryBytes', -1],
    ['repositoryBytes', Number.NaN],
    ['lockTimeoutMs', -1],
    ['lockTimeoutMs', Number.NaN],
    ['lockTimeoutMs', '100'],
    ['lockTimeoutMs', Infinity],
    ['durability', 'disc'],
    ['durability', null],
    ['create', 'yes'],
    ['readOnly', 1],
    ['logger', console.log],
    ['logger', { info: () => undefined }],
    ['federation', true],
    ['queries', true],
    ['timeout', 5],
  ])('%s: %o', async (option, value) => {
    const path = await directory();
    await expect(open(path, { [option]: value } as OpenOptions)).rejects.toEqual(refused(option));
    await expect(open(path, { create: false })).rejects.toMatchObject({ code: 'STORE_NOT_FOUND' });
  });
});

test.each<[string, unknown]>([
  ['concurrency', 0],
  ['concurrency', 1.5],
  ['queued', -1],
  ['queueMs', '10'],
  ['timeoutMs', Infinity],
  ['memoryBytes', Number.NaN],
  ['memory', 5],
])('queries: %s: %o', async (option, value) => {
  const queries = { [option]: value } as OpenOptions['queries'];
  await expect(open(':memory:', { queries: queries! })).rejects.toEqual(refused(option));
});

describe('a repository', () => {
  test.each<[string, object]>([
    ['create', { create: 1 }],
    ['metadata', { create: true, metadata: 'people' }],
    ['summary', { create: true, metadata: { summary: 5 } }],
    ['homepage', { create: true, metadata: { homepage: 'x'.repeat(64 * 1024 + 1) } }],
    ['title', { create: true, metadata: { title: 'People' } }],
  ])('%s: %o', async (option, options) => {
    const db = await memory();
    await expect(db.repository('acme/people', options)).rejects.toEqual(refused(option));
    expect(await db.repositories().toArray()).toEqual([]);
  });

  test('metadata', async () => {
    const { metadata } = (await repository()).settings;
    await expect(metadata.set({ summary: {} as never })).rejects.toEqual(refused('summary'));
    await expect(metadata.set(undefined as never)).rejects.toMatchObject({ code: 'INVALID_OPTION' });
  });

  test.each<[unknown]>([[undefined], [5], [null], [{}]])('the name %o', async (name) => {
    const db = await memory();
    const refusal = { code: 'INVALID_NAME' };
    await expect(db.repository(name as string, { create: true })).rejects.toMatchObject(refusal);
    await expect(db.accounts.create(name as string)).rejects.toMatchObject(refusal);
    expect(() => db.account(name as string)).toThrow(expect.objectContaining(refusal));
  });
});

describe('what is said of a commit', () => {
  const commits: [string, (repo: Repository, db: Database, info: object) => Promise<unknown>][] = [
    ['add', (repo, _, info) => repo.add(q('a p b'), info)],
    [
      'add of many',
      (repo, _, info) =>
        repo.add(
          (async function* () {
            yield q('a p b');
          })(),
          info,
        ),
    ],
    ['remove', (repo, _, info) => repo.remove(q('kept p o'), info)],
    ['remove by a pattern', (repo, _, info) => repo.remove({}, info)],
    ['update', (repo, _, info) => repo.update('CLEAR ALL', info)],
    ['load', (repo, _, info) => repo.load({ text: '' }, { format: 'turtle', replace: true, ...info })],
    ['transaction', (repo, _, info) => repo.transaction((tx) => tx.add(q('a p b')), info)],
    ['revert', (repo, _, info) => repo.revert('HEAD', info)],
    ['reset', (repo, _, info) => repo.branches.reset('TAIL', info)],
  ];
  const wrong: [string, unknown][] = [
    ['author', 5],
    ['author', null],
    ['author', 'x'.repeat(1025)],
    ['author', 'ü'.repeat(513)],
    ['message', { text: 'x' }],
    ['message', 'x'.repeat(16 * 1024 + 1)],
    ['message', 'half \ud800'],
    ['id', 5],
    ['signal', 'now'],
    ['comment', 'misspelt'],
  ];

  test.each(commits)('%s', async (_, commit) => {
    const repo = await repository('kept p o');
    const before = await repo.revision();
    for (const [option, value] of wrong) {
      await expect(commit(repo, undefined as never, { [option]: value }), option).rejects.toEqual(refused(option));
    }
    expect(await repo.revision()).toEqual(before);
  });

  test('texts of the greatest length are kept as they are', async () => {
    const repo = await repository();
    const info = { message: 'ü'.repeat(8 * 1024), author: 'a'.repeat(1024) };
    expect(await repo.add(q('a p b'), info)).toMatchObject(info);
    expect(await repo.revision()).toMatchObject(info);
  });

  test('a held transaction stays open', async () => {
    const repo = await repository();
    const transaction = await hostOf(repo).begin();
    await transaction.add(q('a p b'));
    await expect(transaction.commit({ author: 5 as never })).rejects.toEqual(refused('author'));
    await transaction.commit({ author: 'jo' });
    expect(await repo.size()).toBe(1);
  });
});

describe('loads', () => {
  test.each<[string, unknown]>([
    ['bytesTotal', -1],
    ['bytesTotal', Number.NaN],
    ['maxBytes', Number.NaN],
    ['maxBytes', -1],
    ['maxBytes', '10'],
    ['maxRatio', Number.NaN],
    ['replace', 'yes'],
    ['format', 5],
    ['baseIRI', 5],
    ['sourceName', 5],
    ['onProgress', true],
    ['bytesRead', 5],
    ['loadDocument', {}],
    ['records', {}],
    ['jsonLd', true],
    ['author', 5],
  ])('%s: %o is refused before anything is read', async (option, value) => {
    const repo = await repository();
    const unread = neverRead();
    const options = { format: 'turtle', [option]: value } as LoadOptions;
    await expect(repo.load(unread, options)).rejects.toEqual(refused(option));
  });

  test.each<[string, unknown]>([
    ['rdfDirection', 'rtl'],
    ['expandContext', 5],
    ['processingMode', 'json-ld-2.0'],
    ['base', 'http://e/'],
  ])('jsonLd.%s: %o is refused before anything is read', async (option, value) => {
    const repo = await repository();
    const load = repo.load(neverRead(), { format: 'turtle', jsonLd: { [option]: value } });
    await expect(load).rejects.toEqual(refused(option));
    await expect(repo.dump('jsonld', { jsonLd: { [option]: value } }).toArray()).rejects.toEqual(refused(option));
  });

  test('a revision that is not there is told before anything is read', async () => {
    const repo = await repository();
    const unread = neverRead();
    const load = (ifRevision: never): Promise<unknown> => repo.load(unread, { format: 'turtle', ifRevision });
    await expect(load(99 as never)).rejects.toMatchObject({ code: 'REVISION_NOT_FOUND' });
    await expect(load({} as never)).rejects.toMatchObject({ code: 'INVALID_REF' });
  });
});

describe('queries', () => {
  const wrong: [string, unknown][] = [
    ['timeoutMs', -1],
    ['timeoutMs', Number.NaN],
    ['timeoutMs', '5'],
    ['timeoutMs', 2 ** 31],
    ['task', {}],
    ['memoryBytes', -1],
    ['memoryBytes', Number.NaN],
    ['maxRows', Number.NaN],
    ['maxRows', '5'],
    ['unionDefaultGraph', 'true'],
    ['defaultGraphUris', 'urn:g'],
    ['namedGraphUris', [5]],
    ['baseIRI', {}],
    ['bindings', 'x'],
    ['bindings', new Map()],
    ['extensionFunctions', () => undefined],
    ['extensionFunctions', { name: () => undefined }],
    ['extensionFunctions', { 'urn:f': 'x' }],
    ['extensionFunctions', { 'urn:f': { call: () => undefined, pure: true } }],
    ['signal', {}],
  ];

  test.each(wrong)('%s: %o', async (option, value) => {
    const repo = await repository('a p b');
    const options = { [option]: value };
    const refusal = refused(option);
    await expect(repo.select('SELECT * { ?s ?p ?o }', options).toArray()).rejects.toEqual(refusal);
    await expect(repo.ask('ASK { ?s ?p ?o }', options)).rejects.toEqual(refusal);
    await expect(repo.query('ASK { ?s ?p ?o }', options)).rejects.toEqual(refusal);
    await expect(repo.explain('ASK { ?s ?p ?o }', options)).rejects.toEqual(refusal);
    await expect(repo.update('CLEAR ALL', options)).rejects.toEqual(refusal);
    await expect(
      repo.transaction(async (tx) => {
        await tx.select('SELECT * { ?s ?p ?o }', options).toArray();
      }),
    ).rejects.toEqual(refusal);
    expect(await repo.size()).toBe(1);
  });

  test('graphs for one query', async () => {
    const repo = await repository();
    const ask = (extraGraphs: unknown): Promise<boolean> =>
      repo.ask('ASK { ?s ?p ?o }', { extraGraphs: extraGraphs as Record<string, RDF.Quad[]> });
    for (const value of [5, [], new Map(), { 'urn:g': 5 }, { 'urn:g': 'text' }])
      await expect(ask(value)).rejects.toEqual(refused('extraGraphs'));
  });

  test('a list is no object of options, and no template', async () => {
    const repo = await repository();
    await expect(repo.ask('ASK {}', [] as never)).rejects.toMatchObject({ code: 'INVALID_OPTION' });
    expect(() => repo.select(['SELECT * { ?s ?p ?o }'] as never)).toThrow(
      expect.objectContaining({ code: 'INVALID_OPTION' }),
    );
  });

  test('revisions and transactions', async () => {
    const repo = await repository();
    expect(() => repo.log({ limit: -1 })).toThrow(refused('limit') as Error);
    expect(() => repo.log({ limit: 1.5 })).toThrow(refused('limit') as Error);
    const run = async (): Promise<void> => undefined;
    await expect(repo.transaction(run, { retries: -1 })).rejects.toEqual(refused('retries'));
    await expect(repo.transaction(run, { retries: Number.NaN })).rejects.toEqual(refused('retries'));
    await expect(repo.transaction('run' as never)).rejects.toMatchObject({ code: 'INVALID_OPTION' });
  });
});
