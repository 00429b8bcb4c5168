/** The W3C suites of SHACL Core and SHACL-SPARQL, from the package shacl-engine: by a validation, and by the guard of a repository. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { termToNTriples } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import { Parser, Store } from 'n3';
import { iri, open, quad, type Repository, type ShapesError } from 'quadrille';
import { validateDataset } from 'quadrille/shacl';
import { afterAll, expect, test } from 'vitest';

const ROOT = join(dirname(new URL(import.meta.resolve('shacl-engine')).pathname), 'test/assets/data-shapes');
const SH = 'http://www.w3.org/ns/shacl#';
const SHT = 'http://www.w3.org/ns/shacl-test#';
const MF = 'http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#';

const parsed = new Map<string, RDF.Quad[]>();

function quadsOf(iri: string): RDF.Quad[] {
  let quads = parsed.get(iri);
  if (quads === undefined) {
    const text = readFileSync(new URL(iri), 'utf8');
    quads = new Parser({ baseIRI: iri }).parse(text) as RDF.Quad[];
    parsed.set(iri, quads);
  }
  return quads;
}

const files = readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ttl') && !/manifest\.ttl$|-(?:data|shapes)\.ttl$/.test(file))
  .toSorted();

interface Case {
  readonly name: string;
  readonly data: string;
  readonly shapes: string;
  readonly store: Store;
  readonly result: RDF.Term;
}

function casesOf(file: string): Case[] {
  const store = new Store(quadsOf(pathToFileURL(join(ROOT, file)).href) as never);
  const one = (subject: RDF.Term, predicate: string): RDF.Term =>
    store.getObjects(subject as never, predicate, null)[0]!;
  return store.getSubjects(`${MF}action`, null, null).map((node) => {
    const action = one(node, `${MF}action`);
    return {
      name: `${file} ${relative(ROOT, new URL(node.value).pathname)}`,
      data: one(action, `${SHT}dataGraph`).value,
      shapes: one(action, `${SHT}shapesGraph`).value,
      store,
      result: one(node, `${MF}result`),
    };
  });
}

/** A path as text, whatever its blank nodes are called. */
function pathText(store: Store, path: RDF.Term): string {
  if (path.termType !== 'BlankNode') return termToNTriples(path);
  const parts = store
    .getQuads(path as never, null, null, null)
    .map(({ predicate, object }) => `${predicate.value} ${pathText(store, object)}`);
  return `[${parts.toSorted().join(';')}]`;
}

const isBlank = (term: RDF.Term): boolean => term.termType === 'BlankNode';
// Shapes and nodes without a name have other labels in the expected report.
const nodeText = (term: RDF.Term | undefined): string =>
  term === undefined ? '-' : isBlank(term) ? '_:' : termToNTriples(term);

/** The results of a report, one a line. Messages may differ. */
function linesOf(store: Store, report: RDF.Term): string[] {
  const results = store.getObjects(report as never, `${SH}result`, null).map((node) => {
    const one = (name: string): RDF.Term | undefined => store.getObjects(node, SH + name, null)[0];
    const path = one('resultPath');
    return [
      nodeText(one('focusNode')),
      path === undefined ? '-' : pathText(store, path),
      nodeText(one('value')),
      nodeText(one('sourceShape')),
      one('sourceConstraintComponent')!.value,
      nodeText(one('sourceConstraint')),
      one('resultSeverity')!.value,
    ].join(' ');
  });
  return results.toSorted();
}

const cases = files.flatMap(casesOf);
const FAILURE = `${SHT}Failure`;
const SHAPES = iri('urn:shapes');
const db = await open(':memory:');
afterAll(() => db.close());

test('the suites are there', () => {
  expect(cases.filter(({ name }) => name.startsWith('core/')).length).toBeGreaterThan(90);
  expect(cases.filter(({ name }) => name.startsWith('sparql/')).length).toBeGreaterThan(20);
});

const reported = (report: Iterable<RDF.Quad>): string[] => {
  const store = new Store([...report] as never);
  return linesOf(store, store.getSubjects(`${SH}conforms`, null, null)[0]!);
};

test.each(cases)('$name, validated', async (one) => {
  const validation = validateDataset(quadsOf(one.data), quadsOf(one.shapes));
  if (one.result.value === FAILURE)
    return expect(validation).rejects.toMatchObject({ code: 'SHAPES_INVALID', name: 'ShapesError' });
  const expected = linesOf(one.store, one.result);
  const { conforms, report } = await validation;
  expect(reported(report)).toEqual(expected);
  expect(conforms).toBe(expected.length === 0);
});

async function guarded({ data, shapes }: Case, index: number): Promise<Repository> {
  const repository = await db.repository(`w3c/r${String(index)}`, { create: true });
  const put = (quads: readonly RDF.Quad[], graph?: RDF.NamedNode): Promise<unknown> =>
    repository.add(quads.map(({ subject, predicate, object }) => quad(subject, predicate, object, graph)));
  await put(quadsOf(data));
  await put(quadsOf(shapes), SHAPES);
  return repository;
}

test.each(cases.map((one, index) => ({ ...one, index })))('$name, guarded', async (one) => {
  const repository = await guarded(one, one.index);
  const set = repository.settings.set({ shapes: SHAPES.value });
  if (one.result.value === FAILURE) return expect(set).rejects.toMatchObject({ code: 'SHAPES_INVALID' });
  const expected = linesOf(one.store, one.result);
  if (!expected.some((line) => line.endsWith(`${SH}Violation`))) return expect(await set).toBeDefined();
  const error = (await set.catch((thrown: unknown) => thrown)) as ShapesError;
  expect(error).toMatchObject({ code: 'SHAPES_VIOLATED' });
  expect(reported(error.report as Iterable<RDF.Quad>)).toEqual(expected);
});
