import { expect, test } from 'vitest';
import { SlowSenders } from './slow-senders.js';

const LIMITS = { importIdleMs: 60_000, importBusyRate: 100_000 };

/** Others than this account wait so long. */
const waiting = (ms: number) => ({ longestWaitMs: (except: string) => (except === 'waits' ? 0 : ms) });

test('the slowest import gives up its place, if others wait and it comes slowly', () => {
  const slow = new SlowSenders(waiting(10_000), LIMITS);
  const [a, b, c] = [slow.enter('ann'), slow.enter('ann'), slow.enter('bob')];
  // None has to go before its time.
  expect(slow.mayStay(a, () => 2000, 9999)).toBe(true);
  expect(slow.mayStay(b, () => 50_000, 10_000)).toBe(true);
  expect(slow.mayStay(c, () => 500_000, 10_000)).toBe(true);
  expect(slow.mayStay(a, () => 2000, 10_000)).toBe(false);
  slow.leave(a);
  expect(slow.mayStay(b, () => 50_000, 10_000)).toBe(false);
  expect(slow.mayStay(b, () => 100_000, 10_000)).toBe(true);
  expect(slow.mayStay(b, () => 50_000, 9000)).toBe(true);
});

test('nobody has to go for its own account, or for one that has not waited long', () => {
  const others = new SlowSenders(waiting(9999), LIMITS);
  expect(others.mayStay(others.enter('ann'), () => 1, 60_000)).toBe(true);
  const own = new SlowSenders(waiting(60_000), LIMITS);
  expect(own.mayStay(own.enter('waits'), () => 1, 60_000)).toBe(true);
  expect(own.mayStay(own.enter('ann'), () => 0, 60_000)).toBe(false);
});
