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
