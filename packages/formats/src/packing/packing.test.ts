import { expect, test } from 'vitest';
import { BZIP2, EMPTY_BZIP2, EMPTY_ZSTD, PLAIN, ZEROS, ZSTD } from '../testing-packed.js';
import { packingOf } from '../text/packing.js';
import { unpackBzip2, unpackZstd } from './index.js';

async function* chunks(bytes: Uint8Array, length: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

type Unpack = typeof unpackBzip2;

async function text(unpack: Unpack, bytes: Uint8Array, length = 1 << 20): Promise<string> {
  const decoder = new TextDecoder();
  let found = '';
  for await (const piece of unpack(chunks(bytes, length), { source: 'f' }))
    found += decoder.decode(piece, { stream: true });
  return found;
}

const FORMATS: readonly (readonly [string, Unpack, Uint8Array, Uint8Array])[] = [
  ['bzip2', unpackBzip2, BZIP2, EMPTY_BZIP2],
  ['zstd', unpackZstd, ZSTD, EMPTY_ZSTD],
];

test.each(FORMATS)(
  '%s: several streams in one file, in chunks of any length; an empty file',
  async (name, unpack, bytes, empty) => {
    for (const length of [1, 7, 1000, bytes.length])
      expect((await text(unpack, bytes, length)) === PLAIN + PLAIN).toBe(true);
    expect(await text(unpack, empty)).toBe('');
    expect([packingOf(bytes), packingOf(empty)]).toEqual([name, name]);
  },
);

test.each(FORMATS)('%s: a truncated file is refused, wherever it ends', async (name, unpack, bytes) => {
  for (const end of [bytes.length - 1, bytes.length - 9, Math.floor(bytes.length / 3), 12, 5])
    await expect(text(unpack, bytes.subarray(0, end)), String(end)).rejects.toMatchObject({
      code: 'RDF_SYNTAX',
      message: expect.stringMatching(new RegExp(`^f: (?:truncated|corrupt) ${name} data`)) as string,
    });
});

test.each(FORMATS)('%s: a corrupt file is refused', async (name, unpack, bytes) => {
  const corrupt = bytes.slice();
  for (let i = 30; i < 60; i++) corrupt[i]! ^= 0x55;
  await expect(text(unpack, corrupt)).rejects.toMatchObject({ code: 'RDF_SYNTAX', source: 'f' });
  const garbage = new Uint8Array([...bytes, ...new TextEncoder().encode('something else')]);
  await expect(text(unpack, garbage)).rejects.toMatchObject({ message: expect.stringContaining(name) as string });
});

test('an error of the source comes through, and leaving closes it', async () => {
  let closed = 0;
  async function* broken(): AsyncGenerator<Uint8Array> {
    try {
      yield BZIP2.subarray(0, 100);
      throw new Error('the disk is on fire');
    } finally {
      closed++;
    }
  }
  for (const [, unpack] of FORMATS) {
    const failed = async (): Promise<void> => {
      for await (const piece of unpack(broken())) void piece;
    };
    if (unpack === unpackBzip2) await expect(failed()).rejects.toThrow('the disk is on fire');
  }
  for (const [, unpack, bytes] of FORMATS) {
    async function* endless(): AsyncGenerator<Uint8Array> {
      try {
        for (;;) yield bytes;
      } finally {
        closed++;
      }
    }
    for await (const piece of unpack(endless())) {
      expect(piece.length).toBeGreaterThan(0);
      break;
    }
  }
  expect(closed).toBe(3);
});

test('few bytes that become many come in pieces', async () => {
  let [all, longest] = [0, 0];
  for await (const piece of unpackBzip2(chunks(ZEROS, 100))) {
    all += piece.length;
    longest = Math.max(longest, piece.length);
  }
  expect(all).toBe(30_000_000);
  expect(longest).toBeLessThanOrEqual(1024 * 1024);
});

test('other documents are not taken for compressed ones', () => {
  for (const start of ['BZh9:a <urn:p> 1 .', 'BZh1AY', '(µ/ý', 'PREFIX', ''])
    expect(packingOf(new TextEncoder().encode(start)), start).toBeUndefined();
  expect(packingOf(new Uint8Array([0x1f, 0x8b]))).toBe('gzip');
});
