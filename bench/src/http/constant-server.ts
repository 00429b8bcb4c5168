/** The upper bound of node:http: a server with the same short answer to every request. */
import { createServer } from 'node:http';
import { announce } from './announce.js';

const BODY = JSON.stringify({
  head: { vars: ['label'] },
  results: { bindings: [{ label: { type: 'literal', value: 'an answer of the length of those of the others' } }] },
});

await announce(
  createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      response.writeHead(200, {
        'Content-Type': 'application/sparql-results+json',
        'Content-Length': Buffer.byteLength(BODY),
      });
      response.end(BODY);
    });
  }),
);
