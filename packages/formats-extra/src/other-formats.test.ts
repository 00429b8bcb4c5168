/** RDF/JSON, TriX and the registry. */
import { FormatRegistry } from '@quadrille/formats';
import { iri, literal, quad, XSD } from '@quadrille/model';
import { describe, expect, it } from 'vitest';
import { registerExtraFormats } from './formats.js';
import { bytewise, errorOf, linesOf, parseChunks, registry, serialize, toLines } from './testing.js';

describe('the registry', () => {
  it.each([
    ['RDF/XML', ['application/rdf+xml', 'text/rdf', 'application/xml', 'rdf/xml', 'rdf', 'owl']],
    ['JSON-LD', ['application/ld+json; profile="x"', 'jsonld', 'json-ld']],
    ['JSON-LD in HTML', ['text/html; charset=utf-8', 'application/xhtml+xml', 'html', 'htm']],
    ['RDF/JSON', ['application/rdf+json', 'application/json', 'text/json', 'rj', 'rdfjson']],
    ['TriX', ['application/trix', 'trix']],
    ['N3', ['text/n3', 'text/rdf+n3', 'n3']],
    ['Turtle', ['text/turtle', 'ttl']],
  ])('%s', (name, words) => {
    for (const word of words) expect(registry.find(word).name).toBe(name);
  });

  it('has only these six of this package', () => {
    const own = new FormatRegistry();
    registerExtraFormats(own);
    expect(
      own
        .list()
        .map(({ name }) => name)
        .sort(),
    ).toEqual(['JSON-LD', 'JSON-LD in HTML', 'N3', 'RDF/JSON', 'RDF/XML', 'TriX']);
  });

  it('stay where a registry has others of these names, as that of a server has', () => {
    const own = new FormatRegistry();
    registerExtraFormats(own);
    const other = { ...own.find('jsonld') };
    own.replace(other);
    registerExtraFormats(own);
    expect(own.find('jsonld')).toBe(other);
    expect(own.list()).toHaveLength(6);
  });
});

describe('RDF/JSON', () => {
  const values = [
    quad(iri('http://e/s'), iri('http://e/p'), literal('x', 'en')),
    quad(iri('http://e/t'), iri('http://e/p'), iri('http://e/o')),
    quad(iri('http://e/s'), iri('http://e/p'), literal('1', iri(`${XSD}integer`))),
    quad(iri('http://e/s'), iri('http://e/p'), literal('x', 'en'), iri('http://e/g')),
  ];

  it('has each subject once', () => {
    expect(serialize('rj', values, {}, 1)).toBe(
      '{\n  "http://e/s": {\n    "http://e/p": [{"type":"literal","value":"x","lang":"en"}, ' +
        `{"type":"literal","value":"1","datatype":"${XSD}integer"}]\n  },\n` +
        '  "http://e/t": {\n    "http://e/p": [{"type":"uri","value":"http://e/o"}]\n  }\n}\n',
    );
  });

  it('is read in any chunks', async () => {
    expect(toLines(await parseChunks('rj', bytewise(serialize('rj', values))))).toHaveLength(3);
  });

  it('knows what others write', async () => {
    const text =
      '{"_:a": {"http://e/p": [{"type": "bnode", "value": "b c"}, {"type": "literal", "value": "x", "lang": ""}]}}';
    expect(await linesOf('rj', text)).toEqual(['_:a <http://e/p> _:anon1', '_:a <http://e/p> "x"']);
  });

  it.each([
    ['[]', /the root must be a JSON object/],
    ['{"http://e/s": {"http://e/p": {}}}', /an array of objects/],
    ['{"http://e/s": {"http://e/p": [{"type": "x", "value": ""}]}}', /the type of an object must be/],
    ['{"s": {"http://e/p": [{"type": "uri", "value": "http://e/o"}]}}', /not an absolute IRI: <s>/],
    ['{"__proto__": {"http://e/p": [{"type": "uri", "value": "http://e/o"}]}}', /not an absolute IRI: <__proto__>/],
    ['{"a":'.repeat(100), /nested deeper than 64/],
    ['{"http://e/s": {', /unexpected end/],
    [
      '{"http://e/s": {"http://e/p": [{"type": "triple", "value": {"subject": {"type": "literal", "value": "x"}, "predicate": {"type": "uri", "value": "a:p"}, "object": {"type": "uri", "value": "a:o"}}}]}}',
      /a triple term needs/,
    ],
  ])('%s', async (text, message) => {
    expect((await errorOf('rj', text)).message).toMatch(message);
  });
});

describe('TriX', () => {
  const trix = (content: string): string => `<TriX xmlns="http://www.w3.org/2004/03/trix/trix-1/">${content}</TriX>`;
  const triple = '<triple><id>a</id><uri> http://e/p </uri><plainLiteral> x </plainLiteral></triple>';

  it('is read in any chunks, with and without names of graphs', async () => {
    const text = trix(
      `<graph>${triple}</graph><graph><uri>http://e/g</uri>${triple}</graph><graph><uri/>${triple}</graph>`,
    );
    const lines = ['_:a <http://e/p> " x "', '_:a <http://e/p> " x " <http://e/g>', '_:a <http://e/p> " x "'];
    expect(await linesOf('trix', text)).toEqual(lines);
    expect(toLines(await parseChunks('trix', bytewise(text)))).toEqual(lines);
  });

  it.each([
    ['a document type', `<!DOCTYPE TriX>${trix('')}`, /a document type is not allowed/],
    ['an entity', `<!DOCTYPE TriX [<!ENTITY a "b">]>${trix('')}`, /a document type is not allowed/],
    ['a document cut off', trix(`<graph>${triple}</graph>`).slice(0, -12), /unclosed tag/],
    ['two terms', trix('<graph><triple><id>a</id><uri>a:p</uri></triple></graph>'), /a triple has three terms, not 2/],
    [
      'a literal as subject',
      trix(`<graph><triple><plainLiteral/><uri>a:p</uri><uri>a:p</uri></triple></graph>`),
      /is no subject/,
    ],
    ['a late name', trix(`<graph>${triple}<uri>a:g</uri></graph>`), /the name of a graph must stand once/],
    [
      'no datatype',
      trix('<graph><triple><id>a</id><uri>a:p</uri><typedLiteral/></triple></graph>'),
      /needs a datatype/,
    ],
    ['another language', '<TriX xmlns="http://e/"/>', /unexpected element "TriX"/],
    ['deep triples', trix(`<graph>${'<triple>'.repeat(300)}`), /nested deeper than 256/],
  ])('%s', async (_, text, message) => {
    expect((await errorOf('trix', text)).message).toMatch(message);
  });
});
