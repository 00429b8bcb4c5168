/** JSON-LD in the script elements of pages. */
import { expect, test } from 'vitest';
import { bytewise, errorOf, linesOf, parseChunks, toLines } from '../testing.js';

const script = (json: string, attributes = 'type="application/ld+json"'): string =>
  `<script ${attributes}>${json}</script>`;
const of = (subject: string, value: string): string => `<${subject}> <http://schema.org/name> "${value}"`;
const person = (id: string, name: string): string => JSON.stringify({ '@id': id, 'http://schema.org/name': name });

test('all scripts of the type are one document, wherever they stand', async () => {
  const page = `<!doctype html><html><head>${script(person('urn:a', 'Ann </b> & Söhne'))}<title>${script('{}')}</title>
    <!-- ${script(person('urn:no', 'a comment'))} --><script>const x = "${script(person('urn:no', 'code')).replace('</script>', '')}";</script>
    </head><body><p>${script(`[${person('urn:b', 'b')},${person('_:x', 'c')}]`, "TYPE='application/ld+json; charset=utf-8'")}
    ${script('{"@id": "_:x", "http://schema.org/name": "d"}')}</body></html>`;
  const lines = await linesOf('html', page);
  expect(lines.slice(0, 2)).toEqual([of('urn:a', 'Ann </b> & Söhne'), of('urn:b', 'b')]);
  // A label is one node in all scripts of a page.
  expect(new Set(lines.slice(2).map((line) => line.split(' ')[0])).size).toBe(1);
  expect(lines).toHaveLength(4);
  expect(toLines(await parseChunks('text/html', bytewise(page)))).toHaveLength(4);
});

test('relative IRIs resolve by the base element, which resolves by the address of the page', async () => {
  const page = (base: string): string => `<head>${base}</head>${script(person('a', 'A'))}`;
  const [baseIRI, lines] = [
    'http://e.org/p/q',
    (base: string) => linesOf('html', page(base), { baseIRI: 'http://e.org/p/q' }),
  ];
  expect(await lines('')).toEqual([of('http://e.org/p/a', 'A')]);
  expect(await lines('<base href="/x/"><base href="/y/">')).toEqual([of('http://e.org/x/a', 'A')]);
  expect(await lines('<base target="_blank">')).toEqual([of('http://e.org/p/a', 'A')]);
  expect(await linesOf('html', page('<base href="http://o.org/">'))).toEqual([of('http://o.org/a', 'A')]);
  expect(baseIRI).toBe('http://e.org/p/q');
});

test('errors have their place in the page', async () => {
  const page = `<html>\n<body>\n${script('\n{"@id": "urn:a",\n  nonsense}')}`;
  expect(await errorOf('html', page)).toMatchObject({ code: 'RDF_SYNTAX', line: 5, column: 3 });
  const second = `${script(person('urn:a', 'a'))}\n${script('{"@id": 7')}`;
  expect((await errorOf('html', second)).line).toBe(2);
});

test('a page without such a script, or one that is too long, is refused', async () => {
  for (const page of ['', '<p>', script('{}', 'type="application/json"'), `<!-- ${script('{}')} -->`])
    expect((await errorOf('html', page)).reason).toBe('the page has no script element of the type application/ld+json');
  const limits = { maxDocumentBytes: 50 };
  expect((await errorOf('html', `${' '.repeat(40)}${script('{}')}`, { limits })).reason).toMatch(/longer than 50/);
  expect(await linesOf('html', script('{}'))).toEqual([]);
});
