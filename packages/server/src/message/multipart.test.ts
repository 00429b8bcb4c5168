import { describe, expect, test } from 'vitest';
import { multipartParts } from './multipart.js';

const TYPE = 'multipart/form-data; boundary=XX';

async function* pieces(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
}

async function read(text: string, size = 7, type = TYPE): Promise<unknown[]> {
  const parts: unknown[] = [];
  for await (const { headers, name, fileName, body } of multipartParts(type, pieces(text, size))) {
    const decoder = new TextDecoder();
    let content = '';
    for await (const chunk of body) content += decoder.decode(chunk, { stream: true });
    parts.push([name, fileName, headers.get('Content-Type'), content + decoder.decode()]);
  }
  return parts;
}

const BODY =
  'preamble\r\n--XX\r\nContent-Disposition: form-data; name="file"; filename="a/b\\\\é.ttl"\r\nContent-Type: text/turtle\r\n\r\n' +
  '<urn:a> <urn:p> "\r\n--X" .\r\n\r\n--XX  \r\n\r\nno headers\r\n--XX\r\nContent-Disposition: form-data; name=plain\r\n\r\n\r\n--XX--\r\nafter';

describe('parts', () => {
  test.each([1, 2, 3, 5, 8, 13, 64, 10_000])('in pieces of %i bytes', async (size) => {
    expect(await read(BODY, size)).toEqual([
      ['file', 'é.ttl', 'text/turtle', '<urn:a> <urn:p> "\r\n--X" .\r\n'],
      [undefined, undefined, null, 'no headers'],
      ['plain', undefined, null, ''],
    ]);
  });

  test('none at all', async () => {
    expect(await read('--XX--')).toEqual([]);
    expect(await read('--a b--', 3, 'multipart/mixed; boundary="a b"')).toEqual([]);
  });

  test('a part that is not read is skipped', async () => {
    const names: (string | undefined)[] = [];
    for await (const { name } of multipartParts(TYPE, pieces(BODY, 11))) names.push(name);
    expect(names).toEqual(['file', undefined, 'plain']);
  });

  test.each([
    ['no end', '--XX\r\n\r\nabc'],
    ['no boundary', 'abc'],
    ['nothing', ''],
    ['text after the boundary', '--XX nonsense\r\n\r\n\r\n--XX--'],
    ['a header without a name', '--XX\r\nnonsense\r\n\r\n\r\n--XX--'],
    ['endless headers', `--XX\r\nA: ${'x'.repeat(20_000)}\r\n\r\n\r\n--XX--`],
  ])('%s is refused', async (_name, body) => {
    await expect(read(body, 1000)).rejects.toMatchObject({ status: 400 });
  });

  test('a missing boundary, and too many parts', async () => {
    expect(() => multipartParts('multipart/form-data', pieces('', 1))).toThrow(/boundary/);
    await expect(read(`${'--XX\r\n\r\n\r\n'.repeat(101)}--XX--`, 1000)).rejects.toMatchObject({ status: 413 });
  });
});
