/** The W3C suites of RDF/XML, RDF 1.1 and 1.2: one `it` for each test. All must pass. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createDefaultRegistry, QuadCollector } from '@quadrille/formats';
import { registerExtraFormats } from '@quadrille/formats-extra';
import { termToText } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import { describe, expect, it } from 'vitest';
import { areIsomorphic } from './isomorphism.js';
import { hasSuite, readManifest, W3C_FOLDER } from './manifest.js';
import type { W3cTest } from './manifest.js';

const registry = createDefaultRegistry();
registerExtraFormats(registry);
for (const format of registry.list()) await format.load?.();
const format = registry.find('rdf/xml');

function parse(bytes: Uint8Array, file: string, baseIRI?: string, chunk = bytes.length || 1): RDF.Quad[] {
  const sink = new QuadCollector();
  const parser = registry.byExtension(file).format.createParser!({ sink, source: file, baseIRI });
  for (let at = 0; at < bytes.length; at += chunk) parser.push(bytes.subarray(at, at + chunk));
  parser.end();
  return sink.take();
}

function lines(quads: readonly RDF.Quad[]): string {
  return quads.map((quad) => [quad.subject, quad.predicate, quad.object].map(termToText).join(' ')).join('\n');
}

function run({ action, base, result, type }: W3cTest): void {
  const bytes = readFileSync(action);
  if (/Negative/.test(type)) {
    const refused = expect.objectContaining({ code: 'RDF_SYNTAX', source: action });
    expect(() => parse(bytes, action, base)).toThrow(refused);
    return;
  }
  const quads = parse(bytes, action, base);
  const wanted = parse(readFileSync(result ?? ''), result ?? '');
  expect(areIsomorphic(quads, wanted), `${lines(quads)}\nis not\n${lines(wanted)}`).toBe(true);
  expect(lines(parse(bytes, action, base, 7)), 'in small chunks').toBe(lines(quads));
  const serializer = format.createSerializer!();
  const written = Buffer.from(serializer.write(quads) + serializer.end());
  expect(areIsomorphic(parse(written, action), quads), `written and read again:\n${written}`).toBe(true);
}

if (hasSuite('W3C RDF/XML', W3C_FOLDER)) {
  const seen = new Set<string>();
  const isNew = (test: W3cTest): boolean => !seen.has(test.action) && seen.add(test.action) !== undefined;
  describe.each(['rdf11', 'rdf12'])('W3C %s RDF/XML', (version) => {
    const tests = readManifest(resolve(W3C_FOLDER, version, 'rdf-xml/manifest.ttl')).filter(isNew);
    it('is there as a whole', () => expect(tests).toHaveLength(version === 'rdf11' ? 166 : 31));
    for (const test of tests) it(`${test.type} ${test.id} ${test.name}`, () => run(test));
  });
}
