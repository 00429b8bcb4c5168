/** Reads the manifests of the W3C test suites with our own Turtle parser. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { QuadCollector, TURTLE } from '@quadrille/formats';
import type * as RDF from '@rdfjs/types';
import { describe, it } from 'vitest';

await TURTLE.load?.();

export const MF = 'http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#';
export const RDF_NS = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';

/** One test: `action` and `result` are files, `base` is the IRI that the document has on the web. */
export interface W3cTest {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly action: string;
  readonly base: string;
  readonly result: string | undefined;
}

/** Where the suites are; outside of the repository, since they are large. */
export const W3C_ROOT = resolve(
  process.env['QUADRILLE_SHARED'] ?? resolve(import.meta.dirname, '../../../shared'),
  'w3c/rdf-tests',
);
export const W3C_FOLDER = resolve(W3C_ROOT, 'rdf');

/** Tests that need a suite: `describe` where it is there. */
export function describeSuite(title: string, folder: string, body: () => void): void {
  if (hasSuite(title, folder)) describe(title, body);
}

/** Whether a suite is there. Where it is not, a skipped test has the reason as its name, and the reason is printed. */
export function hasSuite(title: string, folder: string): boolean {
  if (existsSync(folder)) return true;
  const reason = `${title}: skipped, ${folder} is not there`;
  console.info(reason);
  it.skip(reason, () => {});
  return false;
}

/** The tests of a manifest and of those that it includes. `base` is the assumed IRI of the manifest's folder. */
export function readManifest(file: string): W3cTest[] {
  const graph = new ManifestGraph(file);
  const manifest = graph.subjectOf('type', `${MF}Manifest`);
  const included = graph.list(manifest, `${MF}include`).flatMap((other) => readManifest(fileURLToPath(other.value)));
  const base = graph.object(manifest, `${MF}assumedTestBase`)?.value ?? assumedBase(file);
  return [...included, ...graph.list(manifest, `${MF}entries`).map((entry) => graph.test(entry, base))];
}

function assumedBase(file: string): string {
  return `https://w3c.github.io/rdf-tests/rdf${dirname(file).slice(W3C_FOLDER.length)}/`;
}

/** The triples of a manifest. Its relative IRIs are files. */
export class ManifestGraph {
  readonly #file: string;
  readonly #quads: RDF.Quad[];

  constructor(file: string) {
    this.#file = file;
    const sink = new QuadCollector();
    const parser = TURTLE.createParser!({ sink, source: file, baseIRI: pathToFileURL(file).href });
    parser.push(readFileSync(file));
    parser.end();
    this.#quads = sink.take();
  }

  subjectOf(local: string, object: string): RDF.Term {
    const predicate = `${RDF_NS}${local}`;
    const found = this.#quads.find((quad) => quad.predicate.value === predicate && quad.object.value === object);
    if (found === undefined) throw new Error(`${this.#file}: no subject with ${object}`);
    return found.subject;
  }

  object(subject: RDF.Term, predicate: string): RDF.Term | undefined {
    return this.#quads.find((quad) => quad.subject.equals(subject) && quad.predicate.value === predicate)?.object;
  }

  objects(subject: RDF.Term, predicate: string): RDF.Term[] {
    return this.#quads
      .filter((quad) => quad.subject.equals(subject) && quad.predicate.value === predicate)
      .map((quad) => quad.object);
  }

  list(subject: RDF.Term, predicate: string): RDF.Term[] {
    const items: RDF.Term[] = [];
    let node = this.object(subject, predicate);
    while (node !== undefined && node.value !== `${RDF_NS}nil`) {
      const first = this.object(node, `${RDF_NS}first`);
      if (first !== undefined) items.push(first);
      node = this.object(node, `${RDF_NS}rest`);
    }
    return items;
  }

  test(entry: RDF.Term, base: string): W3cTest {
    const action = this.object(entry, `${MF}action`);
    if (action === undefined) throw new Error(`${this.#file}: ${entry.value} has no action`);
    const file = fileURLToPath(action.value);
    const result = this.object(entry, `${MF}result`);
    return {
      id: entry.value.replace(/^.*[#/]/, ''),
      name: this.object(entry, `${MF}name`)?.value ?? '',
      type: (this.object(entry, `${RDF_NS}type`)?.value ?? '').replace(/^.*#/, ''),
      action: file,
      base: base + file.slice(dirname(this.#file).length + 1),
      result: result === undefined ? undefined : fileURLToPath(result.value),
    };
  }
}
