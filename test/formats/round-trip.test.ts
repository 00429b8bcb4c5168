/** What is written in any format and read again is what it was: the graphs of the Turtle and TriG suites, and random quads. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createDefaultRegistry, openParser, QuadCollector } from '@quadrille/formats';
import { registerExtraFormats } from '@quadrille/formats-extra';
import { blankNode, dataFactory, iri, literal, QuadrilleError, quad, termToText, XSD } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { areIsomorphic } from '../w3c/isomorphism.js';
import { SEED } from '../model/environment.js';
import { hasSuite, readManifest, W3C_FOLDER } from '../w3c/manifest.js';

// A share of the campaign, which the seed chooses. `QUADRILLE_ROUND_TRIPS=500` is the whole of it.
const RUNS = { numRuns: Number(process.env['QUADRILLE_ROUND_TRIPS'] ?? 100), seed: SEED };
console.log(`round trips: ${RUNS.numRuns} documents a format, seed ${SEED}`);

const registry = createDefaultRegistry();
registerExtraFormats(registry);
/** Formats that are written as well as read. */
const FORMATS = registry
  .list()
  .filter(({ createSerializer }) => createSerializer !== undefined)
  .map(({ name }) => name);
const RDF_NS = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';

async function parse(format: string, text: string | Uint8Array, baseIRI?: string): Promise<RDF.Quad[]> {
  const sink = new QuadCollector();
  const parser = await openParser(registry.find(format), { sink, source: format, baseIRI });
  await parser.push(typeof text === 'string' ? new TextEncoder().encode(text) : text);
  await parser.end();
  return sink.take();
}

function write(format: string, quads: readonly RDF.Quad[], prefixes: Record<string, string>, batch = 1000): string {
  const serializer = registry.find(format).createSerializer!({ prefixes });
  let text = '';
  for (let i = 0; i < quads.length; i += batch) text += serializer.write(quads.slice(i, i + batch));
  return text + serializer.end();
}

/** The quads that the format has a way to write; without their graphs where it has none. */
function writable(format: string, quads: readonly RDF.Quad[]): RDF.Quad[] {
  const { namedGraphs } = registry.find(format);
  return quads
    .map((one) => (namedGraphs ? one : quad(one.subject, one.predicate, one.object)))
    .filter((one) => {
      try {
        write(format, [one], {});
        return true;
      } catch (error) {
        if (error instanceof QuadrilleError && error.code === 'UNSUPPORTED') return false;
        throw error;
      }
    });
}

const lines = (quads: readonly RDF.Quad[]): string =>
  quads.map((one) => [one.subject, one.predicate, one.object, one.graph].map(termToText).join(' ')).join('\n');

async function check(format: string, quads: readonly RDF.Quad[], prefixes: Record<string, string>, batch?: number) {
  const kept = writable(format, quads);
  const text = write(format, kept, prefixes, batch);
  const again = await parse(format, text);
  expect(areIsomorphic(again, kept), `${lines(kept)}\nbecame\n${lines(again)}\nby\n${text}`).toBe(true);
  return kept.length;
}

if (hasSuite('graphs of the W3C suites', W3C_FOLDER)) {
  const files = ['rdf11/rdf-turtle', 'rdf12/rdf-turtle', 'rdf11/rdf-trig', 'rdf12/rdf-trig'].flatMap((suite) =>
    readManifest(resolve(W3C_FOLDER, suite, 'manifest.ttl')).filter(({ type }) => !/Negative/.test(type)),
  );
  describe('graphs of the W3C suites', async () => {
    const graphs = await Promise.all(
      files.map(({ action, base }) => parse(action.endsWith('.trig') ? 'trig' : 'ttl', readFileSync(action), base)),
    );
    it.each(FORMATS)('%s', async (format) => {
      let [all, kept] = [0, 0];
      for (const quads of graphs) {
        all += quads.length;
        kept += await check(format, quads, { e: 'http://a.example/', rdf: RDF_NS, xsd: XSD });
      }
      // Predicates such as <http://a.example/1> in RDF/XML, control characters in XML, triple terms in JSON-LD.
      expect(kept / all).toBeGreaterThan(/XML|TriX|JSON-LD/.test(format) ? 0.85 : 0.9999);
    });
  });
}

const prefixes = {
  e: 'http://e/',
  a: 'http://e/a#',
  urn: 'urn:x:',
  http: 'http:',
  n: 'http://e/b',
  é: 'http://e/é/',
  xml: 'x:y/',
};
const text = fc.string({
  unit: fc.oneof(
    fc.constantFrom(...'ab"\\\'\n\r\t ]]>&<{}[]:,@_#\u00b7\uFEFF\u0085\u2028'),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  ),
});
const namespace = fc.constantFrom(
  'http://e/',
  'http://e/a#',
  'http://e/b',
  'urn:x:',
  'urn:',
  'e:',
  'e://',
  'http:',
  'a:',
  'http://e/é/',
  XSD,
  RDF_NS,
);
const local = fc.oneof(
  fc.constantFrom(
    '',
    'p',
    '1',
    '-a',
    'a.',
    'a.b',
    'é',
    'a:b',
    '_',
    'a/b#c',
    "(')*,;~&",
    '//x',
    'li',
    '_1',
    '@id',
    '__proto__',
  ),
  // jsonld drops IRIs with what JavaScript calls white space, also beyond ASCII.
  text.map((value) => value.replaceAll(/[\u0000-\u0020<>"{}|^`\\]|\s/g, '')),
);
const namedNode = fc
  .tuple(namespace, local)
  .map(([start, end]) => start + end)
  // JSON-LD drops what has two fragments.
  .filter((value) => value.indexOf('#') === value.lastIndexOf('#'))
  .map(iri);
const blank = fc.constantFrom('a', 'b1', '0', '_', 'a.b', 'é', 'anon1', '_anon2', '_x0', 'x\u{10000}').map(blankNode);
const language = fc.constantFrom('en', 'fr-ca', 'a-1-b2');
const literals = fc.oneof(
  text.map((value) => literal(value)),
  fc.tuple(text, language).map(([value, tag]) => literal(value, tag)),
  fc
    .tuple(text, language, fc.constantFrom('ltr' as const, 'rtl' as const))
    .map(([value, tag, direction]) => literal(value, { language: tag, direction })),
  fc.tuple(text, namedNode).map(([value, datatype]) => literal(value, datatype)),
  fc
    .tuple(
      fc.constantFrom(
        '1',
        '-1',
        '-0',
        '01',
        '1.5',
        '1e5',
        '9007199254740993',
        'true',
        '1 ',
        'INF',
        '',
        '{"a":[1]}',
        '{ }',
        '1E0',
      ),
      fc.constantFrom(`${XSD}integer`, `${XSD}double`, `${XSD}boolean`, `${RDF_NS}JSON`, `${RDF_NS}XMLLiteral`),
    )
    .map(([value, type]) => literal(value, iri(type))),
);
const { term: object } = fc.letrec<{ term: RDF.Quad_Object }>((tie) => ({
  term: fc.oneof(
    { maxDepth: 2 },
    namedNode,
    blank,
    literals,
    fc.tuple(fc.oneof(namedNode, blank), namedNode, tie('term')).map(([s, p, o]) => quad(s, p, o)),
  ),
}));
const quads = fc.array(
  fc
    .tuple(
      fc.oneof(fc.constant(iri('http://e/s')), namedNode, blank),
      fc.oneof(namedNode, fc.constantFrom(iri(`${RDF_NS}type`), iri('http://e/p'))),
      object,
      fc.oneof(fc.constant(dataFactory.defaultGraph()), fc.constant(iri('http://e/g')), namedNode, blank),
    )
    .map(([s, p, o, g]) => quad(s, p, o, g)),
  { maxLength: 6 },
);

describe('random quads', () => {
  it.each(FORMATS)('%s', { timeout: 60_000 }, async (format) => {
    const used = fc.constantFrom<Record<string, string>>({}, prefixes);
    await fc.assert(
      fc.asyncProperty(quads, used, fc.integer({ min: 1, max: 6 }), async (values, declared, batch) => {
        // Turtle refuses a prefix that its grammar does not know; those here it knows.
        await check(format, values, declared, batch);
      }),
      RUNS,
    );
  });
});

describe('broken documents', () => {
  const edit = fc.tuple(
    fc.nat(),
    fc.constantFrom(0, 1, 3),
    fc.oneof(
      fc.uint8Array({ maxLength: 2 }),
      fc
        .constantFrom(
          ...'<>"\\&;:/@[]{},\n',
          '<!--',
          ']]>',
          '&#0;',
          '<![CDATA[',
          '"@id":',
          '"@list":[',
          'rdf:ID="a" ',
          'null',
        )
        .map((part) => new TextEncoder().encode(part)),
    ),
  );

  /** Lines or the message of a ParseError; nothing else may come. */
  async function outcome(format: string, chunks: readonly Uint8Array[]): Promise<string> {
    const sink = new QuadCollector();
    const parser = await openParser(registry.find(format), { sink, source: format });
    try {
      for (const chunk of chunks) await parser.push(chunk);
      await parser.end();
      return lines(sink.take());
    } catch (error) {
      expect(error).toMatchObject({ name: 'ParseError', code: 'RDF_SYNTAX', source: format });
      return (error as Error).message;
    }
  }

  it.each(['RDF/XML', 'TriX', 'RDF/JSON', 'JSON-LD', 'N3'])('%s', { timeout: 60_000 }, async (format) => {
    await fc.assert(
      fc.asyncProperty(quads, fc.array(edit, { minLength: 1, maxLength: 3 }), fc.nat(), async (values, edits, at) => {
        let document = new TextEncoder().encode(write(format, writable(format, values), prefixes));
        for (const [where, length, bytes] of edits) {
          const start = where % (document.length + 1);
          document = Uint8Array.from([...document.slice(0, start), ...bytes, ...document.slice(start + length)]);
        }
        const whole = await outcome(format, [document]);
        const cut = at % (document.length + 1);
        const parts = await outcome(format, [document.slice(0, cut), document.slice(cut)]);
        // Of two faults the one that is found first depends on the chunks, where bytes are decoded before they are read.
        if (!whole.startsWith(`${format}:`)) expect(parts).toBe(whole);
        else expect(parts.startsWith(`${format}:`)).toBe(true);
      }),
      RUNS,
    );
  });
});
