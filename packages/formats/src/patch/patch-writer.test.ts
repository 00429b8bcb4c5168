/** Every patch that is written can be read again, and is the same. */
import { dataFactory, iri, literal } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { SEED } from '../../../../test/model/environment.js';
import { patchRowText, readPatch } from './index.js';
import type { PatchRow, PatchRowInput } from './index.js';

const graph = dataFactory.defaultGraph();
const quad = (object: RDF.Quad_Object, name: RDF.Quad_Graph = graph): RDF.Quad =>
  dataFactory.quad(iri('a:s'), iri('a:p'), object, name);

async function readAll(text: string): Promise<PatchRow[]> {
  const rows: PatchRow[] = [];
  for await (const batch of readPatch(text)) rows.push(...batch);
  return rows;
}

it('writes the preferred style', () => {
  const rows: PatchRowInput[] = [
    { type: 'header', name: 'id', value: iri('urn:uuid:1') },
    { type: 'header', name: 'two words', value: literal('x') },
    { type: 'begin' },
    { type: 'add prefix', name: 'ex', iri: 'http://e/', graph },
    { type: 'delete prefix', name: '', graph: iri('a:g') },
    { type: 'delete', quad: quad(literal('a "b"\n', 'en')) },
    { type: 'add', quad: quad(dataFactory.blankNode('b.1'), iri('a:g')) },
    { type: 'add', quad: quad(dataFactory.quad(dataFactory.blankNode('b'), iri('a:p'), literal('1'))) },
    { type: 'abort' },
    { type: 'commit' },
  ];
  expect(rows.map(patchRowText).join('')).toBe(`H id <urn:uuid:1> .
H "two words" "x" .
TX .
PA "ex" "http://e/" .
PD "" <a:g> .
D <a:s> <a:p> "a \\"b\\"\\n"@en .
A <a:s> <a:p> <_:b.1> <a:g> .
A <a:s> <a:p> <<( <_:b> <a:p> "1" )>> .
TA .
TC .
`);
});

it('writes the label that a node had in another patch', async () => {
  const text = 'A <_:-7d:1b/2> <a:p> <_:patch-612e> <_:patch-6162> .\n';
  const [row] = await readAll(text);
  // The second one is another way to write `<_:a.>`, the third one is a label as any other.
  expect(patchRowText(row!)).toBe('A <_:-7d:1b/2> <a:p> <_:a.> <_:patch-6162> .\n');
  expect(() => patchRowText({ type: 'add', quad: quad(dataFactory.blankNode('a b')) })).toThrow(
    'not a legal blank node label',
  );
});

const label = fc.stringMatching(/^[a-zA-Z0-9_é]([a-z.A-Z0-9_é-]{0,4}[a-z0-9])?$/);
const anyIri = fc.stringMatching(/^[a-z]+:[a-zé😀/#?%-]{0,8}$/u).map(iri);
const resource = fc.oneof(
  anyIri,
  label.map((value) => dataFactory.blankNode(value)),
);
const literals = fc.oneof(
  fc.string({ unit: 'grapheme' }).map((value) => literal(value)),
  fc.string({ unit: 'binary' }).map((value) => literal(value.replaceAll(/\p{Surrogate}/gu, ''), 'en-GB')),
  fc.tuple(fc.string({ unit: 'grapheme' }), anyIri).map(([value, type]) => literal(value, type)),
);
const triple: fc.Arbitrary<RDF.Quad> = fc
  .tuple(resource, anyIri, fc.oneof(resource, literals))
  .map(([s, p, o]) => dataFactory.quad(s as RDF.Quad_Subject, p, o as RDF.Quad_Object));
const object = fc.oneof(
  resource,
  literals,
  triple,
  triple.map((inner) => dataFactory.quad(iri('a:x'), iri('a:y'), inner)),
);
const graphs = fc.oneof(fc.constant(graph), resource);
const prefix = fc.stringMatching(/^([a-zé]([a-z.-]{0,3}[a-z0-9])?)?$/);
const row: fc.Arbitrary<PatchRowInput> = fc.oneof(
  fc
    .tuple(fc.constantFrom('add', 'delete'), resource, anyIri, object, graphs)
    .map(([type, s, p, o, g]): PatchRowInput => ({
      type,
      quad: dataFactory.quad(s as RDF.Quad_Subject, p, o as RDF.Quad_Object, g as RDF.Quad_Graph),
    })),
  fc.tuple(fc.string(), object).map(([name, value]): PatchRowInput => ({ type: 'header', name, value })),
  fc
    .tuple(prefix, fc.webUrl(), graphs)
    .map(([name, address, g]): PatchRowInput => ({ type: 'add prefix', name, iri: address, graph: g })),
  fc.tuple(prefix, graphs).map(([name, g]): PatchRowInput => ({ type: 'delete prefix', name, graph: g })),
);

it(`what is written is read again (QUADRILLE_SEED=${SEED})`, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 20 }), async (rows) => {
      const all: PatchRowInput[] = [{ type: 'begin' }, ...rows, { type: 'commit' }];
      const text = all.map(patchRowText).join('');
      const read = await readAll(text);
      expect(read.map(patchRowText).join('')).toBe(text);
      expect(read).toEqual(all.map((written, index) => ({ ...written, line: index + 1 })));
    }),
    { seed: SEED, numRuns: 200 },
  );
});
