/** Oxigraph's JavaScript build behind node:http, as a user would run it: `node oxigraph-server.js FILE`. */
import { createServer } from 'node:http';
import { Store } from 'oxigraph';
import { BSBM_QUADS, checkCount } from '../data-sets.js';
import { chunksOf } from '../stores/oxigraph-store.js';
import { announce } from './announce.js';

const TYPE = 'application/sparql-results+json';
const store = new Store();
store.load(chunksOf(process.argv[2]!) as Iterable<never>, { format: 'application/n-triples', no_transaction: true });
checkCount('oxigraph', store.size, BSBM_QUADS['bsbm-1m']);

await announce(
  createServer((request, response) => {
    const query = new URL(request.url ?? '/', 'http://127.0.0.1').searchParams.get('query') ?? '';
    const answer = store.query(query, { results_format: TYPE }) as string;
    response.writeHead(200, { 'Content-Type': TYPE, 'Content-Length': Buffer.byteLength(answer) });
    response.end(answer);
  }),
);
