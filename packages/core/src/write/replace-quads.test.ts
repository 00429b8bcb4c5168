/** Few quads of a load, what they replace, and removals: as ordinary commits, and as large changes where a record has no room. */
import { iri } from '@quadrille/model';
import { MemoryDriver } from '@quadrille/storage';
import { expect, test } from 'vitest';
import type { Repository } from '../repository.js';
import type { Revision } from '../revision/record.js';
import { contents, feed, many, openRepository, q, randomInts, show, SMALL } from '../testing/fixture.js';

type Quads = ReturnType<typeof many>;

async function load(repository: Repository, quads: Quads, graph?: string, replace = false): Promise<Revision> {
  const loader = await repository.beginLoad({ replace, ...(graph && { graph: iri(`http://e/${graph}`) }) });
  await feed(loader, quads);
  return repository.finishLoad(loader, {});
}

const runsOf = ({ handle }: Repository): number => handle.timeline.index.runs.length;

test.each([
  ['in records', {}],
  ['written aside', SMALL],
])('changes %s make what a set of quads would be', async (_, tuning) => {
  const driver = new MemoryDriver();
  const { store, repository } = await openRepository(driver, { tuning });
  const next = randomInts(20261129);
  let model = new Set<string>();
  const apply = async (revision: Promise<Revision>, after: ReadonlySet<string>): Promise<void> => {
    const { added, removed, size } = await revision;
    const [came, gone] = [[...after].filter((x) => !model.has(x)), [...model].filter((x) => !after.has(x))];
    if (came.length + gone.length > 0) expect([added, removed]).toEqual([came.length, gone.length]);
    model = new Set(after);
    expect(size).toBe(model.size);
    expect(await contents(repository)).toEqual([...model].toSorted());
  };
  for (let round = 0; round < 60; round++) {
    const graph = `g${next(0, 3)}`;
    const inGraph = (quad: string): boolean => quad.endsWith(` ${graph}`);
    const quads = Array.from({ length: next(0, 12) }, () => `s${next(0, 6)} p o${next(0, 4)}`);
    const named = quads.map((quad) => q(`${quad} ${graph}`));
    const came = named.map(show);
    if (next(0, 4) === 0) {
      const subject = `s${next(0, 6)}`;
      const removal = repository.removeMatches({
        subject: q(`${subject} p o`).subject,
        graph: iri(`http://e/${graph}`),
      });
      await apply(removal, new Set([...model].filter((x) => !inGraph(x) || !x.startsWith(`${subject} `))));
    } else if (next(0, 10) === 0) await apply(load(repository, named, undefined, true), new Set(came));
    else {
      const replace = next(0, 2) === 0;
      const kept = replace ? [...model].filter((x) => !inGraph(x)) : model;
      await apply(load(repository, quads.map(q), graph, replace), new Set([...kept, ...came]));
    }
  }
  await store.close();
  const again = await openRepository(driver, { tuning });
  expect(await contents(again.repository)).toEqual([...model].toSorted());
  expect((await again.repository.maintenance.verify()).problems).toEqual([]);
  await again.store.close();
});

test('few quads write no runs, many do', async () => {
  const { store, repository } = await openRepository();
  await load(repository, many('few', 1024, 'g'), 'g');
  await load(repository, many('other', 1024, 'g'), 'g', true);
  await repository.removeMatches({ graph: iri('http://e/g') });
  expect(runsOf(repository)).toBe(0);
  expect(repository.head.size).toBe(0);
  await load(repository, many('many', 20_000));
  expect(runsOf(repository)).toBeGreaterThan(0);
  await store.close();
});

test('loads of few quads that end together share one write with commits', async () => {
  const { store, repository, driver } = await openRepository();
  await repository.commit([q('a p o')], []);
  const { number } = repository.head;
  const write = driver.write.bind(driver);
  let writes = 0;
  let release = (): void => undefined;
  const staged = new Promise<void>((resolve) => (release = resolve));
  driver.write = async (ops, options) => {
    if (writes++ === 0) await staged;
    return write(ops, options);
  };
  const loads = Array.from({ length: 8 }, (_, i) => load(repository, many(`l${i}`, 3)));
  const all = Promise.all([...loads, repository.commit([q('b p o')], [])]);
  // The first write lasts until all are staged.
  const { timeline } = repository.handle;
  while (timeline.staged.number < number + 9) await new Promise(setImmediate);
  release();
  await all;
  expect(repository.head.number).toBe(number + 9);
  expect(writes).toBeLessThanOrEqual(3);
  await store.close();
});
