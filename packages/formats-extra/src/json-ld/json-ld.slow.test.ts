import { blankNode, iri, literal, quad, XSD } from '@quadrille/model';
import { describe, expect, it } from 'vitest';
import { bytewise, encode, errorOf, linesOf, parse, parseChunks, serialize, toLines } from '../testing.js';

const jsonLd = 'application/ld+json';

describe('what is read', () => {
  it('has lists in the graph that they stand in', async () => {
    const text = '{"@id": "http://e/g", "@graph": [{"@id": "http://e/s", "http://e/p": {"@list": [1]}}]}';
    const lines = await linesOf(jsonLd, text);
    expect(lines).toHaveLength(3);
    expect(lines.every((line) => line.endsWith(' <http://e/g>'))).toBe(true);
  });

  it('has strings with a base direction, JSON literals and numbers', async () => {
    const text = `{"@id": "http://e/s", "http://e/p": [{"@value": "x", "@language": "EN", "@direction": "rtl"}, 1.0, 1.5, -0,
      {"@value": {"b": 1, "a": [null]}, "@type": "@json"}]}`;
    expect((await linesOf(jsonLd, text)).map((line) => line.replace(/^\S+ \S+ /, ''))).toEqual([
      '"x"@en--rtl',
      `"1"^^<${XSD}integer>`,
      `"1.5E0"^^<${XSD}double>`,
      `"0"^^<${XSD}integer>`,
      '"{\\"a\\":[null],\\"b\\":1}"^^<http://www.w3.org/1999/02/22-rdf-syntax-ns#JSON>',
    ]);
  });

  it('reads numbers beyond xsd:double as infinite, but not within JSON literals', async () => {
    const text = `{"@id": "http://e/s", "http://e/p": [1e999, -1e999, {"@value": 1e400, "@type": "${XSD}float"}]}`;
    expect((await linesOf(jsonLd, text)).map((line) => line.replace(/^\S+ \S+ /, ''))).toEqual([
      `"INF"^^<${XSD}double>`,
      `"-INF"^^<${XSD}double>`,
      `"INF"^^<${XSD}float>`,
    ]);
    const json = '{"@id": "http://e/s", "http://e/p": {"@value": {"a": [1e999]}, "@type": "@json"}}';
    expect((await errorOf(jsonLd, json)).message).toMatch(/a JSON literal has a number beyond those of xsd:double/);
  });

  it('takes an array at the root in portions, and nodes of one context too', async () => {
    const nodes = Array.from(
      { length: 3000 },
      (_, i) => `{"@id": "_:b${i % 7}", "http://e/p": "${'é'.repeat(60)}${i}"}`,
    );
    const array = await parse(jsonLd, `[${nodes.join(', ')}]`);
    expect(array).toHaveLength(3000);
    expect(new Set(array.map(({ subject }) => subject.value)).size).toBe(7);
    const graph = await parse(jsonLd, `{"@graph": [${nodes.join(', ')}], "@context": {}}`);
    expect(toLines(graph)).toEqual(toLines(array));
    // An array may be longer than what is held at once.
    const limits = { maxDocumentBytes: 300_000 };
    expect(await parse(jsonLd, `[${nodes.join(', ')}]`, { limits })).toHaveLength(3000);
    expect((await errorOf(jsonLd, `{"@graph": [${nodes.join(', ')}]}`, { limits })).message).toMatch(
      /longer than 300000/,
    );
  });

  it('is the same for chunks cut anywhere', async () => {
    const text =
      ' [{"@id": "http://e/é😀\\"]"}, {"http://e/p": "]}\\\\"} ,"x",[{"@id": "http://e/s", "@type": "http://e/T"}]] ';
    const whole = toLines(await parse(jsonLd, text));
    expect(whole).toHaveLength(2);
    expect(toLines(await parseChunks(jsonLd, bytewise(text)))).toEqual(whole);
  });

  it('resolves against the base of the document', async () => {
    expect(await linesOf(jsonLd, '{"@id": "s", "@type": "http://e/T"}', { baseIRI: 'http://b/a' })).toEqual([
      '<http://b/s> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://e/T>',
    ]);
  });
});

describe('contexts that stand elsewhere', () => {
  const text = '{"@context": "http://e/context", "@id": "http://e/s", "p": 1}';

  it('are refused, and named', async () => {
    await expect(parse(jsonLd, text, { source: 'doc' })).rejects.toMatchObject({
      code: 'URL_NOT_ALLOWED',
      details: { address: 'http://e/context', source: 'doc' },
      message: expect.stringMatching(
        /^doc: the context <http:\/\/e\/context> is remote.*--context ADDRESS=FILE/,
      ) as string,
    });
  });

  it('come through the loader, once', async () => {
    const asked: string[] = [];
    const loadDocument = async (url: string): Promise<string> => {
      asked.push(url);
      return '{"@context": {"p": "http://e/p"}}';
    };
    expect(await parse(jsonLd, `[${text}, ${text}]`, { loadDocument })).toHaveLength(2);
    expect(asked).toEqual(['http://e/context']);
  });

  it('are checked as documents are', async () => {
    const loadDocument = async (): Promise<string> => '{"@context": '.repeat(100);
    expect(await errorOf(jsonLd, text, { loadDocument })).toMatchObject({ source: 'http://e/context' });
    const failing = async (): Promise<string> => {
      throw new Error('not there');
    };
    await expect(parse(jsonLd, text, { loadDocument: failing })).rejects.toMatchObject({
      code: 'FETCH_FAILED',
      message: expect.stringMatching(/could not be read: not there$/) as string,
      cause: { message: 'not there' },
    });
  });
});

describe('errors', () => {
  it.each([
    ['{"a": 1', 'unexpected end of the document'],
    ['', 'an empty document is no JSON'],
    ['[1, 2', 'unexpected end of the document'],
    ['{"@id": 1}', '"@id" value must a string. (invalid @id value)'],
    ['{"@context": {"a": "http://e/"}, "a": 1}}', 'not JSON: '],
    ['{"http://e/p": "\\ud800"}', 'lone surrogate in a literal'],
  ])('%s', async (text, reason) => {
    const error = await errorOf(jsonLd, text);
    expect(error).toMatchObject({ code: 'RDF_SYNTAX', source: 'doc' });
    expect(error.reason.startsWith(reason), error.reason).toBe(true);
  });

  it('say where', async () => {
    expect((await errorOf(jsonLd, '{\n "a": x}')).message).toBe('doc:2:7: not JSON: unexpected "x"');
    expect((await errorOf(jsonLd, '["\\u00"]')).message).toBe('doc:1:3: not JSON: unexpected "\\\\"');
    expect((await errorOf(jsonLd, '{"a": 1, }')).message).toBe('doc:1:10: not JSON: unexpected "}"');
    expect((await errorOf(jsonLd, '{"a" 01}')).message).toBe('doc:1:6: not JSON: unexpected "01"');
    expect((await errorOf(jsonLd, '[01]')).message).toBe('doc:1:2: not JSON: unexpected "01"');
    expect((await errorOf(jsonLd, '1 2')).message).toBe('doc:1:3: not JSON: unexpected "2"');
  });

  it('say where in a portion', async () => {
    const nodes = `{"http://e/p": "é😀${'x'.repeat(300_000)}"},`;
    const long = `{"@id": "http://e/${'x'.repeat(10_000)}"}`;
    const columns = [...nodes].length;
    const expectAt = async (text: string, line: number, column: number): Promise<void> => {
      const chunks = Array.from({ length: 200 }, (_, i) => encode(text).subarray(i * 5000, (i + 1) * 5000));
      const error: unknown = await parseChunks(jsonLd, chunks).catch((cause: unknown) => cause);
      expect(error).toMatchObject({ line, column });
    };
    await expectAt(`[${nodes} x]`, 1, columns + 3);
    await expectAt(`[${nodes}${nodes} x]`, 1, 2 * columns + 3);
    await expectAt(`[${nodes}\n${nodes}\n\n  x]`, 4, 3);
    await expectAt(`[${nodes}\n${nodes} ${long}]`, 2, columns + 10);
    await expectAt(`[${nodes}${nodes}\n\n ${long}]`, 3, 10);
  });

  it('names what is not UTF-8', async () => {
    expect((await errorOf(jsonLd, Uint8Array.from([...encode('"'), 0xc0, 0xaf, 0x22]))).reason).toBe('not UTF-8');
  });

  it('of a comma too many, where portions end', async () => {
    const nodes = `{"http://e/p": "${'x'.repeat(300_000)}"},`;
    expect(await errorOf(jsonLd, `[${nodes}]`)).toMatchObject({ code: 'RDF_SYNTAX' });
    expect(await errorOf(jsonLd, `[${nodes},1]`)).toMatchObject({ code: 'RDF_SYNTAX' });
    expect(await errorOf(jsonLd, `[${nodes}1] 2`)).toMatchObject({ code: 'RDF_SYNTAX' });
  });

  it('of an aborted parse is the reason of the signal', async () => {
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(parse(jsonLd, '[]', { signal })).rejects.toThrow('enough');
  });
});

describe('hostile documents', () => {
  it.each([
    ['deep arrays', '['.repeat(100_000)],
    ['deep objects', '{"a":'.repeat(100_000)],
    ['deep arrays in a context', `{"@context": ${'['.repeat(500)}${']'.repeat(500)}}`],
  ])('%s are refused before they are parsed', async (_, text) => {
    const start = performance.now();
    expect((await errorOf(jsonLd, text)).reason).toBe('nested deeper than 64');
    expect(performance.now() - start).toBeLessThan(200);
  });

  it('reads what is as deep as allowed at once', async () => {
    const start = performance.now();
    expect(await parse(jsonLd, `{"http://e/p": ${'['.repeat(63)}1${']'.repeat(63)}}`)).toHaveLength(1);
    expect(performance.now() - start).toBeLessThan(500);
  });

  it.each(['__proto__', 'hasOwnProperty'])('refuses the key %s, however it is written', async (name) => {
    const escaped = `\\u${name.charCodeAt(0).toString(16).padStart(4, '0')}${name.slice(1)}`;
    for (const key of [name, escaped]) {
      for (const text of [
        `{"${key}": {"polluted": 1}}`,
        `{"@context": {"${key}": "http://e/"}}`,
        `[[{"a": {"${key}": 1}}]]`,
      ]) {
        expect((await errorOf(jsonLd, text)).reason).toBe(`the key ${JSON.stringify(name)} is not allowed`);
      }
    }
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it.each(['constructor', 'toString', 'valueOf', 'prototype'])('reads the key %s as any other', async (name) => {
    const text = `{"@context": {"@vocab": "http://v/", "${name}": "http://e/p"}, "${name}": {"${name}": 1}}`;
    expect((await parse(jsonLd, text)).map(({ predicate }) => predicate.value)).toEqual(['http://e/p', 'http://e/p']);
  });
});

describe('what is written', () => {
  const values = [
    quad(iri('http://e/s'), iri('http://www.w3.org/1999/02/22-rdf-syntax-ns#type'), iri('http://e/T')),
    quad(iri('http://e/s'), iri('http://e/p'), literal('1', iri(`${XSD}integer`))),
    quad(iri('http://e/s'), iri('http://e/p'), literal('x', { language: 'en', direction: 'ltr' })),
    quad(iri('e:s'), iri('http://e/p'), blankNode('b'), iri('http://e/g')),
  ];

  it('without prefixes is expanded', () => {
    expect(serialize(jsonLd, values)).toBe(
      '[\n{"@id":"http://e/s","@type":["http://e/T"],"http://e/p":[' +
        `{"@value":"1","@type":"${XSD}integer"},{"@value":"x","@language":"en","@direction":"ltr"}]},\n` +
        '{"@id":"http://e/g","@graph":[\n{"@id":"e:s","http://e/p":[{"@id":"_:b"}]}\n]}\n]\n',
    );
  });

  it('with prefixes is short, and switches off those that an IRI looks like', () => {
    expect(serialize(jsonLd, values, { e: 'http://e/' }, 1)).toBe(
      '{"@context":{"e":"http://e/"},"@graph":[\n' +
        '{"@id":"e:s","@type":"e:T","e:p":[1,{"@value":"x","@language":"en","@direction":"ltr"}]},\n' +
        '{"@id":"e:g","@graph":[\n{"@context":{"e":null},"@id":"e:s","http://e/p":{"@id":"_:b"}}\n]}\n]}\n',
    );
  });

  it('nothing', () => {
    expect(serialize(jsonLd, [])).toBe('[\n]\n');
  });

  it('refuses triple terms', () => {
    const values = [quad(iri('a:s'), iri('a:p'), quad(iri('a:s'), iri('a:p'), iri('a:o')))];
    const write = (): string => serialize(jsonLd, values);
    expect(write).toThrow(expect.objectContaining({ code: 'UNSUPPORTED' }));
  });
});
