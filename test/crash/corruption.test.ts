/**
 * One flipped bit in any stored value, below the engine, is found: by the call that reads it, with a CorruptionError, and
 * by verify(). No answer is ever wrong.
 */
import type { Repository } from '@quadrille/core';
import { CorruptionError, termToText } from '@quadrille/model';
import type { MemoryDriver } from '@quadrille/storage';
import { seededRandom } from '@quadrille/storage/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { SEED } from '../model/environment.js';
import { below, differenceText, stateAt, termsOf } from '../model/operations.mjs';
import type { State } from '../model/operations.mjs';
import { flipped, KINDS, makeSample, NAME, open } from './sample-store.js';
import type { Sample } from './sample-store.js';

/** Without these the store or its catalogue does not open: verify has nothing to look at. */
const UNOPENABLE = new Set(['store record', 'repository record']);
/** Everything that can be asked; what is answered is right, or the question fails with a CorruptionError. */
async function ask(driver: MemoryDriver, states: readonly State[]): Promise<CorruptionError[]> {
  const found: CorruptionError[] = [];
  const attempt = async (question: () => Promise<void>): Promise<void> => {
    try {
      await question();
    } catch (error) {
      if (!(error instanceof CorruptionError)) throw error;
      found.push(error);
    }
  };
  const store = await open(driver).catch((error: unknown) => {
    if (!(error instanceof CorruptionError)) throw error;
    found.push(error);
    return undefined;
  });
  if (store === undefined) return found;
  try {
    await attempt(async () => expect([...(await store.repositories()).keys()]).toEqual([NAME]));
    let repository: Repository | undefined;
    await attempt(async () => void (repository = await store.repository(NAME)));
    if (repository !== undefined) await askRepository(repository, states, attempt);
    await attempt(async () => {
      const report = await store.verify();
      for (const { code, message } of report.problems)
        found.push(new CorruptionError(code as 'CHECKSUM', `verify: ${message}`));
    });
  } finally {
    await store.close();
  }
  return found;
}

async function askRepository(
  repository: Repository,
  states: readonly State[],
  attempt: (question: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const head = states.length - 1;
  for (let number = 1; number <= head; number++) {
    await attempt(async () =>
      expect(differenceText(await stateAt(repository, number), states[number]!)).toBeUndefined(),
    );
    await attempt(async () => {
      const snapshot = await repository.snapshotAt(number);
      try {
        for (const predicate of ['<a:p0>', '<a:p2>']) {
          const ids = await snapshot.ids(termsOf({ p: predicate }));
          const count = ids === undefined ? 0 : await snapshot.count(ids);
          expect(count).toBe([...states[number]!].filter((line) => line.split(' ')[1] === predicate).length);
        }
      } finally {
        snapshot.close();
      }
    });
  }
  await attempt(async () => {
    let [added, removed] = [0, 0];
    for await (const entries of repository.history.diff(2, head))
      for (const { op } of entries) {
        if (op === 'add') added++;
        else removed++;
      }
    const [first, last] = [states[2]!, states[head]!];
    expect([added, removed]).toEqual([
      [...last].filter((line) => !first.has(line)).length,
      [...first].filter((line) => !last.has(line)).length,
    ]);
  });
  await attempt(async () => {
    const snapshot = repository.snapshot();
    try {
      const ids = await snapshot.ids(termsOf({ s: '<a:new>' }));
      const quads = ids === undefined ? [] : await snapshot.read(ids).next();
      expect(quads?.map((quad) => termToText(quad.object)).sort()).toEqual(['"in the tail too"', '"in the tail"']);
    } finally {
      snapshot.close();
    }
  });
  await attempt(async () => expect((await repository.resolve('v1')).number).toBe(3));
  await attempt(async () =>
    expect([...(await repository.namespaces.list()).values()].map((iri) => new TextDecoder().decode(iri))).toEqual([
      'http://example.org/',
    ]),
  );
}

describe(`one flipped bit (QUADRILLE_SEED=${SEED})`, () => {
  let sample: Sample;

  beforeAll(async () => {
    sample = await makeSample();
    expect(await ask(sample.driver, sample.states)).toEqual([]);
  });

  for (const [kind, isKind] of Object.entries(KINDS)) {
    it(`in a ${kind}`, async () => {
      const random = seededRandom(SEED);
      const { driver, states, entries } = sample;
      const values = entries.filter(({ key }) => isKind(key));
      expect(values.length, 'values of this kind').toBeGreaterThan(0);
      for (const { key, value } of values) {
        const bit = below(random, value.length * 8);
        await driver.write([{ type: 'put', key, value: flipped(value, bit) }], { durable: true });
        const found = await ask(driver, states);
        await driver.write([{ type: 'put', key, value }], { durable: true });
        expect(
          found.length,
          `bit ${bit} of ${value.length * 8} under ${Buffer.from(key).toString('hex')}`,
        ).toBeGreaterThan(0);
        // By verify, or nothing that verify needs could be opened.
        const byVerify = found.some(({ message }) => message.startsWith('verify'));
        expect(
          byVerify || UNOPENABLE.has(kind),
          `verify does not find bit ${bit}: ${found.map(String).join('; ')}`,
        ).toBe(true);
      }
      expect(await ask(driver, states), 'all is well again').toEqual([]);
    }, 60_000);
  }
});
