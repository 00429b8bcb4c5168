import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { bodyText } from './body.js';

const post = (body: BodyInit | Uint8Array, headers: Record<string, string> = {}): Request =>
  new Request('http://localhost/', { method: 'POST', body: body as BodyInit, headers });

test('gzip is unpacked, and damaged gzip refused', async () => {
  const packed = gzipSync('hello'.repeat(1000));
  expect(await bodyText(post(packed, { 'Content-Encoding': 'gzip' }), 10_000)).toBe('hello'.repeat(1000));
  await expect(bodyText(post(packed.subarray(0, 20), { 'Content-Encoding': 'gzip' }), 10_000)).rejects.toMatchObject({
    status: 400,
  });
});

test('the limit counts what was unpacked', async () => {
  const packed = gzipSync('x'.repeat(100_000));
  await expect(bodyText(post(packed, { 'Content-Encoding': 'gzip' }), 1000)).rejects.toMatchObject({ status: 413 });
});

test('unknown encodings are 415, bytes that are no UTF-8 400', async () => {
  await expect(bodyText(post('x', { 'Content-Encoding': 'zstd' }), 10)).rejects.toMatchObject({ status: 415 });
  await expect(bodyText(post(Uint8Array.of(0x61, 0xff)), 10)).rejects.toMatchObject({ status: 400 });
});
