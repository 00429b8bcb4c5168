/** The W3C suites of JSON-LD 1.1, toRdf and fromRdf: one `it` for each test; those that fail are listed with the reason. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createDefaultRegistry, openParser, QuadCollector } from '@quadrille/formats';
import type { JsonLdOptions } from '@quadrille/formats';
import { registerExtraFormats } from '@quadrille/formats-extra';
import { iri, literal, quad, RDF_NS, termToText, XSD } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import { describe, expect, it } from 'vitest';
import { areIsomorphic } from './isomorphism.js';
import { hasSuite, W3C_ROOT } from './manifest.js';

const FOLDER = resolve(W3C_ROOT, '../json-ld-api/tests');
const BASE = 'https://w3c.github.io/json-ld-api/tests/';

interface Entry {
  readonly '@id': string;
  readonly '@type': readonly string[];
  readonly name: string;
  readonly input: string;
  readonly expect?: string;
  readonly option?: Readonly<Record<string, unknown>>;
}

const ONLY_1_0 = 'of JSON-LD 1.0 only';
const BLANK_PREDICATE = 'a blank node cannot be a predicate';
const NEST = 'a scoped context of a property that is an alias of @nest is left out by jsonld';
const KNOWN: Readonly<Record<string, string>> = {
  'toRdf#t0118': BLANK_PREDICATE,
  'toRdf#tc037': NEST,
  'toRdf#tc038': NEST,
  'toRdf#te014': ONLY_1_0,
  'toRdf#te026': ONLY_1_0,
  'toRdf#te071': ONLY_1_0,
  'toRdf#te075': BLANK_PREDICATE,
  'toRdf#te115': ONLY_1_0,
  'toRdf#te116': ONLY_1_0,
  'toRdf#ter24': ONLY_1_0,
  'toRdf#ter32': ONLY_1_0,
};

const registry = createDefaultRegistry();
registerExtraFormats(registry);
const format = registry.find('jsonld');

interface ParseOptions {
  readonly baseIRI?: string;
  readonly jsonLd?: JsonLdOptions;
}

async function parse(text: string | Uint8Array, name: string, given: ParseOptions = {}): Promise<RDF.Quad[]> {
  const sink = new QuadCollector();
  const options = { sink, source: name, loadDocument: readTestFile, ...given };
  const parser = await openParser(registry.byExtension(name).format, options);
  await parser.push(typeof text === 'string' ? new TextEncoder().encode(text) : text);
  await parser.end();
  return sink.take();
}

async function readTestFile(url: string): Promise<Uint8Array> {
  if (!url.startsWith(BASE)) throw new Error(`${url} is no file of the suite`);
  return readFileSync(resolve(FOLDER, url.slice(BASE.length)));
}

const readEntry = (file: string): Uint8Array => readFileSync(resolve(FOLDER, file));

function lines(quads: readonly RDF.Quad[]): string {
  return quads
    .map((quad) => [quad.subject, quad.predicate, quad.object, quad.graph].map(termToText).join(' '))
    .sort()
    .join('\n');
}

function compare(quads: readonly RDF.Quad[], wanted: readonly RDF.Quad[]): void {
  expect(areIsomorphic(quads, wanted), `${lines(quads)}\nis not\n${lines(wanted)}`).toBe(true);
}

// The suite is of RDF 1.1, where a base direction is lost.
function withoutDirection({ subject, predicate, object, graph }: RDF.Quad): RDF.Quad {
  const plain = object.termType === 'Literal' && object.direction ? literal(object.value, object.language) : object;
  return quad(subject, predicate, plain, graph);
}

async function toRdf({ '@type': types, input, expect: output, option }: Entry): Promise<void> {
  const baseIRI = typeof option?.['base'] === 'string' ? option['base'] : BASE + input;
  const jsonLd = optionsOf(option);
  const parsing = parse(readEntry(input), input, { baseIRI, jsonLd });
  if (types.includes('jld:NegativeEvaluationTest')) {
    const code = input === 'toRdf/er04-in.jsonld' ? 'FETCH_FAILED' : 'RDF_SYNTAX';
    await expect(parsing).rejects.toMatchObject({ code });
    return;
  }
  const quads = await parsing;
  if (output !== undefined) compare(quads.map(withoutDirection), await parse(readEntry(output), output));
}

/** The options of a test that the parser has. */
function optionsOf(option: Entry['option'] = {}): JsonLdOptions {
  const { rdfDirection, expandContext, processingMode } = option as JsonLdOptions;
  return {
    ...(rdfDirection !== undefined && { rdfDirection }),
    ...(typeof expandContext === 'string' && { expandContext: BASE + expandContext }),
    ...(processingMode !== undefined && { processingMode }),
  };
}

/** Written by us and read again it is what the wanted document says. */
async function fromRdf({ '@type': types, input, expect: output, option }: Entry): Promise<void> {
  const quads = await parse(readEntry(input), input);
  const { rdfDirection } = optionsOf(option);
  const jsonLd = rdfDirection === undefined ? {} : { rdfDirection };
  const serializer = format.createSerializer!({ jsonLd });
  const write = (): string => serializer.write(quads) + serializer.end();
  if (types.includes('jld:NegativeEvaluationTest')) {
    expect(write).toThrow();
    return;
  }
  const text = write();
  compare(await parse(text, 'written.jsonld', { jsonLd }), quads);
  // Without rdfDirection a string with a base direction is another literal than one with a datatype of that form.
  for (const read of [{}, { jsonLd }]) {
    const written = await parse(text, 'written.jsonld', read);
    compare(comparable(written), comparable(await parse(readEntry(output!), output!, read)));
  }
}

// The suite leaves the type rdf:List of lists out. We write all statements: a dump loses nothing.
const comparable = (quads: readonly RDF.Quad[]): RDF.Quad[] =>
  quads.filter(({ object }) => object.value !== `${RDF_NS}List`).map(byValue);

// Native values of JSON have no text of their own.
function byValue({ subject, predicate, object, graph }: RDF.Quad): RDF.Quad {
  const type = object.termType === 'Literal' ? object.datatype.value : '';
  let { value } = object;
  if (type === `${RDF_NS}JSON`) value = JSON.stringify(JSON.parse(value));
  else if (type === `${XSD}boolean`) value = value.replace(/^1$/, 'true').replace(/^0$/, 'false');
  return quad(subject, predicate, value === object.value ? object : literal(value, iri(type)), graph);
}

function suite(name: string, run: (entry: Entry) => Promise<void>): void {
  const manifest = JSON.parse(readFileSync(resolve(FOLDER, `${name}-manifest.jsonld`), 'utf8')) as {
    sequence: Entry[];
  };
  describe(`W3C JSON-LD ${name}`, () => {
    for (const entry of manifest.sequence) {
      const id = `${name}${entry['@id']}`;
      const reason = KNOWN[id];
      if (reason === undefined) it(`${id} ${entry.name}`, () => run(entry));
      else it.fails(`${id} ${entry.name}: ${reason}`, () => run(entry));
    }
  });
}

if (hasSuite('W3C JSON-LD', FOLDER)) {
  suite('toRdf', toRdf);
  suite('fromRdf', fromRdf);
}
