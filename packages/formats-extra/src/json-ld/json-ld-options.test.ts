/** The options of JSON-LD, read and written. The suites of the W3C have more of each. */
import type { JsonLdOptions } from '@quadrille/formats';
import { blankNode, iri, literal, quad, RDF_NS, termToText } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import { describe, expect, it } from 'vitest';
import { linesOf, parse, registry, toLines } from '../testing.js';
import { CompoundLiterals } from './compound-literals.js';

const JSON_LD = 'application/ld+json';
const I18N = 'https://www.w3.org/ns/i18n#';
const [VALUE, LANGUAGE, DIRECTION] = ['value', 'language', 'direction'].map((name) => iri(RDF_NS + name));

function written(quads: readonly RDF.Quad[], rdfDirection?: JsonLdOptions['rdfDirection']): unknown {
  const serializer = registry.find(JSON_LD).createSerializer!({ jsonLd: { rdfDirection } });
  let text = '';
  for (const one of quads) text += serializer.write([one]);
  return JSON.parse(text + serializer.end());
}

describe('rdfDirection', () => {
  const text = (value: object): string => JSON.stringify({ '@id': 'urn:s', 'urn:p': { '@value': 'x', ...value } });

  it.each<[object, string | undefined, string]>([
    [{ '@direction': 'rtl' }, undefined, '"x"'],
    [{ '@direction': 'rtl' }, 'i18n-datatype', `"x"^^<${I18N}_rtl>`],
    [{ '@language': 'en-US', '@direction': 'ltr' }, undefined, '"x"@en-us--ltr'],
    [{ '@language': 'en-US', '@direction': 'ltr' }, 'i18n-datatype', `"x"^^<${I18N}en-us_ltr>`],
    [{ '@language': 'en-US' }, 'i18n-datatype', '"x"@en-us'],
    [{ '@language': 'en-US' }, 'compound-literal', '"x"@en-us'],
    [{}, 'compound-literal', '"x"'],
  ])('%j with %s', async (value, rdfDirection, wanted) => {
    const jsonLd = { rdfDirection } as JsonLdOptions;
    expect(await linesOf(JSON_LD, text(value), { jsonLd })).toEqual([`<urn:s> <urn:p> ${wanted}`]);
  });

  it('makes a blank node in the graph of the string', async () => {
    const value = { '@language': 'EN', '@direction': 'rtl' };
    const document = JSON.stringify({ '@id': 'urn:g', '@graph': [JSON.parse(text(value))] });
    const quads = await parse(JSON_LD, document, { jsonLd: { rdfDirection: 'compound-literal' } });
    expect(quads.map(({ graph }) => graph.value)).toEqual(['urn:g', 'urn:g', 'urn:g', 'urn:g']);
    const parts = quads.filter(({ subject }) => subject.termType === 'BlankNode');
    expect(parts.map(({ predicate, object }) => [predicate.value, termToText(object)])).toEqual([
      [VALUE!.value, '"x"'],
      [LANGUAGE!.value, '"en"'],
      [DIRECTION!.value, '"rtl"'],
    ]);
  });

  it('reads the strings of a context that has a direction', async () => {
    const document = '{"@context": {"@direction": "rtl", "p": "urn:p"}, "@id": "urn:s", "p": "x"}';
    const jsonLd = { rdfDirection: 'i18n-datatype' } as const;
    expect(await linesOf(JSON_LD, document, { jsonLd })).toEqual([`<urn:s> <urn:p> "x"^^<${I18N}_rtl>`]);
  });
});

describe('expandContext', () => {
  const text = '{"@id": "urn:s", "p": "x", "q": "y"}';

  it.each<[string, NonNullable<JsonLdOptions['expandContext']>]>([
    ['an object', { p: 'urn:p' }],
    ['a document', { '@context': { p: 'urn:p' } }],
    ['a list', [{ p: 'urn:old' }, { p: 'urn:p' }]],
    ['an address', 'http://e/context'],
  ])('%s', async (_, expandContext) => {
    const loadDocument = async (): Promise<string> => '{"@context": {"p": "urn:p"}}';
    const read = await linesOf(JSON_LD, text, { jsonLd: { expandContext }, loadDocument });
    expect(read).toEqual(['<urn:s> <urn:p> "x"']);
  });

  it('comes before the context of the document', async () => {
    const document = '{"@context": {"q": "urn:q"}, "@id": "urn:s", "p": "x", "q": "y"}';
    const read = await linesOf(JSON_LD, document, { jsonLd: { expandContext: { p: 'urn:p', q: 'urn:old' } } });
    expect(read).toEqual(['<urn:s> <urn:p> "x"', '<urn:s> <urn:q> "y"']);
  });

  it('is refused as a context of the document would be', async () => {
    const refused = (expandContext: string | object): Promise<unknown> =>
      parse(JSON_LD, text, { jsonLd: { expandContext } });
    await expect(refused('http://e/context')).rejects.toMatchObject({ code: 'URL_NOT_ALLOWED' });
    await expect(refused(JSON.parse('{"__proto__": {"p": "urn:p"}}') as object)).rejects.toThrow(/"__proto__"/);
    await expect(refused({ p: { '@id': 5 } })).rejects.toMatchObject({ code: 'RDF_SYNTAX' });
  });
});

describe('processingMode', () => {
  it('1.0 refuses what is new in 1.1', async () => {
    const text = '{"@context": {"@version": 1.1, "p": "urn:p"}, "@id": "urn:s", "p": "x"}';
    expect(await linesOf(JSON_LD, text, { jsonLd: { processingMode: 'json-ld-1.1' } })).toHaveLength(1);
    await expect(parse(JSON_LD, text, { jsonLd: { processingMode: 'json-ld-1.0' } })).rejects.toMatchObject({
      code: 'RDF_SYNTAX',
      message: expect.stringContaining('processing mode conflict') as unknown,
    });
  });
});

describe('wrong options', () => {
  const cyclic: Record<string, unknown> = {};
  cyclic['a'] = cyclic;
  it.each<[string, unknown]>([
    ['rdfDirection', 'rtl'],
    ['rdfDirection', null],
    ['processingMode', 'json-ld-1.2'],
    ['expandContext', 5],
    ['expandContext', ''],
    ['expandContext', null],
    ['expandContext', { p: () => 'urn:p' }],
    ['expandContext', new Map()],
    ['expandContext', cyclic],
    ['base', 'http://e/'],
  ])('%s: %o', async (option, value) => {
    await expect(parse(JSON_LD, '{}', { jsonLd: { [option]: value } })).rejects.toMatchObject({
      code: 'INVALID_OPTION',
      message: expect.stringContaining(option) as unknown,
      details: { option },
    });
  });

  it('no object', async () => {
    for (const jsonLd of [5, [], null, 'x']) {
      await expect(parse(JSON_LD, '{}', { jsonLd: jsonLd as never })).rejects.toMatchObject({
        code: 'INVALID_OPTION',
        details: { option: 'jsonLd' },
      });
    }
  });

  it('of the serialiser', () => {
    const create = (jsonLd: object): unknown => registry.find(JSON_LD).createSerializer!({ jsonLd });
    expect(() => create({ expandContext: {} })).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }));
    expect(() => create({ rdfDirection: true })).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }));
  });
});

describe('written', () => {
  const [s, p, b] = [iri('urn:s'), iri('urn:p'), blankNode('b')];
  const node = (...parts: [RDF.NamedNode | undefined, string][]): RDF.Quad[] =>
    parts.map(([predicate, value]) => quad(b, predicate!, literal(value)));
  const compound = node([VALUE, 'x'], [LANGUAGE, 'en'], [DIRECTION, 'rtl']);

  it('a datatype of a direction', () => {
    const of = (type: string): RDF.Quad => quad(s, p, literal('x', iri(I18N + type)));
    expect(written([of('en-us_rtl')], 'i18n-datatype')).toEqual([
      { '@id': 'urn:s', 'urn:p': [{ '@value': 'x', '@language': 'en-us', '@direction': 'rtl' }] },
    ]);
    // These would be read back as other datatypes.
    for (const type of ['EN_rtl', 'en_up', '-_rtl', 'en']) {
      expect(written([of(type)], 'i18n-datatype')).toEqual([
        { '@id': 'urn:s', 'urn:p': [{ '@value': 'x', '@type': I18N + type }] },
      ]);
    }
    expect(written([of('en-us_rtl')])).toMatchObject([{ 'urn:p': [{ '@type': `${I18N}en-us_rtl` }] }]);
  });

  it.each([
    ['before', [...compound, quad(s, p, b)]],
    ['behind', [quad(s, p, b), ...compound]],
  ])('a blank node %s what refers to it', (_, quads) => {
    expect(written(quads, 'compound-literal')).toEqual([
      { '@id': 'urn:s', 'urn:p': [{ '@value': 'x', '@language': 'en', '@direction': 'rtl' }] },
    ]);
  });

  it.each<[string, RDF.Quad[]]>([
    ['that two statements refer to', [...compound, quad(s, p, b), quad(iri('urn:t'), p, b)]],
    ['that nothing refers to', compound],
    ['with another property', [...compound, quad(b, p, literal('y')), quad(s, p, b)]],
    ['that is a graph', [...compound, quad(s, p, b), quad(s, p, literal('y'), b)]],
    ['in another graph', [...compound, quad(s, p, b, iri('urn:g'))]],
    ['with two values', [...compound, ...node([VALUE, 'y']), quad(s, p, b)]],
    ['with another direction', [...node([VALUE, 'x'], [DIRECTION, 'up']), quad(s, p, b)]],
    ['with a language that is none', [...node([VALUE, 'x'], [LANGUAGE, 'no tag'], [DIRECTION, 'rtl']), quad(s, p, b)]],
    ['with an empty language', [...node([VALUE, 'x'], [LANGUAGE, ''], [DIRECTION, 'rtl']), quad(s, p, b)]],
    ['with a language in upper case', [...node([VALUE, 'x'], [LANGUAGE, 'EN'], [DIRECTION, 'rtl']), quad(s, p, b)]],
    ['without a direction', [...node([VALUE, 'x']), quad(s, p, b)]],
  ])('a blank node %s stays one', async (_, quads) => {
    const text = JSON.stringify(written(quads, 'compound-literal'));
    const read = await parse(JSON_LD, text, { jsonLd: { rdfDirection: 'compound-literal' } });
    expect(toLines(read).sort()).toEqual(toLines(quads).sort());
  });

  it('as it is where more would have to be held than may be', () => {
    const compounds = new CompoundLiterals(5000);
    const many = Array.from({ length: 30 }, (_, i) => quad(s, p, blankNode(`n${i}`)));
    const taken = many.flatMap((one) => compounds.take([one]));
    expect(taken).toEqual(many);
    expect(compounds.take(compound)).toEqual(compound);
    expect(compounds.rest().quads).toEqual([]);
  });
});
