/** A transaction stages, reads and is committed, with other commits in between. */
import type { Revision, StagedTransaction } from '@quadrille/core';
import { ConflictError, termToText } from '@quadrille/model';
import { check } from './check.js';
import {
  below,
  differenceText,
  matching,
  quadOf,
  randomPattern,
  randomQuad,
  randomQuads,
  readLines,
  sameSet,
  someOf,
  termsOf,
} from './operations.mjs';
import type { State } from './operations.mjs';
import { followRevision } from './revisions.js';
import { singleChange } from './single-changes.js';
import { Staged } from './staged.js';
import type { World } from './world.js';

export async function transactionStep(world: World): Promise<void> {
  const label = world.newLabel();
  const between = world.random() < 0.5;
  const reading = world.random() < 0.5;
  world.say(label, { transaction: { between, reading } });
  const transaction = await world.repository.begin();
  try {
    const base = world.head;
    const staged = await stageAtRandom(world, transaction, reading, label);
    if (between) for (let n = 1 + below(world.random, 3); n > 0; n--) await singleChange(world);
    if (world.random() < 0.15) return;
    const outcome = await world.repository
      .commitTransaction(transaction, { message: label })
      .catch((error: unknown) => error);
    // Removing by pattern is a reading too.
    if (transaction.hasRead && world.head !== base) {
      check(
        outcome instanceof ConflictError,
        () => `a transaction that has read revision ${base} was committed at ${world.head}: ${String(outcome)}`,
      );
      return;
    }
    if (outcome instanceof Error) throw outcome;
    const next = staged.applyTo(world.state);
    const { number } = outcome as Revision;
    if (sameSet(next, world.state))
      check(number === world.head, () => `transaction without a change made revision ${number}`);
    else await followRevision(world, number, label, next);
  } finally {
    transaction.close();
  }
}

async function stageAtRandom(
  world: World,
  transaction: StagedTransaction,
  reading: boolean,
  label: string,
): Promise<Staged> {
  const staged = new Staged(world.states[transaction.base.number]!);
  for (let n = 1 + below(world.random, 6); n > 0; n--) {
    const chance = world.random();
    if (chance < 0.45) {
      const lines = [...randomQuads(world.random, world.words, 4), ...someOf(world.random, staged.state, 2)];
      world.say(`${label} add`, lines);
      await transaction.add(lines.map((line) => quadOf(line).quad));
      staged.add(lines);
    } else if (chance < 0.8) {
      const lines = [...someOf(world.random, staged.state, 3), randomQuad(world.random, world.words)];
      world.say(`${label} remove`, lines);
      await transaction.remove(lines.map((line) => quadOf(line).quad));
      staged.remove(lines);
    } else {
      const pattern = randomPattern(world.random, world.words);
      world.say(`${label} removeMatches`, pattern);
      await transaction.removeMatches(termsOf(pattern));
      staged.remove(matching(pattern, staged.state));
      check(transaction.hasRead, () => 'removeMatches is no reading');
    }
    if (reading) await checkTransaction(world, transaction, staged.state);
  }
  return staged;
}

async function checkTransaction(world: World, transaction: StagedTransaction, state: State): Promise<void> {
  const pattern = randomPattern(world.random, world.words);
  const expected = new Set(matching(pattern, state));
  const wrong = differenceText(await readLines(await transaction.read(termsOf(pattern))), expected);
  check(wrong === undefined, () => `the transaction reads for ${JSON.stringify(pattern)}: ${wrong}`);
  const count = await transaction.count(termsOf(pattern));
  check(
    count === expected.size,
    () => `the transaction counts ${count}, not ${expected.size}, for ${JSON.stringify(pattern)}`,
  );
  await transaction.beginReading();
  check(transaction.size === state.size, () => `the transaction has ${transaction.size} quads, not ${state.size}`);
  const graphs = (await transaction.graphs()).map((term) => termToText(term)).sort();
  const expectedGraphs = graphsOf(state);
  check(
    graphs.join() === expectedGraphs.join(),
    () => `the transaction has graphs ${graphs.join()}, not ${expectedGraphs.join()}`,
  );
}

function graphsOf(state: State): string[] {
  return [...new Set([...state].map((line) => quadOf(line).texts[3]))].filter((graph) => graph !== '').sort();
}
