import { expect, it } from 'vitest';
import { parseQuads } from './parse-quads.js';
import { collect, encode, iterate, toLines } from './testing.js';

it('reads a string or chunks', async () => {
  const document = '<s> <#p> "o"@EN, _:b, <<( <s> <#p> [] )>> .';
  const options = { format: 'text/turtle', baseIRI: 'http://a/', blankNodePrefix: 'x' };
  const lines = toLines(await collect(parseQuads(document, options)));
  expect(lines).toHaveLength(3);
  expect(lines[1]).toBe('<http://a/s> <http://a/#p> _:xb');
  const bytes = Array.from(encode(document), (byte) => Uint8Array.of(byte));
  expect(toLines(await collect(parseQuads(iterate(bytes), options)))).toEqual(lines);
});

it('gives the quads before an error', async () => {
  const seen: string[] = [];
  const read = async (): Promise<void> => {
    for await (const quad of parseQuads(iterate([encode('<a:s> <a:p> "1" .\n'), encode('x')]), {
      format: 'nq',
      source: 'd',
    })) {
      seen.push(quad.object.value);
    }
  };
  await expect(read()).rejects.toMatchObject({ code: 'RDF_SYNTAX', source: 'd', line: 2 });
  expect(seen).toEqual(['1']);
});

it('refuses an unknown format', async () => {
  await expect(collect(parseQuads('', { format: 'doc' }))).rejects.toMatchObject({ code: 'INVALID_OPTION' });
});

it('reads many long literals of one length about as fast as others', async () => {
  const time = async (length: number): Promise<number> => {
    const lines = Array.from({ length: 1500 }, (_, n) => `<a:s> <a:p> "${String(n).padStart(length, 'x')}" .\n`);
    const document = lines.join('');
    const begun = process.cpuUsage().user;
    expect(await collect(parseQuads(document, { format: 'nt' }))).toHaveLength(1500);
    return process.cpuUsage().user - begun;
  };
  await time(16_000);
  // The maps of the platform compare all texts of a length with each other from 16,384 characters on.
  expect((await time(17_000)) / (await time(16_000))).toBeLessThan(10);
});
