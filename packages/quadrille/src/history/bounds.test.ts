/** Numbers and times in the histories of strangers: whatever they are, the repository can go on. */
import { MemoryDriver } from '@quadrille/storage';
import { expect, test } from 'vitest';
import type { Repository } from '../index.js';
import { open } from '../index.js';
import { memory, q } from '../testing/fixtures.js';
import { historyOf, sealed } from '../testing/histories.js';

/** A history of two revisions, the first of which is a squash. */
async function squashed(): Promise<string> {
  const source = await (await memory()).repository('r', { create: true });
  for (const name of ['a', 'b', 'c', 'd']) await source.add([q(`${name} p o`)]);
  await source.maintenance.trim({ last: 2 });
  return historyOf(source);
}

const numbered = (text: string, first: number): string =>
  text
    .replace(/^H number "4"/m, `H number "${String(first)}"`)
    .replace(/^H number "5"/m, `H number "${String(first + 1)}"`);

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}
const importInto = (repository: Repository, text: string): Promise<unknown> =>
  repository.sync.importHistory(bytesOf(sealed(text)));

test.each([2 ** 31 + 1, 2 ** 32 - 17, 2 ** 32 - 1, 2 ** 32, 2 ** 32 + 4, 10 ** 14])('number %i', async (first) => {
  const repository = await (await memory()).repository('r', { create: true });
  const { id } = await repository.revision();
  const wrong = {
    code: 'LOG_BROKEN',
    message: expect.stringMatching(/:?\d+: revision \d+ has a number above 2147483648/),
  };
  await expect(importInto(repository, numbered(await squashed(), first))).rejects.toMatchObject(wrong);
  expect((await repository.revision()).id).toBe(id);
  await repository.add([q('later p o')]);
  expect(await repository.size()).toBe(1);
});

test('a number that leaves room: what comes later is there, and nothing takes memory or time for the gap', async () => {
  const storage = new MemoryDriver();
  let db = await open({ storage });
  let repository = await db.repository('r', { create: true });
  await importInto(repository, numbered(await squashed(), 2 ** 31 - 5));
  for (const name of ['x', 'y']) await repository.add([q(`${name} p o`)]);
  const due = [2 ** 31 - 2, 2 ** 31 - 3, 2 ** 31 - 4, 2 ** 31 - 5];
  const check = async (): Promise<void> => {
    expect((await repository.log().toArray()).map(({ number }) => number)).toEqual(due);
    expect((await repository.log({ pattern: q('x p o') }).toArray()).map(({ number }) => number)).toEqual([due[1]]);
    expect(await repository.history().toArray()).toHaveLength(6);
    expect((await repository.blame(q('x p o')).toArray())[0]?.revision.number).toBe(due[1]);
    expect((await repository.at(new Date()).revision()).number).toBe(due[0]);
    expect((await repository.watch({ since: due[1]! })[Symbol.asyncIterator]().next()).value?.revision.number).toBe(
      due[0],
    );
    expect((await db.verify()).problems).toEqual([]);
  };
  await check();
  await db.close();
  db = await open({ storage });
  repository = await db.repository('r');
  await check();
  await repository.maintenance.rebuild();
  await repository.maintenance.trim({ last: 1 });
  const copy = await db.clone('copy', repository);
  expect((await copy.log().toArray()).map(({ number }) => number)).toEqual([due[0]]);
  await db.close();
}, 30_000);

test.each([
  ['time', (text: string) => text.replaceAll(/^H time "[^"]*"/gm, 'H time "+275000-01-01T00:00:00.000Z"')],
  ['id', (text: string) => text.replace(/^H id <urn:uuid:[^-]*-[^-]*/m, 'H id <urn:uuid:ffffffff-ffff')],
])('a %s after the year 9999', async (_, change) => {
  const repository = await (await memory()).repository('r', { create: true });
  const { id } = await repository.revision();
  await expect(importInto(repository, change(await squashed()))).rejects.toMatchObject({
    code: 'LOG_BROKEN',
    message: expect.stringContaining('after the year 9999'),
  });
  expect((await repository.revision()).id).toBe(id);
});
