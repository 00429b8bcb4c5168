/** A function that makes vectors of texts, given to `open`. */
import { join } from 'node:path';
import { iri, literal, quad } from '@quadrille/model';
import { afterEach, expect, test } from 'vitest';
import type { EmbedFunction, Repository } from '../index.js';
import { open, restore } from '../index.js';
import { directory } from '../testing/fixtures.js';

const LABEL = 'urn:label';
const DIMENSION = 4;
const SEARCH = { vectors: { sense: { property: LABEL, dimension: DIMENSION, embed: true as const } } };

const vectorOf = (text: string): number[] =>
  Array.from({ length: DIMENSION }, (_, i) => Math.sin((text.codePointAt(0) ?? 0) * (i + 1)) + text.length / 100);
const ofAll: EmbedFunction = (texts) => texts.map(vectorOf);
const labelled = (name: string, text: string) => quad(iri(`urn:${name}`), iri(LABEL), literal(text, 'en'));

const ended: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0)) await end();
});

async function opened(place: string, embed: EmbedFunction | undefined, errors: object[] = []) {
  const logger = {
    info: () => undefined,
    warn: () => undefined,
    error: (_: string, details?: object) => errors.push(details!),
  };
  const db = await open(place, { embed, logger });
  ended.push(() => db.close());
  return { db, repo: await db.repository('a/r', { create: true }) };
}

/** The subjects, the nearest first. */
async function nearest(repo: Pick<Repository, 'select'>, text: string): Promise<string[]> {
  const asked = Buffer.from(Float32Array.from(vectorOf(text)).buffer).toString('base64');
  const ask = `SELECT ?s { (?s ?score) <urn:quadrille:vector#nearest> ("sense" "${asked}"^^<urn:quadrille:vector#float32> 3) }`;
  return (await repo.select(ask).toArray()).map(({ s }) => s!.value);
}

/** Waits until all texts of the head have their vectors. */
async function embedded(repo: Repository): Promise<void> {
  while ((await repo.settings.get()).search!.progress < 1) await new Promise((next) => setTimeout(next, 5));
}

test('texts are found after their commits, on each branch and at each revision', async () => {
  const texts: string[] = [];
  const calls: object[] = [];
  const { repo } = await opened(':memory:', (some, call) => {
    texts.push(...some);
    calls.push(call);
    return some.map((text) => (text === 'hidden' ? undefined : Float32Array.from(vectorOf(text))));
  });
  await repo.add([labelled('before', 'before')]);
  await repo.settings.set({ search: SEARCH });
  await embedded(repo);
  expect(await nearest(repo, 'before')).toEqual(['urn:before']);
  await repo.add([labelled('a', 'apple'), labelled('b', 'banana'), labelled('h', 'hidden')]);
  const { id } = await repo.revision();
  await repo.remove([labelled('a', 'apple')]);
  await embedded(repo);
  expect((await nearest(repo, 'apple')).toSorted()).toEqual(['urn:b', 'urn:before']);
  expect(await nearest(repo.at(id), 'apple')).toHaveLength(3);
  await repo.branches.create('draft');
  const draft = await repo.branches.open('draft');
  await draft.add([labelled('c', 'cherry'), labelled('again', 'apple')]);
  await embedded(draft);
  expect((await nearest(draft, 'cherry'))[0]).toBe('urn:c');
  expect((await nearest(draft, 'apple'))[0]).toBe('urn:again');
  expect(await nearest(repo, 'cherry')).not.toContain('urn:c');
  expect(texts.toSorted()).toEqual(['apple', 'banana', 'before', 'cherry', 'hidden']);
  expect(calls[0]).toEqual({ repository: 'a/r', name: 'sense', dimension: DIMENSION });
});

test('a failure is told, and the next commit tries again', async () => {
  const errors: object[] = [];
  let isAway = true;
  const { repo } = await opened(
    ':memory:',
    (texts) => {
      if (isAway) throw new Error('the model is away');
      return texts.map(vectorOf);
    },
    errors,
  );
  await repo.settings.set({ search: SEARCH });
  await repo.add([labelled('a', 'apple')]);
  while (errors.length === 0) await new Promise((next) => setTimeout(next, 5));
  expect(errors[0]).toMatchObject({ repository: 'a/r', error: 'the model is away', failures: 1 });
  expect((await repo.settings.get()).search!.progress).toBeLessThan(1);
  expect(await nearest(repo, 'apple')).toEqual([]);
  isAway = false;
  await repo.add([labelled('b', 'banana')]);
  await embedded(repo);
  expect(await nearest(repo, 'apple')).toEqual(['urn:a', 'urn:b']);
});

test('what a call has left is done later, and what is stored is not asked again', async () => {
  const path = await directory();
  let begun: (() => void) | undefined;
  let end: (() => void) | undefined;
  const isBegun = new Promise<void>((resolve) => (begun = resolve));
  const first = await opened(join(path, 'store'), async (texts) => {
    begun!();
    await new Promise<void>((resolve) => (end = resolve));
    return texts.map(vectorOf);
  });
  await first.repo.settings.set({ search: SEARCH });
  await first.repo.add(Array.from({ length: 100 }, (_, i) => labelled(`n${i}`, `number ${i}`)));
  await isBegun;
  const closing = first.db.close();
  end!();
  await closing;
  const left: string[] = [];
  const second = await opened(join(path, 'store'), (texts) => {
    left.push(...texts);
    return texts.map(vectorOf);
  });
  await embedded(second.repo);
  expect(left).toHaveLength(36);
  await second.db.backup(join(path, 'backup'));
  await second.db.fork('a/r', 'a/copy');
  expect(await nearest(await second.db.repository('a/copy'), 'number 7')).toHaveLength(3);
  await restore(join(path, 'backup'), join(path, 'restored'));
  const third = await opened(join(path, 'restored'), () => {
    throw new Error('nothing is asked');
  });
  await embedded(third.repo);
  expect(await nearest(third.repo, 'number 7')).toHaveLength(3);
  const { problems } = await third.db.verify();
  expect(problems).toEqual([]);
});

test('without a function there is nothing to find, and wrong settings are refused', async () => {
  const { repo } = await opened(':memory:', undefined);
  await repo.settings.set({ search: SEARCH });
  await repo.add([labelled('a', 'apple')]);
  expect(await nearest(repo, 'apple')).toEqual([]);
  expect((await repo.settings.get()).search).toMatchObject({ ...SEARCH, progress: 0 });
  const wrong = { vectors: { sense: { ...SEARCH.vectors.sense, embed: false as unknown as true } } };
  await expect(repo.settings.set({ search: wrong })).rejects.toMatchObject({ code: 'INVALID_OPTION' });
  await expect(open(':memory:', { embed: 'model' as unknown as EmbedFunction })).rejects.toMatchObject({
    code: 'INVALID_OPTION',
  });
  await expect(opened(':memory:', ofAll)).resolves.toBeDefined();
});
