import { expect, test } from 'vitest';
import { iterate, type LazySequence, lazySequence } from './index.js';

function counting(last: number): LazySequence<number> & { closed: number } {
  let at = 0;
  return {
    closed: 0,
    next: () => (at < last ? (at++ % 2 === 0 ? at : Promise.resolve(at)) : undefined),
    close() {
      this.closed++;
    },
  };
}

test('a loop gets every item, waited for or not, and closes what it leaves', async () => {
  const all: number[] = [];
  for await (const item of iterate(counting(5))) all.push(item);
  expect(all).toEqual([1, 2, 3, 4, 5]);
  const left = counting(5);
  for await (const item of iterate(left)) if (item === 2) break;
  expect(left.closed).toBe(1);
});

test('a sequence behind an iterable is read without promises where it needs none', async () => {
  const left = counting(5);
  const items = lazySequence(() => iterate(left));
  expect(items.next()).toBe(1);
  expect(await items.next()).toBe(2);
  await items.close();
  expect(left.closed).toBe(1);
  const later = lazySequence(async () => iterate(counting(1)));
  expect(await later.next()).toBe(1);
  expect(later.next()).toBeUndefined();
});

test('an iterable is opened by the first item, and left where it is closed', async () => {
  const log: string[] = [];
  const items = lazySequence(async function* () {
    log.push('open');
    try {
      yield 'a';
      yield 'b';
    } finally {
      log.push('left');
    }
  });
  expect(log).toEqual([]);
  expect(await items.next()).toBe('a');
  await items.close();
  expect(log).toEqual(['open', 'left']);
  expect(await items.next()).toBeUndefined();
});
