/** The W3C suites of N-Triples, N-Quads, Turtle and TriG, RDF 1.1 and 1.2: one `it` for each test. All must pass. */
import { readFileSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import { createDefaultRegistry, QuadCollector } from '@quadrille/formats';
import { termToText } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import { describe, expect, it } from 'vitest';
import { areIsomorphic } from './isomorphism.js';
import { hasSuite, readManifest, W3C_FOLDER } from './manifest.js';
import type { W3cTest } from './manifest.js';

const SUITES = ['rdf11', 'rdf12'].flatMap((version) =>
  ['rdf-n-triples', 'rdf-n-quads', 'rdf-turtle', 'rdf-trig'].map((suite) => `${version}/${suite}`),
);
const registry = createDefaultRegistry();
for (const format of registry.list()) await format.load?.();

function parseFile(file: string, base: string): RDF.Quad[] {
  return parseBytes(readFileSync(file), file, base);
}

function parseBytes(bytes: Uint8Array, file: string, baseIRI?: string): RDF.Quad[] {
  const sink = new QuadCollector();
  const parser = registry.byExtension(extname(file)).format.createParser?.({ sink, source: file, baseIRI });
  parser?.push(bytes);
  parser?.end();
  return sink.take();
}

/** The quads after they were written in the format of the file and read again. */
function rewrite(quads: readonly RDF.Quad[], file: string): RDF.Quad[] {
  const serializer = registry.byExtension(extname(file)).format.createSerializer?.();
  return parseBytes(Buffer.from(`${serializer?.write(quads)}${serializer?.end()}`), file);
}

function canonicalLines(quads: readonly RDF.Quad[]): string {
  return quads
    .map(({ subject, predicate, object, graph }) => [subject, predicate, object, graph].map(termToText).join(' '))
    .map((line) => `${line.trimEnd()} .\n`)
    .join('');
}

function run(test: W3cTest): void {
  const { action, base, result } = test;
  if (/Negative/.test(test.type)) {
    expect(() => parseFile(action, base)).toThrow(expect.objectContaining({ code: 'RDF_SYNTAX', source: action }));
    return;
  }
  const quads = parseFile(action, base);
  expect(areIsomorphic(rewrite(quads, action), quads), 'written and read again').toBe(true);
  if (/C14N/.test(test.type)) expect(canonicalLines(quads)).toBe(readFileSync(result ?? '', 'utf8'));
  else if (/Eval/.test(test.type)) {
    const wanted = parseFile(result ?? '', base);
    expect(areIsomorphic(quads, wanted), `${canonicalLines(quads)}\nis not\n${canonicalLines(wanted)}`).toBe(true);
  }
}

// The manifests of RDF 1.2 include those of RDF 1.1.
const seen = new Set<string>();
const isNew = (test: W3cTest): boolean => !seen.has(test.action) && seen.add(test.action) !== undefined;

if (hasSuite('W3C N-Triples, N-Quads, Turtle and TriG', W3C_FOLDER)) {
  describe.each(SUITES)('W3C %s', (suite) => {
    for (const test of readManifest(resolve(W3C_FOLDER, suite, 'manifest.ttl')).filter(isNew)) {
      it(`${test.type} ${test.id} ${test.name}`, () => run(test));
    }
  });
}
