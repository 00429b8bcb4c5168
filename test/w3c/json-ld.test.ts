/** The W3C suites of JSON-LD 1.1, toRdf and fromRdf: one `it` for each test; those that fail are listed with the reason. */
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createDefaultRegistry, openParser, QuadCollector } from '@quadrille/formats';
import { registerExtraFormats } from '@quadrille/formats-extra';
import { iri, literal, quad, RDF_NS, termToText, XSD } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import { describe, expect, it } from 'vitest';
import { areIsomorphic } from './isomorphism.js';
import { W3C_ROOT } from './manifest.js';

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
const NO_MODE = 'the processing mode 1.0 cannot be chosen';
const NO_RDF_DIRECTION = 'base directions are those of RDF 1.2, and rdfDirection cannot be chosen';
const NEST = 'a scoped context of a property that is an alias of @nest is left out by jsonld';
const KNOWN: Readonly<Record<string, string>> = {
  'toRdf#t0118': 'a blank node cannot be a predicate',
  'toRdf#tc029': NO_MODE,
  'toRdf#tc037': NEST,
  'toRdf#tc038': NEST,
  'toRdf#tdi09': NO_RDF_DIRECTION,
  'toRdf#tdi10': NO_RDF_DIRECTION,
  'toRdf#tdi11': NO_RDF_DIRECTION,
  'toRdf#tdi12': NO_RDF_DIRECTION,
  'toRdf#te014': ONLY_1_0,
  'toRdf#te026': ONLY_1_0,
  'toRdf#te071': ONLY_1_0,
  'toRdf#te075': 'a blank node cannot be a predicate',
  'toRdf#te077': 'there is no option for a context outside of the document',
  'toRdf#te115': ONLY_1_0,
  'toRdf#te116': ONLY_1_0,
  'toRdf#tep02': NO_MODE,
  'toRdf#ter21': NO_MODE,
  'toRdf#ter24': ONLY_1_0,
  'toRdf#ter32': ONLY_1_0,
  'toRdf#ter42': NO_MODE,
  'toRdf#ttn01': NO_MODE,
  'fromRdf#t0016': 'the type rdf:List of a list is kept, where the suite leaves it out',
  'fromRdf#tdi05': NO_RDF_DIRECTION,
  'fromRdf#tdi06': NO_RDF_DIRECTION,
  'fromRdf#tdi11': NO_RDF_DIRECTION,
  'fromRdf#tdi12': NO_RDF_DIRECTION,
};

const registry = createDefaultRegistry();
registerExtraFormats(registry);
const format = registry.find('jsonld');

async function parse(text: string | Uint8Array, name: string, baseIRI?: string): Promise<RDF.Quad[]> {
  const sink = new QuadCollector();
  const options = { sink, source: name, baseIRI, loadDocument: readTestFile };
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
  const base = typeof option?.['base'] === 'string' ? option['base'] : BASE + input;
  const parsing = parse(readEntry(input), input, base);
  if (types.includes('jld:NegativeEvaluationTest')) {
    await expect(parsing).rejects.toMatchObject({ code: 'RDF_SYNTAX' });
    return;
  }
  const quads = await parsing;
  if (output !== undefined) compare(quads.map(withoutDirection), await parse(readEntry(output), output));
}

/** Written by us and read again it is what the wanted document says. */
async function fromRdf({ '@type': types, input, expect: output }: Entry): Promise<void> {
  const quads = await parse(readEntry(input), input);
  const serializer = format.createSerializer!();
  const write = (): string => serializer.write(quads) + serializer.end();
  if (types.includes('jld:NegativeEvaluationTest')) {
    expect(write).toThrow();
    return;
  }
  const written = await parse(write(), 'written.jsonld');
  compare(written, quads);
  compare(written.map(byValue), (await parse(readEntry(output!), output!)).map(byValue));
}

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

if (existsSync(FOLDER)) {
  suite('toRdf', toRdf);
  suite('fromRdf', fromRdf);
} else {
  const reason = `W3C suites are skipped: ${FOLDER} is not there`;
  console.info(reason);
  describe.skip(reason, () => {
    it('skipped', () => {});
  });
}
