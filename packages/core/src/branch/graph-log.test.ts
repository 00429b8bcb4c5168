/** The revisions of all branches: each once, before its parents, and page by page. */
import { expect, test } from 'vitest';
import { MemoryDriver } from '@quadrille/storage';
import type { Repository } from '../repository.js';
import type { Revision } from '../revision/record.js';
import { toRevision } from '../revision/record.js';
import { asyncDriver, clockEnv, openRepository, q, randomInts, SMALL } from '../testing/fixture.js';

const seed = Number(process.env['QUADRILLE_SEED'] ?? 20_261_127);

async function graph(repository: Repository, before?: string, filter = {}): Promise<Revision[]> {
  const found: Revision[] = [];
  for await (const revision of repository.graphLog(before, filter)) found.push(revision);
  return found;
}

async function branch(repository: Repository, name: string): Promise<Repository> {
  const record = await repository.resolve('HEAD');
  await (await repository.branches()).create(name, { keyspace: repository.handle.keyspace, record });
  return (await repository.lines()).branch(name);
}

test.each([
  ['synchronous', () => new MemoryDriver()],
  ['asynchronous', asyncDriver],
])(`random histories over %s storage, with seed ${seed}`, async (_, newDriver) => {
  const random = randomInts(seed);
  const env = clockEnv();
  const { store, repository: main } = await openRepository(newDriver(), { env, tuning: SMALL });
  const open: Repository[] = [main];
  const ids = new Set([main.revision.id]);
  for (let step = 0; step < 40; step++) {
    // Most revisions share their time with others.
    env.time += random(0, 3) === 0 ? 1 : 0;
    const at = open[random(0, open.length)]!;
    const kind = random(0, 10);
    if (kind < 5) await at.commit([q(`s${step} p o`)], []);
    else if (kind < 7 && open.length < 5) open.push(await branch(at, `b${step}`));
    else {
      const other = open[random(0, open.length)]!;
      if (other !== at) await at.merge(other.branchName, { fastForward: kind === 9 });
    }
    ids.add(at.revision.id);
    if (step === 30 && open.length > 2) await (await main.branches()).delete(open.pop()!.branchName, true);
  }
  const all = await graph(main);
  const position = new Map(all.map(({ id }, i) => [id, i]));
  expect(position.size).toBe(all.length);
  for (const { id, parents } of all)
    for (const parent of parents) expect(position.get(parent), `${id} ${parent}`).toBeGreaterThan(position.get(id)!);
  // Every revision that a branch reaches is there, and has the name of the branch where it was made.
  const seen = new Set(all.map(({ id }) => id));
  for (const each of open)
    for (let number = 1; number <= each.head.number; number++) {
      const { id } = toRevision(await each.resolve(number));
      expect(seen.has(id), `${each.branchName}#${number}`).toBe(true);
    }
  for (const { id } of all) expect(ids.has(id)).toBe(true);
  for (let at = 0; at < all.length; at++)
    expect((await graph(main, all[at]!.id)).map(({ id }) => id)).toEqual(all.slice(at + 1).map(({ id }) => id));
  await store.close();
});

test('names of branches, of deleted ones, and of those that took revisions over', async () => {
  const env = clockEnv();
  const { store, repository: main } = await openRepository(undefined, { env });
  await main.commit([q('a p 1')], []);
  const dev = await branch(main, 'dev');
  await dev.commit([q('b p 1')], [], { author: 'kim' });
  env.time++;
  await main.commit([q('c p 1')], []);
  await main.merge('dev', {});
  const names = async (): Promise<unknown[]> =>
    (await graph(main)).map(({ number, branch: name }) => `${name ?? '-'}#${number}`);
  expect(await names()).toEqual(['main#4', 'main#3', 'dev#3', 'main#2', 'main#1']);
  expect((await graph(main, undefined, { author: 'kim' })).map(({ number }) => number)).toEqual([3]);
  await (await main.branches()).delete('dev', false);
  expect(await names()).toEqual(['main#4', 'main#3', '-#3', 'main#2', 'main#1']);
  const next = await branch(main, 'next');
  await next.commit([q('d p 1')], []);
  await main.merge('next', { fastForward: true });
  expect((await names())[0]).toBe('next#5');
  await (await main.branches()).delete('next', false);
  expect((await names())[0]).toBe('main#5');
  await main.maintenance.compact();
  expect((await names())[0]).toBe('main#5');
  await store.close();
});
