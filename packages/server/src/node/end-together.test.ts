import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { endTogether } from './end-together.js';

/** Two requests that wait for their answers, and what their clients will get. */
async function twoRequests(): Promise<{ waiting: ServerResponse[]; texts: Promise<string[]>; close: () => void }> {
  const waiting: ServerResponse[] = [];
  let both = (): void => undefined;
  const came = new Promise<void>((resolve) => (both = resolve));
  const server = createServer((_, outgoing) => {
    if (waiting.push(outgoing) === 2) both();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const text = async (): Promise<string> => (await fetch(url)).text();
  const texts = Promise.all([text(), text()]);
  await came;
  return { waiting, texts, close: () => server.close() };
}

test('whole answers go out when all that is ready is there', async () => {
  const { waiting, texts, close } = await twoRequests();
  const [first, second] = waiting as [ServerResponse, ServerResponse];
  endTogether(first, 'one');
  expect(first.writableEnded).toBe(false);
  endTogether(second, new TextEncoder().encode('two'));
  await turn();
  expect([first.writableEnded, second.writableEnded]).toEqual([true, true]);
  expect((await texts).toSorted()).toEqual(['one', 'two']);
  close();
});

test('none waits for an answer that takes long', async () => {
  const { waiting, texts, close } = await twoRequests();
  const [first, second] = waiting as [ServerResponse, ServerResponse];
  endTogether(first, 'one');
  for (const end = performance.now() + 3; performance.now() < end;);
  endTogether(second, undefined);
  expect(first.writableEnded).toBe(true);
  expect((await texts).toSorted()).toEqual(['', 'one']);
  close();
});
