import { expect, test } from 'vitest';
import { Mutex } from './mutex.js';

test('a lock is held while a section runs, also one that waits, and not before or after', async () => {
  const lock = new Mutex();
  expect(() => lock.assertHeld()).toThrow('the lock is not held');
  await lock.run(async () => {
    lock.assertHeld();
    await Promise.resolve();
    lock.assertHeld();
  });
  await expect(lock.run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  await Promise.resolve();
  expect(() => lock.assertHeld()).toThrow('the lock is not held');
});

test('a free lock begins in the turn of the call, and a section that throws at once rejects; the others come in order', async () => {
  const lock = new Mutex();
  const order: number[] = [];
  const section = (number: number) => async () => {
    order.push(number);
    await Promise.resolve();
    order.push(number);
  };
  const first = lock.run(section(1));
  expect(order).toEqual([1]);
  const thrown = lock.run(() => {
    throw new Error('thrown');
  });
  const third = lock.run(section(3));
  await expect(thrown).rejects.toThrow('thrown');
  await Promise.all([first, third]);
  expect(order).toEqual([1, 1, 3, 3]);
});
