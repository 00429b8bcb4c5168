import { EventEmitter, once } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import type * as RDF from '@rdfjs/types';
import { expect, test } from 'vitest';
import { asStore, literal, quad } from '../index.js';
import { ex, repository } from '../testing/fixtures.js';
import { itemsOf } from './stream-items.js';

const MEBIBYTE = 1024 * 1024;

/** Emits numbers, many in each turn, as long as it is not paused. */
class Counter extends EventEmitter {
  emitted = 0;
  pauses = 0;
  isPaused = false;

  constructor(private readonly count: number) {
    super();
    void this.#run();
  }

  async #run(): Promise<void> {
    while (this.emitted < this.count) {
      await turn();
      for (let n = 0; n < 100 && !this.isPaused && this.emitted < this.count; n++) this.emit('data', this.emitted++);
    }
    this.emit('end');
  }

  pause(): void {
    this.pauses++;
    this.isPaused = true;
  }

  resume(): void {
    this.isPaused = false;
  }
}

test('an emitter is paused when it is far ahead, and nothing is lost', async () => {
  const counter = new Counter(5000);
  let taken = 0;
  let ahead = 0;
  for await (const item of itemsOf<number>(counter, () => 8 * 1024)) {
    expect(item).toBe(taken++);
    ahead = Math.max(ahead, counter.emitted - taken);
    if (taken % 10 === 0) await turn();
  }
  expect(taken).toBe(5000);
  expect(counter.pauses).toBeGreaterThan(10);
  // 16 KiB each: those that wait, and as many that are being taken.
  expect(ahead * 16 * 1024).toBeLessThan(9 * MEBIBYTE);
});

test('one that cannot be paused fails the import when it is too far ahead, and changes nothing', async () => {
  const repo = await repository('z p z');
  const emitter = new EventEmitter();
  const long = quad(ex('s'), ex('p'), literal('x'.repeat(4 * MEBIBYTE)));
  const result = asStore(repo).import(emitter as unknown as RDF.Stream<RDF.Quad>);
  for (let n = 0; n < 40; n++) emitter.emit('data', long);
  emitter.emit('end');
  await expect(once(result, 'end')).rejects.toMatchObject({
    code: 'INPUT_TOO_LARGE',
    message: expect.stringContaining('pause()') as string,
  });
  expect(await repo.size()).toBe(1);
  expect(emitter.listenerCount('data')).toBe(0);
});

test('what is no quad fails the import, not the emitter', async () => {
  const repo = await repository();
  for (const wrong of [null, 5, {}]) {
    const emitter = new EventEmitter();
    const result = asStore(repo).import(emitter as unknown as RDF.Stream<RDF.Quad>);
    emitter.emit('data', wrong);
    emitter.emit('end');
    await expect(once(result, 'end')).rejects.toMatchObject({ code: 'INVALID_TERM' });
  }
});
