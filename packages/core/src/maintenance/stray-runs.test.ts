/** Verify and rebuild while a job's last batch is already readable but not yet reported as written. */
import { MemoryDriver } from '@quadrille/storage';
import type { WriteOp, WriteOutcome, WriteOptions } from '@quadrille/storage';
import { yieldTurn } from '@quadrille/model';
import { expect, test } from 'vitest';
import { Pacer, platformEnv } from '../runtime/env.js';
import { Tag } from '../format/layout.js';
import { flushMemtable } from './flush.js';
import { mergeAll } from './merge-tiers.js';
import { rebuildIndexes } from '../integrity/rebuild.js';
import { contents, feed, many, openRepository, SMALL } from '../testing/fixture.js';

/** A driver that writes at once and can delay its answer, like LMDB, which commits in a thread of its own. */
class LateDriver extends MemoryDriver {
  #held: Promise<void> | undefined;
  #seen: (() => void) | undefined;

  /**
   * Delays the answer to the next batch that ends a job until `answer` is called; `written` resolves when the batch
   * is readable.
   */
  hold(): { written: Promise<void>; answer: () => void } {
    let answer!: () => void;
    this.#held = new Promise((resolve) => (answer = resolve));
    return { written: new Promise((resolve) => (this.#seen = resolve)), answer };
  }

  override async write(ops: readonly WriteOp[], options: WriteOptions): Promise<WriteOutcome> {
    const outcome = await super.write(ops, options);
    const held = this.#held;
    if (held !== undefined && ops.some((op) => op.type === 'delete' && op.key[5] === Tag.session)) {
      this.#held = undefined;
      this.#seen!();
      await held;
    }
    return outcome;
  }
}

/** Enough turns for all work that does not wait for the storage. */
async function manyTurns(): Promise<void> {
  for (let turn = 0; turn < 200; turn++) await yieldTurn();
}

const pacer = new Pacer(platformEnv());

async function lateRepository() {
  const driver = new LateDriver();
  const { repository } = await openRepository(driver, { tuning: { ...SMALL, memtableRows: 1e9, tierRuns: 99 } });
  await repository.commit(many('a', 15, 'g'), []);
  const { maintenance, timeline } = repository.handle;
  const flush = (): Promise<void> => maintenance.run(() => flushMemtable(timeline, pacer));
  const merge = (): Promise<void> => maintenance.run(() => mergeAll(timeline, pacer));
  const load = async (): Promise<void> => {
    const loader = await repository.beginLoad({ replace: true });
    await feed(loader, many('b', 60, 'g'));
    await loader.writeChunk();
    await repository.finishLoad(loader, {});
  };
  return { driver, repository, jobs: { flush, merge, load } };
}

test.each(['flush', 'merge', 'load'] as const)('verify while a %s has ended and does not know it', async (name) => {
  const { driver, repository, jobs } = await lateRepository();
  if (name === 'merge') {
    await jobs.flush();
    await repository.commit(many('c', 10), many('a', 5, 'g'));
    await jobs.flush();
  }
  const { written, answer } = driver.hold();
  const job = jobs[name]();
  await written;
  const verified = repository.maintenance.verify();
  await manyTurns();
  answer();
  expect((await verified).problems).toEqual([]);
  await job;
  expect((await repository.maintenance.verify()).problems).toEqual([]);
});

test('rebuild while a load has ended and does not know it', async () => {
  const { driver, repository, jobs } = await lateRepository();
  const { written, answer } = driver.hold();
  const load = jobs.load();
  await written;
  const rebuilt = rebuildIndexes(repository.handle);
  await manyTurns();
  answer();
  await Promise.all([load, rebuilt]);
  expect((await contents(repository)).length).toBe(60);
  expect((await repository.maintenance.verify()).problems).toEqual([]);
});
