import { once } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { streamOf } from './node-stream.js';

test('the next batch is asked for when the one before it has come, however short batches are', async () => {
  let batches = 0;
  let pending = 0;
  let most = 0;
  const stream = streamOf<number>(
    () => ({
      async next() {
        most = Math.max(most, ++pending);
        await turn();
        pending--;
        return batches++ < 20 ? [batches] : undefined;
      },
      close: () => undefined,
    }),
    {},
  );
  const items: number[] = [];
  stream.on('data', (item: number) => items.push(item));
  await once(stream, 'end');
  expect(items).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
  expect(most).toBe(1);
});
