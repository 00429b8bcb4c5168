/** The tests of the W3C protocol suites: connections, that is requests one after the other, and what each has to answer. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type * as RDF from '@rdfjs/types';
import { hasSuite, ManifestGraph, MF, W3C_ROOT } from './manifest.js';

const HT = 'http://www.w3.org/2011/http#';
const CNT = 'http://www.w3.org/2011/content#';
const UT = 'http://www.w3.org/2009/sparql/tests/test-update#';
const LABEL = 'http://www.w3.org/2000/01/rdf-schema#label';

export interface HttpExchange {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
  /** Local names of http-statusCodes; one of them has to be met. */
  readonly statuses: readonly string[];
  readonly boolean: boolean | undefined;
  /** `boolean`, `tabular` or `RDF`. */
  readonly format: string | undefined;
  /** A variable of later requests that the Location is the value of. */
  readonly location: string | undefined;
  readonly answerHeaders: Readonly<Record<string, string>>;
  readonly answerBody: string | undefined;
}

export interface HttpTest {
  readonly id: string;
  readonly name: string;
  /** Named graphs that are there before. */
  readonly graphs: readonly { readonly name: string; readonly content: string }[];
  readonly exchanges: readonly HttpExchange[];
}

const FOLDER = resolve(W3C_ROOT, 'sparql/sparql11');
export const hasHttpSuite = (title: string): boolean => hasSuite(title, FOLDER);

/** The tests of a manifest below the SPARQL 1.1 suites, and of those that it includes. */
export function readHttpTests(manifest: string): HttpTest[] {
  return readTests(resolve(FOLDER, manifest));
}

function readTests(file: string): HttpTest[] {
  const graph = new ManifestGraph(file);
  const manifest = graph.subjectOf('type', `${MF}Manifest`);
  const included = graph.list(manifest, `${MF}include`).flatMap((other) => readTests(fileURLToPath(other.value)));
  return [...included, ...graph.list(manifest, `${MF}entries`).map((entry) => readTest(graph, entry))];
}

function readTest(graph: ManifestGraph, entry: RDF.Term): HttpTest {
  const action = graph.object(entry, `${MF}action`);
  const graphs = graph.objects(entry, `${UT}graphData`).map((data) => ({
    name: graph.object(data, LABEL)!.value,
    content: readFileSync(fileURLToPath(graph.object(data, `${UT}graph`)!.value), 'utf8'),
  }));
  return {
    id: entry.value.replace(/^.*#/, ''),
    name: graph.object(entry, `${MF}name`)?.value ?? '',
    graphs,
    exchanges:
      action === undefined ? [] : graph.list(action, `${HT}requests`).map((request) => readExchange(graph, request)),
  };
}

function readExchange(graph: ManifestGraph, request: RDF.Term): HttpExchange {
  const answer = graph.object(request, `${HT}resp`)!;
  const boolean = graph.object(answer, `${MF}expectedBoolean`)?.value;
  return {
    method: graph.object(request, `${HT}methodName`)!.value,
    path: graph.object(request, `${HT}absolutePath`)!.value,
    headers: readHeaders(graph, request),
    body: readBody(graph, request),
    statuses: graph.objects(answer, `${MF}expectedStatus`).map((status) => status.value.replace(/^.*#/, '')),
    boolean: boolean === undefined ? undefined : boolean === 'true',
    format: graph.object(answer, `${MF}expectedFormat`)?.value,
    location: graph.object(answer, `${MF}expectedLocation`)?.value,
    answerHeaders: readHeaders(graph, answer),
    answerBody: bodyText(graph, answer),
  };
}

function readHeaders(graph: ManifestGraph, message: RDF.Term): Record<string, string> {
  return Object.fromEntries(
    graph
      .list(message, `${HT}headers`)
      .map((header) => [
        graph.object(header, `${HT}fieldName`)!.value.toLowerCase(),
        graph.object(header, `${HT}fieldValue`)!.value,
      ]),
  );
}

function bodyText(graph: ManifestGraph, message: RDF.Term): string | undefined {
  const body = graph.object(message, `${HT}body`);
  return body === undefined ? undefined : graph.object(body, `${CNT}chars`)?.value;
}

function readBody(graph: ManifestGraph, message: RDF.Term): Uint8Array | undefined {
  const text = bodyText(graph, message);
  const body = graph.object(message, `${HT}body`);
  if (text === undefined || body === undefined) return undefined;
  const encoding = graph.object(body, `${CNT}characterEncoding`)?.value ?? 'UTF-8';
  return Buffer.from(text, encoding === 'UTF-16' ? 'utf16le' : 'utf8');
}
