import { brotliDecompressSync, constants, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { toResponse } from '../fetch/fetch.js';
import type { Coding } from '../platform/platform.js';
import { acceptedCoding, codingFor, packed } from './compression.js';
import { Reply } from './reply.js';

const encoder = new TextEncoder();
const asking = (coding: string): Request => new Request('http://h/', { headers: { 'Accept-Encoding': coding } });
const answer = (body: ReadableStream<Uint8Array>): Reply =>
  new Reply(body, { headers: { 'Content-Type': 'text/plain', ETag: '"x"' } });

/** What a decoder makes of a document that has not ended. */
const soFar = (coding: string, bytes: Uint8Array): string =>
  coding === 'br'
    ? brotliDecompressSync(bytes, { finishFlush: constants.BROTLI_OPERATION_FLUSH }).toString()
    : gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH }).toString();

test.each(['gzip', 'br'])('%s: what a slow source has given goes out before the next', async (coding) => {
  let release = (): void => undefined;
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      controller.enqueue(encoder.encode('first '.repeat(300)));
      await new Promise<void>((resolve) => (release = resolve));
      controller.enqueue(encoder.encode('second'));
      controller.close();
    },
  });
  const response = await packed(answer(body), coding as Coding);
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  let bytes: Uint8Array = new Uint8Array(0);
  const more = async (): Promise<boolean> => {
    const { done, value } = await reader.read();
    if (value !== undefined) bytes = Buffer.concat([bytes, value]);
    return !done;
  };
  while (bytes.length === 0 || !soFar(coding, bytes).endsWith('first ')) expect(await more()).toBe(true);
  expect(soFar(coding, bytes)).toBe('first '.repeat(300));
  release();
  while (await more());
  expect(soFar(coding, bytes)).toBe(`${'first '.repeat(300)}second`);
});

test('a first small piece does not wait for the second', async () => {
  const never = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(encoder.encode('data: 1\n\n')),
  });
  const response = await packed(answer(never), 'gzip');
  expect(response.headers.get('Content-Encoding')).toBe('gzip');
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  let bytes: Uint8Array = new Uint8Array(0);
  while (soFar('gzip', bytes.length === 0 ? Buffer.from([]) : bytes) !== 'data: 1\n\n') {
    bytes = Buffer.concat([bytes, (await reader.read()).value!]);
  }
  await reader.cancel();
});

test('nothing is read ahead of a reader that waits, and leaving stops the source', async () => {
  let pulls = 0;
  let cancelled = false;
  const endless = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        pulls++;
        controller.enqueue(crypto.getRandomValues(new Uint8Array(32_768)));
      },
      cancel() {
        cancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  const response = await packed(answer(endless), 'gzip');
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  for (let i = 0; i < 3; i++) await reader.read();
  const read = pulls;
  await new Promise((resolve) => setTimeout(resolve, 150));
  expect(pulls).toBe(read);
  expect(read).toBeLessThan(8);
  await reader.cancel();
  expect(cancelled).toBe(true);
});

test('an answer that fails in the middle fails, packed or not', async () => {
  const failing = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (controller.desiredSize === 1) controller.enqueue(encoder.encode('x'.repeat(5000)));
      await new Promise((resolve) => setTimeout(resolve, 20));
      controller.error(new Error('broke'));
    },
  });
  const response = await packed(answer(failing), 'gzip');
  await expect(toResponse(response).arrayBuffer()).rejects.toThrow('broke');
});

test.each([
  ['gzip, deflate, br', 'gzip'],
  ['br;q=1.0, gzip;q=0.8', 'br'],
  ['deflate', 'deflate'],
  ['*;q=0.1', 'gzip'],
  ['gzip;q=0, *', 'br'],
  ['identity;q=0.5, gzip;q=0.2', undefined],
  ['zstd', undefined],
  ['gzip;q=x', undefined],
  ['', undefined],
])('Accept-Encoding: %s is %s', (accept, coding) => {
  expect(acceptedCoding(asking(accept))).toBe(coding);
});

test('pictures, packed and empty answers are left alone', async () => {
  const bytes = 'x'.repeat(5000);
  for (const headers of [{ 'Content-Type': 'image/png' }, { 'Content-Type': 'text/plain', 'Content-Encoding': 'br' }]) {
    expect(codingFor(asking('gzip'), new Reply(bytes, { headers }))).toBeUndefined();
  }
  expect(codingFor(asking('gzip'), new Reply(null, { status: 204 }))).toBeUndefined();
  const short = new Reply('x'.repeat(100), { headers: { 'Content-Type': 'text/plain' } });
  expect(codingFor(asking('gzip'), short)).toBeUndefined();
  const long = new Reply(bytes, { headers: { 'Content-Type': 'text/plain' } });
  expect(codingFor(asking('gzip'), long)).toBe('gzip');
});
