import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { createGuardedFetch } from './guarded-fetch.js';
import type { FetchLimits } from './options.js';
import type { FetchResponse } from './port.js';
import { readAll, serve } from './testing/server.js';

const code = (expected: string) => expect.objectContaining({ code: expected });

async function answered(
  encoding: string,
  body: Uint8Array,
  limits: Partial<FetchLimits> = {},
  status = 200,
): Promise<FetchResponse> {
  const server = await serve((request, response) => {
    expect(request.headers['accept-encoding']).toBe('gzip, br');
    response.writeHead(status, { 'Content-Encoding': encoding }).end(body);
  });
  return createGuardedFetch({ allow: [server.host], limits })({ url: server.url });
}

const TEXT = Buffer.from('<http://example.org/s> <http://example.org/p> "o" .\n'.repeat(1000));
test.each([
  ['gzip', gzipSync(TEXT)],
  ['X-GZip', gzipSync(TEXT)],
  ['br', brotliCompressSync(TEXT)],
  ['deflate', deflateSync(TEXT)],
  ['identity', TEXT],
])('%s is undone', async (encoding, body) => {
  expect((await readAll(await answered(encoding, body))).equals(TEXT)).toBe(true);
});

test.each(['gzip, gzip', 'zstd', 'compress', 'constructor'])('the encoding %s is refused', async (encoding) => {
  await expect(answered(encoding, TEXT)).rejects.toThrow(code('FETCH_FAILED'));
});

test('no body has no encoding', async () => {
  expect((await readAll(await answered('gzip', new Uint8Array(0), {}, 204))).length).toBe(0);
});

test.each([
  ['gzip', gzipSync(Buffer.alloc(100_000_000))],
  ['br', brotliCompressSync(Buffer.alloc(100_000_000))],
])('a bomb in %s ends soon after the first megabyte', async (encoding, bomb) => {
  const response = await answered(encoding, bomb);
  let bytes = 0;
  const reading = (async () => {
    for await (const chunk of response.body) bytes += chunk.length;
  })();
  await expect(reading).rejects.toThrow(code('FETCH_TOO_LARGE'));
  expect(bytes).toBeLessThan(1_200_000);
});

test('below a megabyte the ratio does not matter', async () => {
  expect((await readAll(await answered('gzip', gzipSync(Buffer.alloc(900_000))))).length).toBe(900_000);
});

test('the limit of bytes counts what comes out, and what goes in without coming out', async () => {
  await expect(answered('gzip', gzipSync(TEXT), { maxBytes: 20_000 }).then(readAll)).rejects.toThrow(
    code('FETCH_TOO_LARGE'),
  );
  // The header of this member has a name of a megabyte.
  const endless = Buffer.concat([Buffer.from([0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 3]), Buffer.alloc(1_000_000, 97)]);
  const server = await serve((_, response) => response.writeHead(200, { 'Content-Encoding': 'gzip' }).write(endless));
  const fetch = createGuardedFetch({ allow: [server.host], limits: { maxBytes: 500_000, idleMs: 2000 } });
  await expect(fetch({ url: server.url }).then(readAll)).rejects.toThrow(code('FETCH_TOO_LARGE'));
});

test.each([
  ['cut', gzipSync(TEXT).subarray(0, 60)],
  ['no gzip', TEXT],
])('gzip that is %s fails', async (_, body) => {
  await expect(answered('gzip', body).then(readAll)).rejects.toThrow(code('FETCH_FAILED'));
});
