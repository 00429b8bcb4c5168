/** A position that was trimmed is free again in an object store. What is written there must not count. */
import { S3Driver, type ObjectRequest, type Transport } from '@quadrille/s3';
import type { NewEntry } from '@quadrille/storage-shared';
import { expect, test } from 'vitest';
import { Objects, transportOf } from './objects.js';

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const entry = (position: number, more: Partial<NewEntry> = {}): NewEntry => ({
  log: 0,
  position,
  id: uuid(position),
  previous: position === 1 ? undefined : uuid(position - 1),
  epoch: 1,
  body: Uint8Array.of(position),
  ...more,
});
const FENCE = { epoch: 2, body: new Uint8Array(0) };
const isEntry = ({ method, key }: ObjectRequest): boolean => method === 'PUT' && key.includes('/log/');

async function opened(transport: Transport): Promise<S3Driver> {
  const driver = new S3Driver('s3://store', { transport });
  await driver.open();
  return driver;
}

test('a writer that was suspended finds the fence of the one that replaced it, also after it was trimmed', async () => {
  const send = transportOf(new Objects());
  const [suspended, taker] = [await opened(send), await opened(send)];
  for (const position of [1, 2]) expect(await suspended.append(entry(position))).toBe('ok');
  expect(await taker.append(entry(3, FENCE))).toBe('ok');
  for (const position of [4, 5, 6]) expect(await taker.append(entry(position, { epoch: 2 }))).toBe('ok');
  await taker.trim(0, 6);
  expect(await suspended.append(entry(3, { id: uuid(30) }))).toBe('taken');
});

test('a fence that arrives at a position that was trimmed meanwhile is gone', async () => {
  const send = transportOf(new Objects());
  const writer = await opened(send);
  let arrive!: () => void;
  const arrives = new Promise<void>((resolve) => (arrive = resolve));
  let sent!: () => void;
  const isSent = new Promise<void>((resolve) => (sent = resolve));
  const taker = await opened(async (request) => {
    if (isEntry(request)) {
      sent();
      await arrives;
    }
    return send(request);
  });
  expect(await writer.append(entry(1))).toBe('ok');
  const fence = taker.append(entry(2, { ...FENCE, id: uuid(20) }));
  await isSent;
  for (const position of [2, 3, 4, 5]) expect(await writer.append(entry(position))).toBe('ok');
  await writer.trim(0, 4);
  arrive();
  expect(await fence).toBe('gone');
  // A reader that has read up to there does not take it for the next entry.
  const [change] = await writer.check([{ log: 0, after: 1, id: uuid(1), rootVersion: 0 }]);
  expect(change?.entries.map(({ position }) => position)).toEqual([4, 5]);
});

test('a reader does not take a gap for the end of the log', async () => {
  const send = transportOf(new Objects());
  const [writer, reader] = [await opened(send), await opened(send)];
  for (let position = 1; position <= 5; position++) await writer.append(entry(position));
  await reader.check([{ log: 0, after: 0, rootVersion: 0 }]);
  await writer.trim(0, 5);
  const [change] = await reader.check([{ log: 0, after: 2, id: uuid(2), rootVersion: 0 }]);
  expect([change?.entries.map(({ position }) => position), change?.lost]).toEqual([[5], false]);
});
