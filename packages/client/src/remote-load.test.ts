// Loads in parts to a server that is played: it breaks where a real one breaks by chance only.
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { repositoryAt } from './connect.js';
import type { RemoteRepository } from './remote-repository.js';

const TEXT = '<urn:a> <urn:p> <urn:b> .\n<urn:a> <urn:p> <urn:c> .\n';
const bytes = new TextEncoder().encode(TEXT);
const open = async function* (offset: number) {
  yield bytes.subarray(offset);
};

let server: Server;
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

async function played(listener: RequestListener): Promise<RemoteRepository> {
  server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return repositoryAt(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}/acme/people`);
}

const REVISION = { uuid: 'r-2', ordinal: 2, datetime: '2026-01-01T00:00:00Z', predecessor: null, size: 2 };

test.each(['a function', 'a blob'])(
  '%s: an answer that breaks off is a lost connection, and the load goes on',
  async (kind) => {
    const parts: string[] = [];
    let broken = false;
    const repository = await played((request, response) => {
      request.resume();
      if (request.method === 'POST') return response.writeHead(201, { Location: '/acme/people/jobs/j-1' }).end();
      if (request.url?.includes('/revisions/')) {
        response.writeHead(200, { 'Content-Type': 'application/json' });
        return response.end(JSON.stringify(REVISION));
      }
      if (request.method === 'GET') {
        const working = parts.length === 0;
        response.writeHead(200, { 'Content-Type': 'application/json', ...(working && { 'Upload-Offset': '26' }) });
        return response.end(JSON.stringify({ working, status: 'completed', message: '', revision: 'r-2' }));
      }
      if (!broken) {
        broken = true;
        // The head of the refusal arrives, its body does not: what a proxy makes of a server that closes first.
        response.writeHead(409, { 'Content-Length': '100' }).flushHeaders();
        return request.socket.destroySoon();
      }
      parts.push(String(request.headers['upload-offset']));
      return response.writeHead(200).end();
    });
    const resumed: number[] = [];
    const onResume = (offset: number): void => void resumed.push(offset);
    const source = kind === 'a blob' ? new Blob([TEXT]) : open;
    expect(await repository.load(source, { format: 'nt', onResume })).toMatchObject({ id: 'r-2', number: 2 });
    expect([parts, resumed]).toEqual([['26'], [26]]);
  },
);

test('a caller that gives up while the connection is lost gets ABORTED', async () => {
  const gone = new AbortController();
  const repository = await played((request, response) => {
    request.resume();
    if (request.method === 'POST') return response.writeHead(201, { Location: '/acme/people/jobs/j-1' }).end();
    return request.socket.destroy();
  });
  let failed = 0;
  server.on('request', ({ method }) => {
    if (method === 'GET' && ++failed === 1) setImmediate(() => gone.abort());
  });
  const load = repository.load(open, { format: 'nt', signal: gone.signal });
  await expect(load).rejects.toMatchObject({ code: 'ABORTED', name: 'ClientError' });
});

test('a stream cannot tell which lines are left out', async () => {
  const repository = await played((_, response) => response.end());
  const stream = new Blob([TEXT]).stream();
  const load = repository.load(stream, { format: 'nt', onError: 'skip', onProblem: () => undefined });
  await expect(load).rejects.toMatchObject({ code: 'INVALID_OPTION' });
});
