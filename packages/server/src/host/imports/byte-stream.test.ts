import { expect, test } from 'vitest';
import { ByteBudget } from '../byte-budget.js';
import { bodyOf } from '../testing/fixtures.js';
import { readAhead } from './byte-stream.js';

const chunk = new Uint8Array(100);
async function lengthOf(chunks: AsyncIterable<Uint8Array>): Promise<number> {
  let length = 0;
  for await (const each of chunks) length += each.length;
  return length;
}

test('a short stream is read whole, of a long one the beginning', async () => {
  const budget = new ByteBudget(1000);
  const short = await readAhead(bodyOf(chunk, chunk), 250, budget);
  const long = await readAhead(bodyOf(chunk, chunk, chunk, chunk, chunk), 250, budget);
  expect([short.bytes, long.bytes]).toEqual([200, undefined]);
  expect([await lengthOf(short.chunks), await lengthOf(long.chunks)]).toEqual([200, 500]);
});

test('streams together are read ahead as far as the budget goes, and give their bytes back', async () => {
  const budget = new ByteBudget(350);
  const streams = await Promise.all(
    Array.from({ length: 10 }, () => readAhead(bodyOf(chunk, chunk, chunk, chunk), 1000, budget)),
  );
  expect(streams.every(({ bytes }) => bytes === undefined)).toBe(true);
  expect(budget.exceeded).toBe(true);
  for (const [i, { chunks, release }] of streams.entries()) {
    // Some are read, some are refused before they are.
    if (i % 2 === 0) expect(await lengthOf(chunks)).toBe(400);
    release();
  }
  budget.hold(350);
  expect(budget.exceeded).toBe(false);
  budget.release(350);
  expect((await readAhead(bodyOf(chunk, chunk), 1000, budget)).bytes).toBe(200);
});

test('a stream that fails while it is read ahead gives its bytes back', async () => {
  async function* failing(): AsyncGenerator<Uint8Array> {
    yield chunk;
    throw new Error('broken off');
  }
  const budget = new ByteBudget(100);
  for (let i = 0; i < 3; i++) await expect(readAhead(failing(), 1000, budget)).rejects.toThrow('broken off');
  budget.hold(100);
  expect(budget.exceeded).toBe(false);
});
