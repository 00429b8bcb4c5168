import { expect, test } from 'vitest';
import { AdmissionQueue } from './admission-queue.js';

const never = new AbortController().signal;

/** Enters and notes when it was let in. */
function entering(queue: AdmissionQueue, log: string[]) {
  return (account: string, signal = never): Promise<() => void> =>
    queue.enter(account, signal).then((leave) => {
      log.push(account);
      return leave;
    });
}
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('so many run at once, of one account and in all', async () => {
  const log: string[] = [];
  const queue = new AdmissionQueue('imports', { atOnce: 3, atOncePerAccount: 2, waitingPerAccount: 10 });
  const enter = entering(queue, log);
  const [leaveA] = await Promise.all([enter('a'), enter('a')]);
  void enter('a');
  await enter('b');
  void enter('c');
  await turn();
  expect(log).toEqual(['a', 'a', 'b']);
  expect(queue.waiting).toBe(2);
  leaveA();
  leaveA();
  await turn();
  expect(log).toEqual(['a', 'a', 'b', 'a']);
  expect(queue.waiting).toBe(1);
});

test('accounts take turns however many of one wait', async () => {
  const log: string[] = [];
  const queue = new AdmissionQueue('imports', { atOnce: 1, atOncePerAccount: 1, waitingPerAccount: 100 });
  const enter = entering(queue, log);
  const rest = [...'aaaaabbc'].map((account) => enter(account));
  for (const entered of rest.slice(0, 1)) (await entered)();
  for (let i = 0; i < 7; i++) {
    await turn();
    const index = [...'aaaaabbc'].findIndex((account, at) => at > 0 && account === log.at(-1) && !left.has(at));
    left.add(index);
    (await rest[index]!)();
  }
  await turn();
  expect(log.join('')).toBe('aabcabaa');
});
const left = new Set<number>();

test('an abort leaves the line; a full one refuses', async () => {
  const queue = new AdmissionQueue('imports', { atOnce: 1, atOncePerAccount: 1, waitingPerAccount: 1 });
  const leave = await queue.enter('a', never);
  const client = new AbortController();
  const waiting = queue.enter('a', client.signal);
  await expect(queue.enter('a', never)).rejects.toMatchObject({ code: 'RATE_LIMITED', details: { retryAfter: 30 } });
  client.abort(new Error('gone'));
  await expect(waiting).rejects.toThrow('gone');
  await expect(queue.enter('a', client.signal)).rejects.toThrow('gone');
  leave();
  expect(queue.waiting).toBe(0);
  (await queue.enter('a', never))();
});

test('those that wait hold so many bytes, of one account and in all; those that leave give them back', async () => {
  const queue = new AdmissionQueue('queries', {
    atOnce: 1,
    atOncePerAccount: 1,
    waitingPerAccount: 9,
    waitingBytes: 400,
  });
  const leave = await queue.enter('z', never, 5000);
  const client = new AbortController();
  const waiting = [queue.enter('a', never, 60), queue.enter('a', client.signal, 40)];
  await expect(queue.enter('a', never, 1)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  for (const account of ['b', 'c', 'd']) void queue.enter(account, never, 100);
  await expect(queue.enter('e', never, 1)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  client.abort(new Error('gone'));
  await expect(waiting[1]).rejects.toThrow('gone');
  void queue.enter('a', never, 40);
  leave();
  (await waiting[0]!)();
  void queue.enter('a', never, 60);
});
