// The other side of the comparison; the code under test runs in a browser too.
// oxlint-disable-next-line no-restricted-imports
import { Duplex } from 'node:stream';
// oxlint-disable-next-line no-restricted-imports
import { createGunzip, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type ByteTransform, gunzip, gzip, isGzip } from './gzip.js';
import { collect, encode, iterate } from '../testing.js';

const content = encode('<a:s> <a:p> <a:o> .\n'.repeat(20_000));
const packed = new Uint8Array(gzipSync(content));

async function unpack(...chunks: Uint8Array[]): Promise<string> {
  return Buffer.concat(await collect(gunzip(iterate(chunks), { source: 'a.nt.gz' }))).toString();
}

/** Whether the streams of this runtime do. */
async function readsMembers(): Promise<boolean> {
  const members = new Blob([Uint8Array.from([...gzipSync('a'), ...gzipSync('b')])]);
  const text = new Response(members.stream().pipeThrough(new DecompressionStream('gzip'))).text();
  return (await text.catch(() => '')) === 'ab';
}

function* bytesOf(data: Uint8Array, size: number): Iterable<Uint8Array> {
  for (let at = 0; at < data.length; at += size) yield data.slice(at, at + size);
}

describe('gunzip', async () => {
  it('reads what gzip wrote, in any chunks', async () => {
    const text = Buffer.from(content).toString();
    expect(await unpack(packed)).toBe(text);
    expect(await unpack(...bytesOf(packed, 7))).toBe(text);
    expect(await unpack(...(await collect(gzip(iterate(bytesOf(content, 10_000))))))).toBe(text);
  });

  it.skipIf(!(await readsMembers()))(
    'reads several members (skipped where the streams of the runtime refuse them)',
    async () => {
      const members = Uint8Array.from([...gzipSync('a'), ...gzipSync('b'), ...gzipSync('c')]);
      expect(await unpack(members)).toBe('abc');
      expect(await unpack(...bytesOf(members, 1))).toBe('abc');
    },
  );

  it('reads several members by a stream that does', async () => {
    const members = Uint8Array.from([...gzipSync('a'), ...gzipSync('b')]);
    const createStream = (): ByteTransform => Duplex.toWeb(createGunzip()) as ByteTransform;
    expect(Buffer.concat(await collect(gunzip(iterate([members]), { createStream }))).toString()).toBe('ab');
  });

  it.each([0.1, 0.5, 0.99])('refuses a file that is cut off at %d', async (share) => {
    const cut = packed.slice(0, packed.length * share);
    await expect(unpack(cut)).rejects.toMatchObject({
      code: 'RDF_SYNTAX',
      source: 'a.nt.gz',
      message: expect.stringMatching(/^a.nt.gz: truncated gzip data/),
    });
  });

  it('refuses a corrupt file', async () => {
    const broken = packed.slice();
    broken[broken.length - 6] = broken[broken.length - 6]! ^ 0xff; // the checksum
    await expect(unpack(broken)).rejects.toMatchObject({
      code: 'RDF_SYNTAX',
      reason: expect.stringContaining('corrupt'),
    });
    await expect(unpack(encode('no gzip at all'))).rejects.toMatchObject({ code: 'RDF_SYNTAX' });
    await expect(unpack()).rejects.toMatchObject({ code: 'RDF_SYNTAX' });
  });

  it('hands over an error of the source as it is', async () => {
    const failure = new Error('disk');
    async function* failing(): AsyncIterable<Uint8Array> {
      yield packed.slice(0, 100);
      throw failure;
    }
    await expect(collect(gunzip(failing()))).rejects.toBe(failure);
  });

  it('closes the source when it is left early', async () => {
    let closed = false;
    async function* endless(): AsyncIterable<Uint8Array> {
      try {
        for (;;) yield packed;
      } finally {
        closed = true;
      }
    }
    for await (const chunk of gunzip(endless())) {
      expect(chunk.length).toBeGreaterThan(0);
      break;
    }
    expect(closed).toBe(true);
  });
});

it('isGzip looks at the first two bytes', () => {
  expect(isGzip(packed)).toBe(true);
  expect(isGzip(content)).toBe(false);
  expect(isGzip(packed.slice(0, 1))).toBe(false);
});
