/** The bundled server beside a host with a document that it may import. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Endpoint, endpoint, PEOPLE } from '../clients/endpoint.js';

export interface RpcServer extends Endpoint {
  /** Where calls go. */
  readonly rpc: string;
  /** A document of people, and one that is not there. */
  readonly document: string;
  readonly noDocument: string;
}

/** @param options of `quadrille serve` */
export async function rpcServer(...options: readonly string[]): Promise<RpcServer> {
  const host = createServer((request, response) => {
    if (request.url !== '/people.ttl') return void response.writeHead(404).end();
    response.setHeader('Content-Type', 'text/turtle').end(PEOPLE);
  });
  await new Promise<void>((done) => host.listen(0, '127.0.0.1', done));
  const address = `127.0.0.1:${String((host.address() as AddressInfo).port)}`;
  const at = await endpoint('--allow', address, ...options);
  const rpc = `${at.url}/rpc/2012-06-01`;
  return {
    ...at,
    rpc,
    document: `http://${address}/people.ttl`,
    noDocument: `http://${address}/nothing.ttl`,
    stop: async () => {
      host.closeAllConnections();
      host.close();
      await at.stop();
    },
  };
}
