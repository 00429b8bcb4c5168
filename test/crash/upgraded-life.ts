/** A random life of a store of an earlier format: its old revisions stay what they were, and new ones are as the model says. */
import { join } from 'node:path';
import { Store } from '@quadrille/core';
import { MemoryDriver, StorageEngine } from '@quadrille/storage';
import type { StorageDriver } from '@quadrille/storage';
import { OLD_STORE, oldDirectory, oldMemory, openDriver } from '../../packages/quadrille/src/testing/old-store.js';
import { check } from '../model/check.js';
import { seededEnv, tinyTuning } from '../model/environment.js';
import {
  applied,
  below,
  differenceText,
  perform,
  pick,
  randomOperation,
  stateAt,
  vocabulary,
} from '../model/operations.mjs';
import type { Random, State } from '../model/operations.mjs';

const NAME = 'acme/people';
/** Backend and format of the marker. */
const PLACES = [
  ['memory', 1],
  ['leveldb', 1],
  ['leveldb', 2],
  ['leveldb', 3],
  ['leveldb', 4],
  ['lmdb', 1],
  ['lmdb', 2],
  ['lmdb', 4],
] as const;

const EX = 'http://example.org/';
/** An N-Quads line of a quad of the old store: its terms are names, and values that begin with v or a capital letter. */
function lineOf(text: string): string {
  const [s, p, o, g] = text.trim().split(' ');
  const object = /^(?:v\d+|Alice|Bob|Carol)$/.test(o!) ? `"${o!}"` : `<${EX}${o!}>`;
  return `<${EX}${s!}> <${EX}${p!}> ${object}${g === undefined ? '' : ` <${EX}${g}>`} .`;
}

/** The states of the old revisions, by number. */
function oldStates(): State[] {
  const states: State[] = [new Set()];
  for (const [number, quads] of Object.entries(OLD_STORE.states)) states[Number(number)] = new Set(quads.map(lineOf));
  return states;
}

/** @throws Error where an old revision is another one, or a new one not as the model says */
export async function upgradedLife(random: Random, directory: string): Promise<{ plan: string; operations: number }> {
  const [backend, format] = pick(random, PLACES);
  const path = join(directory, 'old');
  const memory = backend === 'memory' ? await oldMemory() : undefined;
  if (backend !== 'memory') await oldDirectory(path, backend, format);
  const driver = async (): Promise<StorageDriver> =>
    memory ?? (backend === 'memory' ? new MemoryDriver() : openDriver(path, backend));
  const options = { env: seededEnv(random), tuning: tinyTuning(random), cacheBytes: 1, durable: random() < 0.2 };
  const opened = async (): Promise<Store> => Store.open(await StorageEngine.open(await driver()), options);
  const states = oldStates();
  const words = vocabulary(random, { long: random() < 0.1 });
  const plan = [`${backend} ${format}`];
  let store = await opened();
  const compareAll = async (): Promise<void> => {
    const repository = await store.repository(NAME);
    const { number: head } = repository.head;
    check(head === states.length - 1, () => `the head is ${head}, not ${states.length - 1}`);
    for (let number = 1; number <= head; number++) {
      const difference = differenceText(await stateAt(repository, number), states[number]!);
      check(difference === undefined, () => `revision ${number} of ${head} (${plan.join()}): ${difference}`);
    }
    const tag = (await repository.resolve('v1')).number;
    check(tag === 4, () => `the tag is ${tag}`);
    const report = await store.verify();
    check(report.ok, () => `verify: ${JSON.stringify(report.problems)}`);
  };
  const steps = 3 + below(random, 25);
  try {
    await compareAll();
    for (let n = 0; n < steps; n++) {
      if (random() < 0.15) {
        plan.push('reopen');
        await store.close();
        store = await opened();
      }
      const repository = await store.repository(NAME);
      if (random() < 0.1) {
        const kind = random() < 0.7 ? 'compact' : 'rebuild';
        plan.push(kind);
        await perform(repository, { kind });
      }
      const operation = randomOperation(random, words, states);
      plan.push(JSON.stringify(operation));
      await perform(repository, operation, {}, `o${n}x`);
      const next = applied(states, operation, `o${n}x`);
      if (next !== states.at(-1)) states.push(next);
    }
    await compareAll();
    await store.close();
    store = await opened();
    await compareAll();
  } finally {
    await store.close();
  }
  return { plan: plan.join('\n'), operations: steps };
}
