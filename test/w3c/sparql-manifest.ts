/** The tests of the W3C SPARQL suites: what their manifests say of data, requests and expected results. */
import { basename, dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type * as RDF from '@rdfjs/types';
import { describe, it } from 'vitest';
import { hasSuite, ManifestGraph, MF, RDF_NS, W3C_ROOT } from './manifest.js';

const QT = 'http://www.w3.org/2001/sw/DataAccess/tests/test-query#';
const UT = 'http://www.w3.org/2009/sparql/tests/test-update#';
const LABEL = 'http://www.w3.org/2000/01/rdf-schema#label';

/** Files of a dataset: those of the default graph, and those of named graphs with their names. */
export interface DatasetFiles {
  readonly data: readonly string[];
  readonly graphs: readonly { readonly file: string; readonly name: string }[];
}

export interface SparqlTest {
  /** Unique within its suite: the folder and the local name in the manifest. */
  readonly id: string;
  readonly type: string;
  /** The query or update. */
  readonly request: string;
  readonly before: DatasetFiles;
  /** A file of results, or the dataset after an update. */
  readonly after: string | DatasetFiles | undefined;
  /** Any number of equal rows is right, between one and as many as there are without REDUCED. */
  readonly anyCardinality: boolean;
}

const SPARQL_FOLDER = resolve(W3C_ROOT, 'sparql');
const WEB = 'https://w3c.github.io/rdf-tests/sparql/';

/** The IRI that a file of the suites has on the web; relative IRIs in it resolve against that. */
export const webIri = (file: string): string => WEB + relative(SPARQL_FOLDER, file);

/** The tests of a manifest (a path below the folder of the SPARQL suites) and of those that it includes. */
export function readSparqlTests(manifest: string): SparqlTest[] {
  return readTests(resolve(SPARQL_FOLDER, manifest));
}

/** One `it` for each test of these types, or one line that says why there is none. */
export function testSuite(
  title: string,
  manifests: readonly string[],
  types: readonly string[],
  run: (test: SparqlTest) => Promise<void>,
  nameOf: (test: SparqlTest) => string = ({ id }) => id,
): void {
  if (!hasSuite(title, SPARQL_FOLDER)) return;
  describe(title, () => {
    for (const test of manifests.flatMap(readSparqlTests)) {
      if (types.includes(test.type)) it(nameOf(test), () => run(test));
    }
  });
}

function readTests(file: string): SparqlTest[] {
  const graph = new ManifestGraph(file);
  const manifest = graph.subjectOf('type', `${MF}Manifest`);
  const included = graph.list(manifest, `${MF}include`).flatMap((other) => readTests(fileURLToPath(other.value)));
  const folder = basename(dirname(file));
  return [...included, ...graph.list(manifest, `${MF}entries`).map((entry) => readTest(graph, entry, folder))];
}

function readTest(graph: ManifestGraph, entry: RDF.Term, folder: string): SparqlTest {
  const action = graph.object(entry, `${MF}action`);
  if (action === undefined) throw new Error(`${entry.value} has no action`);
  const isFile = action.termType === 'NamedNode';
  const request = isFile ? action : (graph.object(action, `${QT}query`) ?? graph.object(action, `${UT}request`));
  if (request === undefined) throw new Error(`${entry.value} has no request`);
  const result = graph.object(entry, `${MF}result`);
  return {
    id: `${folder}/${entry.value.replace(/^.*[#/]/, '')}`,
    type: (graph.object(entry, `${RDF_NS}type`)?.value ?? '').replace(/^.*#/, ''),
    request: fileURLToPath(request.value),
    before: isFile ? { data: [], graphs: [] } : datasetFiles(graph, action),
    after: result === undefined ? undefined : resultOf(graph, result),
    anyCardinality: graph.object(entry, `${MF}resultCardinality`)?.value === `${MF}LaxCardinality`,
  };
}

const resultOf = (graph: ManifestGraph, result: RDF.Term): string | DatasetFiles =>
  result.termType === 'NamedNode' ? fileURLToPath(result.value) : datasetFiles(graph, result);

function datasetFiles(graph: ManifestGraph, node: RDF.Term): DatasetFiles {
  const data = [...graph.objects(node, `${QT}data`), ...graph.objects(node, `${UT}data`)];
  const named = [...graph.objects(node, `${QT}graphData`), ...graph.objects(node, `${UT}graphData`)];
  return { data: data.map(({ value }) => fileURLToPath(value)), graphs: named.map((each) => namedFile(graph, each)) };
}

/** A file that names its graph itself, or a node with the file and the name. */
function namedFile(graph: ManifestGraph, node: RDF.Term): { file: string; name: string } {
  const inner = graph.object(node, `${UT}graph`) ?? graph.object(node, `${QT}graph`);
  const file = fileURLToPath((inner ?? node).value);
  return { file, name: graph.object(node, LABEL)?.value ?? webIri(file) };
}
