/** The codecs of browsers, which Node.js has too. */
import { randomBytes } from 'node:crypto';
import { deflateSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { codecs, serverProcess, untrusted } from './browser.js';

async function* chunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function textOf(source: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of source) text += decoder.decode(chunk, { stream: true });
  return text + decoder.decode();
}

const TEXT = 'Quadrille keeps every commit. '.repeat(5000);

test.each([
  ['gzip', gzipSync(TEXT)],
  ['x-gzip', gzipSync(TEXT)],
  ['deflate', deflateSync(TEXT)],
])('%s is unpacked, and its bytes are counted', async (coding, packed) => {
  let bytes = 0;
  const unpacking = codecs.unpack(chunks(packed, 100), coding, (count) => (bytes += count));
  expect(await textOf(unpacking.bytes)).toBe(TEXT);
  expect(bytes).toBe(packed.length);
});

test('what is damaged, cut off or of a source that fails is an error', async () => {
  const packed = gzipSync(TEXT);
  const damaged = Uint8Array.from(packed);
  damaged.fill(0xff, 30, 60);
  await expect(textOf(codecs.unpack(chunks(damaged, 50), 'gzip', () => undefined).bytes)).rejects.toThrow();
  const cut = packed.subarray(0, packed.length / 2);
  await expect(textOf(codecs.unpack(chunks(cut, 50), 'gzip', () => undefined).bytes)).rejects.toThrow();
  async function* failing(): AsyncGenerator<Uint8Array> {
    yield packed.subarray(0, 20);
    throw new Error('the file was moved');
  }
  await expect(textOf(codecs.unpack(failing(), 'gzip', () => undefined).bytes)).rejects.toThrow('the file was moved');
});

test('a reader that leaves stops the source', async () => {
  const packed = gzipSync(randomBytes(4 * 1024 ** 2));
  let left: () => void;
  const leaving = new Promise<void>((resolve) => (left = resolve));
  async function* source(): AsyncGenerator<Uint8Array> {
    try {
      yield* chunks(packed, 4096);
      throw new Error('all of it was asked for');
    } finally {
      left();
    }
  }
  const unpacking = codecs.unpack(source(), 'gzip', () => undefined);
  await unpacking.bytes[Symbol.asyncIterator]().next();
  unpacking.close();
  await leaving;
});

test('replies are not packed, formats are read as they are, and nothing is said of the process', () => {
  expect(codecs.packs).toEqual([]);
  expect(() => codecs.packWhole('x', 'gzip')).toThrow('packs no replies');
  const format = { name: 'x' } as never;
  expect(untrusted(format)).toBe(format);
  expect(serverProcess).toBeUndefined();
});
