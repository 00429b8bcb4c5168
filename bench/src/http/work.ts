/** The requests that servers are compared by. Each call of `next` makes another one, with data of its own. */
import { bodyRequest, deleteRequest, getRequest, postRequest } from './requests.js';
import type { Subject } from './subjects.js';

const EX = 'http://example.org/';
const N_TRIPLES = 'application/n-triples';
const JSON_RESULTS = 'application/sparql-results+json';
/** Graphs of 20 triples that are read and replaced. */
const GRAPHS = 500;
const GRAPH_TRIPLES = 20;

export interface Work {
  readonly name: string;
  /** The bytes of the next request; `undefined` if there is none. */
  readonly next: () => Buffer | undefined;
  /** Requests that are sent before it is measured. */
  readonly before?: () => readonly Buffer[];
}

const triple = (i: number): string =>
  `<${EX}subject/${String(i)}> <${EX}predicate/${String(i % 20)}> "a value of ${String(i)}" .\n`;

/** `count` triples from a number on, as N-Triples. */
export function triples(from: number, count: number): string {
  let text = '';
  for (let i = from; i < from + count; i++) text += triple(i);
  return text;
}

const graph = ({ store }: Subject, i: number): string =>
  `${store}?graph=${encodeURIComponent(`${EX}graph/${String(i)}`)}`;

/** The work, in the order in which it is measured: reading follows what writes the data. */
export function worksOf(subject: Subject): Work[] {
  let made = 0;
  const take = (count: number): number => {
    made += count;
    return made - count;
  };
  const put = (i: number): Buffer =>
    bodyRequest('PUT', graph(subject, i), N_TRIPLES, triples(take(GRAPH_TRIPLES), GRAPH_TRIPLES));
  const post = (count: number) => (): Buffer => postRequest(graph(subject, 0), N_TRIPLES, triples(take(count), count));
  const insert = (count: number) => (): Buffer =>
    postRequest(subject.update, 'application/sparql-update', `INSERT DATA {\n${triples(take(count), count)}}`);
  const query = (i: number): Buffer => {
    const text = `SELECT ?p ?o WHERE { GRAPH ?g { <${EX}subject/${String(i)}> ?p ?o } }`;
    return getRequest(`${subject.query}?query=${encodeURIComponent(text)}`, JSON_RESULTS);
  };
  const graphs = (): Buffer[] => Array.from({ length: GRAPHS }, (_, i) => put(i + 1));
  let [replaced, read, asked] = [0, 0, 0];
  let left: Buffer[] = [];
  return [
    { name: 'POST of 1', next: post(1) },
    { name: 'POST of 100', next: post(100) },
    { name: 'POST of 1,000', next: post(1000) },
    { name: 'update of 1', next: insert(1) },
    { name: 'update of 100', next: insert(100) },
    { name: 'PUT of 20', next: () => put((replaced++ % GRAPHS) + 1), before: graphs },
    { name: 'GET of 20', next: () => getRequest(graph(subject, (read++ % GRAPHS) + 1), N_TRIPLES), before: graphs },
    {
      name: 'DELETE of 20',
      next: () => left.pop(),
      before: () => {
        left = Array.from({ length: GRAPHS }, (_, i) => deleteRequest(graph(subject, i + 1)));
        return graphs();
      },
    },
    { name: 'query', next: () => query(asked++) },
    { name: 'same query', next: () => query(1) },
  ];
}
