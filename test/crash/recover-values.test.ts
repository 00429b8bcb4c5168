/**
 * Recovery of a store in which any one value is damaged: everything before the first revision that needs the value is kept,
 * nothing wrong comes out, and what is lost is told.
 */
import { recoverStore, Store } from '@quadrille/core';
import type { RecoveryReport } from '@quadrille/core';
import { MemoryDriver, StorageEngine } from '@quadrille/storage';
import type { Bytes, Entry } from '@quadrille/storage';
import { seededRandom } from '@quadrille/storage/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { SEED } from '../model/environment.js';
import { below, differenceText, perform, stateAt } from '../model/operations.mjs';
import { flipped, KINDS, makeSample, NAME, open, TUNING } from './sample-store.js';
import type { Sample } from './sample-store.js';
import { countingEnv } from './scenario.js';

/** What is made anew, so that nothing is lost with it. */
const DERIVED = new Set(['root', 'hash page', 'hash fences', 'run fences', 'statistics', 'dictionary', 'store record']);

interface Recovered {
  readonly report: RecoveryReport;
  readonly store: Store;
}

async function recovered(driver: MemoryDriver): Promise<Recovered> {
  const source = await StorageEngine.open(driver);
  const copy = new MemoryDriver();
  const target = await StorageEngine.open(copy);
  const report = await recoverStore(source, target, { env: countingEnv(), damages: [], tuning: TUNING });
  await target.close();
  await source.close();
  return { report, store: await open(copy) };
}

describe(`recovery of a store with one flipped bit (QUADRILLE_SEED=${SEED})`, () => {
  let sample: Sample;
  beforeAll(async () => {
    sample = await makeSample();
  });

  // Up to the revisions that are kept it is the store that was there, and it goes on.
  async function check({ report, store }: Recovered): Promise<number> {
    const { states } = sample;
    const [{ name, revisionsKept, revisionsLost }] = report.repositories as [RecoveryReport['repositories'][0]];
    expect(revisionsKept + revisionsLost).toBe(states.length - 1);
    const repository = await store.repository(name);
    expect(repository.head.number).toBe(Math.max(1, revisionsKept));
    for (let number = 1; number <= revisionsKept; number++)
      expect(differenceText(await stateAt(repository, number), states[number]!), `revision ${number}`).toBeUndefined();
    expect((await store.verify()).problems).toEqual([]);
    const line = '<a:z> <a:p> "after the recovery" .';
    expect((await perform(repository, { kind: 'change', added: [line], removed: [] })).added).toBe(1);
    expect((await store.verify()).problems).toEqual([]);
    await store.close();
    return revisionsLost;
  }

  it('nothing damaged: the same revisions, tags and prefixes, and nothing lost', async () => {
    const result = await recovered(sample.driver);
    expect(result.report).toEqual({
      repositories: [{ name: NAME, revisionsKept: sample.states.length - 1, revisionsLost: 0, quadsLost: 0 }],
      problems: [],
    });
    const before = await open(sample.driver);
    const [old, repository] = [await before.repository(NAME), await result.store.repository(NAME)];
    for (let number = 1; number < sample.states.length; number++)
      expect((await repository.resolve(number)).digest).toEqual((await old.resolve(number)).digest);
    expect((await repository.resolve('v1')).number).toBe(3);
    expect(await repository.namespaces.list()).toEqual(await old.namespaces.list());
    expect(await result.store.record(NAME)).toEqual(await before.record(NAME));
    await before.close();
    expect(await check(result)).toBe(0);
  });

  for (const [kind, isKind] of Object.entries(KINDS)) {
    it(`in a ${kind}`, async () => {
      const random = seededRandom(SEED);
      const { driver, entries } = sample;
      const values = entries.filter(({ key }) => isKind(key));
      let lost = 0;
      for (const { key, value } of values) {
        const bit = below(random, value.length * 8);
        await driver.write([{ type: 'put', key, value: flipped(value, bit) }], { durable: true });
        const result = await recovered(driver);
        await driver.write([{ type: 'put', key, value }], { durable: true });
        const where = `${Buffer.from(key).toString('hex')}: ${JSON.stringify(result.report)}`;
        const revisionsLost = await check(result);
        if (revisionsLost > 0) lost++;
        if (DERIVED.has(kind)) expect(revisionsLost, where).toBe(0);
        if (kind === 'log record') expect(result.report.repositories[0]!.revisionsKept, where).toBe(numberIn(key) - 1);
        const told = result.report.problems.some((problem) => problem.lost);
        expect(told, where).toBe(
          revisionsLost > 0 || ['head', 'namespace', 'tag', 'account record', 'repository record'].includes(kind),
        );
      }
      if (['log record', 'term block', 'term tail', 'long term'].includes(kind)) expect(lost).toBe(values.length);
    }, 60_000);
  }

  const numberIn = (key: Bytes): number => new DataView(key.buffer, key.byteOffset).getUint32(6);

  it('says how many quads the lost revisions had added, also of those whose records are gone', async () => {
    const { driver, entries, states } = sample;
    const isRecord = KINDS['log record']!;
    const records = entries.filter(({ key }) => isRecord(key));
    const store = await open(driver);
    const repository = await store.repository(NAME);
    const added: number[] = [];
    for (let number = 1; number < states.length; number++) added.push((await repository.resolve(number)).addedCount);
    await store.close();
    const lose = async (lost: readonly Entry[]): Promise<RecoveryReport> => {
      await driver.write(
        lost.map(({ key }) => ({ type: 'delete', key })),
        { durable: true },
      );
      const { report, store: copy } = await recovered(driver);
      await copy.close();
      await driver.write(
        lost.map(({ key, value }) => ({ type: 'put', key, value })),
        { durable: true },
      );
      return report;
    };
    // The second revision is a load into an empty repository: what it added is what the third one found.
    const second = await lose(records.slice(1, 2));
    const all = added.reduce((sum, n) => sum + n, 0);
    expect(second.repositories).toEqual([
      { name: NAME, revisionsKept: 1, revisionsLost: states.length - 2, quadsLost: all },
    ]);
    const everything = await lose(records);
    expect(everything.repositories[0]).toMatchObject({ revisionsKept: 0, revisionsLost: states.length - 1 });
    expect(everything.problems.map(({ message }) => message).join()).toMatch(/revision 1 is missing.*are lost/);
  });
});
