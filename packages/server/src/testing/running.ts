/** A server with a repository in a directory, on a port of its own. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openService, type Service, type ServiceOptions } from '../host/index.js';
import { open, type Repository } from 'quadrille';
import { onTestFinished } from 'vitest';
import { type NodeServer, serveNode, type ServeOptions } from '../node/node.js';
import { createHandler } from '../handler.js';

export interface Setting extends Pick<ServiceOptions, 'limits' | 'queries'> {
  readonly serve?: Partial<ServeOptions>;
  /** Whether tokens are asked for. */
  readonly closed?: boolean;
}

export interface Running {
  readonly service: Service;
  readonly repository: Repository;
  readonly node: NodeServer;
  /** Of the repository. */
  readonly url: string;
}

export async function running({
  limits = {},
  queries = {},
  serve = {},
  closed = false,
}: Setting = {}): Promise<Running> {
  const folder = await mkdtemp(join(tmpdir(), 'quadrille-feed-'));
  const database = await open(folder, { durability: 'process' });
  const service = await openService(database, { open: !closed, limits, queries });
  const repository = await database.repository('acme/people', { create: true });
  const node = await serveNode(createHandler({ service }), { port: 0, ...serve });
  onTestFinished(async () => {
    await node.close(100);
    await service.close();
    await database.close();
    await rm(folder, { recursive: true });
  });
  return { service, repository, node, url: `${node.url}/acme/people` };
}
