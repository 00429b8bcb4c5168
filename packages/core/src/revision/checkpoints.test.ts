/** Statistics of many graphs are stored as changes. */
import { seededRandom } from '@quadrille/storage/testing';
import type { WriteOp } from '@quadrille/storage';
import { MemoryDriver } from '@quadrille/storage';
import { expect, test } from 'vitest';
import { Tag } from '../format/layout.js';
import { Statistics } from '../index/statistics.js';
import type { Repository } from '../repository.js';
import { Pacer, platformEnv } from '../runtime/env.js';
import { contents, feed, many, newKeyspace, openRepository, q, SMALL } from '../testing/fixture.js';
import { Checkpoints, dependentCheckpoints, readCheckpoint, readCheckpoints } from './checkpoints.js';

const pacer = new Pacer(platformEnv());
const entriesOf = ({ predicates, graphs }: Statistics): unknown =>
  [predicates, graphs].map((counts) => [...counts].toSorted(([x], [y]) => x - y));

test('each can be read, by a logarithm of values; a small change is stored with few entries', async () => {
  const random = seededRandom(11);
  const below = (limit: number): number => Math.floor(random() * limit);
  const keyspace = await newKeyspace();
  const statistics = new Statistics();
  for (let graph = 0; graph < 1000; graph++) statistics.graphs.set(2 + graph * 5, 1);
  statistics.predicates.set(2, 1000);
  let { checkpoints, encoded } = await Checkpoints.whole(1, statistics, pacer);
  const written = [encoded.length];
  await keyspace.write([{ type: 'put', key: keyspace.key(Tag.statistics, 1, 0), value: encoded }]);
  const states = [entriesOf(statistics)];
  const gets: number[] = [];
  for (let number = 2; number <= 120; number++) {
    for (let n = below(4); n >= 0; n--) statistics.graphs.set(2 + below(1300) * 5, below(4));
    statistics.predicates.add(2, 1);
    ({ checkpoints, encoded } = await checkpoints.next(number, statistics, 100, pacer));
    const parts = keyspace.putParts(encoded, (part) => keyspace.key(Tag.statistics, number, part));
    await keyspace.write(parts);
    written.push(encoded.length);
    states.push(entriesOf(statistics));
    if (number % 30 === 0) checkpoints = await readCheckpoints(keyspace, number);
  }
  const { engine } = keyspace;
  let reads = 0;
  const getSync = engine.getSync.bind(engine);
  engine.getSync = (key) => (reads++, getSync(key));
  for (let number = 1; number <= 120; number++) {
    reads = 0;
    expect(entriesOf(await readCheckpoint(keyspace, number))).toEqual(states[number - 1]);
    gets.push(reads);
  }
  expect(Math.max(...gets)).toBeLessThan(9);
  const sum = written.slice(1).reduce((all, bytes) => all + bytes, 0);
  expect(sum / 119).toBeLessThan(written[0]! / 20);

  const gone = (number: number): boolean => number === 40 || number === 41;
  const dependent = new Set(await dependentCheckpoints(keyspace, gone));
  const ops: WriteOp[] = [40, 41, ...dependent].map((number) => ({
    type: 'delete',
    key: keyspace.key(Tag.statistics, number, 0),
  }));
  await keyspace.write(ops);
  for (let number = 1; number <= 120; number++) {
    if (gone(number) || dependent.has(number)) continue;
    expect(entriesOf(await readCheckpoint(keyspace, number))).toEqual(states[number - 1]);
  }
});

async function load(repository: Repository, prefix: string, graphs: number, each: number): Promise<void> {
  const loader = await repository.beginLoad();
  for (let graph = 0; graph < graphs; graph++) {
    await feed(loader, many(`${prefix}${graph}-`, each, `${prefix}${graph}`));
    if (loader.full) await loader.writeChunk();
  }
  await repository.finishLoad(loader, {});
}

async function statisticsBytes({ handle: { keyspace } }: Repository): Promise<number> {
  let bytes = 0;
  for await (const { value } of keyspace.entries(Tag.statistics)) bytes += value.length;
  return bytes;
}

/** The quads of each graph of a revision, by its statistics and by its quads. */
async function compared(repository: Repository, number: number): Promise<void> {
  const snapshot = await repository.snapshotAt(number);
  const { graphs } = await snapshot.statistics();
  const all = await contents(repository, number);
  expect([...graphs].reduce((sum, [, quads]) => sum + quads, 0)).toBe(all.length);
  const names = new Map<string, number>();
  for (const text of all) names.set(text.split(' ')[3]!, (names.get(text.split(' ')[3]!) ?? 0) + 1);
  expect(graphs.size).toBe(names.size);
  for (const [name, quads] of names) {
    const ids = await snapshot.ids({ graph: q(`s p o ${name}`).graph });
    expect(graphs.get(ids!.g)).toBe(quads);
  }
  snapshot.close();
}

test('loads into a repository of many graphs; reopened, trimmed, on a branch', async () => {
  const driver = new MemoryDriver();
  const tuning = { ...SMALL, memtableRows: 1e6, tailTerms: 1e6, loadTailTerms: 1e6 };
  let { store, repository } = await openRepository(driver, { tuning });
  await load(repository, 'base', 700, 1);
  const whole = await statisticsBytes(repository);
  for (let i = 0; i < 12; i++) {
    const before = await statisticsBytes(repository);
    await load(repository, `x${i}-`, 3, 20);
    expect((await statisticsBytes(repository)) - before).toBeLessThan(whole / 3);
    if (i % 5 === 3) {
      await store.close();
      ({ store, repository } = await openRepository(driver, { tuning }));
    }
    if (i === 6) await repository.removeMatches({ graph: q('s p o x2-1').graph });
  }
  for (const number of [1, 2, 5, 9, 10, 15]) await compared(repository, number);
  const { keyspace } = repository.handle;
  await (await repository.branches()).create('dev', { keyspace, record: await repository.resolve(6) });
  const dev = await (await repository.lines()).branch('dev');
  await load(dev, 'dev', 4, 20);
  await load(dev, 'more', 4, 20);
  for (const number of [6, 7, 8]) await compared(dev, number);
  const attest = async (): Promise<Map<never, never>> => new Map<never, never>();
  const { trimmed } = await repository.maintenance.trim({ last: 3, deleteHistory: false, dryRun: false, attest });
  expect(trimmed).toBeGreaterThan(5);
  await load(repository, 'after', 3, 20);
  await store.close();
  ({ store, repository } = await openRepository(driver, { tuning }));
  for (const number of [6, 13, 14, 15, 16]) await compared(repository, number);
  expect((await store.verify()).problems).toEqual([]);
  await store.close();
});
