/** Servers on the loopback that end with their test, and what is left open after it. */
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import type { FetchResponse } from '../port.js';

export interface TestServer {
  readonly port: number;
  /** `127.0.0.1:port`, as an allow-list takes it. */
  readonly host: string;
  readonly url: string;
  /** What was asked, in order. */
  readonly requests: { readonly method: string; readonly url: string; readonly headers: IncomingMessage['headers'] }[];
  /** Connections that were ever opened. */
  connections(): number;
  /** Waits until no connection is open. */
  idle(): Promise<void>;
}

export async function serve(listener: RequestListener, address = '127.0.0.1'): Promise<TestServer> {
  return started(createServer(), listener, address);
}

export async function started(
  server: Server,
  listener: (request: IncomingMessage, response: ServerResponse) => void,
  address = '127.0.0.1',
): Promise<TestServer> {
  const requests: TestServer['requests'] = [];
  let connections = 0;
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    connections++;
    open.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => open.delete(socket));
  });
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    requests.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers });
    response.on('error', () => undefined);
    listener(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  const { port } = server.address() as AddressInfo;
  const scheme = 'setSecureContext' in server ? 'https' : 'http';
  return {
    port,
    host: `127.0.0.1:${port}`,
    url: `${scheme}://127.0.0.1:${port}/`,
    requests,
    connections: () => connections,
    idle: async () => {
      for (let waited = 0; open.size > 0; waited += 5) {
        if (waited > 3000) throw new Error(`${open.size} connections are still open`);
        await sleep(5);
      }
    },
  };
}

export async function readAll({ body }: Pick<FetchResponse, 'body'>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** The whole of a request's body. */
export async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}

/** Timers that keep the process alive. */
export const activeTimers = (): number =>
  process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;
