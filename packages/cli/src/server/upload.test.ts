// Uploads in parts to a server that is played: it breaks where a real one breaks by chance only.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Requests } from '@quadrille/client';
import { afterEach, expect, test } from 'vitest';
import { type Workspace, workspace } from '../testing/command.js';
import { uploadFile } from './upload.js';

let server: Server;
let work: Workspace;
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await work.remove();
});

test('an answer that breaks off is a lost connection: the upload asks for the state and goes on', async () => {
  work = await workspace();
  const file = await work.file('few.nt', '<urn:a> <urn:p> <urn:b> .\n<urn:a> <urn:p> <urn:c> .\n');
  const parts: string[] = [];
  let broken = false;
  server = createServer((request, response) => {
    request.resume();
    if (request.method === 'POST') return response.writeHead(201, { Location: '/acme/people/jobs/j-1' }).end();
    if (request.method === 'GET') {
      const working = parts.length === 0;
      response.writeHead(200, working ? { 'Upload-Offset': '26' } : {});
      return response.end(JSON.stringify({ uuid: 'j-1', working, status: 'completed', message: '', revision: 'r-2' }));
    }
    if (!broken) {
      broken = true;
      // The head of the refusal arrives, its body does not: what a proxy makes of a server that closes first.
      response.writeHead(409, { 'Content-Length': '100' }).flushHeaders();
      return request.socket.destroySoon();
    }
    parts.push(String(request.headers['upload-offset']));
    return response.writeHead(200).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const resumed: number[] = [];
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/acme/people`;
  const uploaded = await uploadFile(new Requests({ url, token: undefined, branch: undefined }), {
    file,
    parameters: {},
    method: 'POST',
    mediaType: 'application/n-triples',
    signal: new AbortController().signal,
    onResume: (bytes) => resumed.push(bytes),
  });
  expect(uploaded).toMatchObject({ revision: 'r-2' });
  expect([parts, resumed]).toEqual([['26'], [26]]);
});
