/** `POST /backup` over sockets: who may ask, what comes, and readers that go away or take nothing. */
import { request } from 'node:http';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openService, type Service } from '../../host/index.js';
import { type Database, open, restore, verifyBackup } from 'quadrille';
import { hostOf } from 'quadrille/host';
import { expect, onTestFinished, test } from 'vitest';
import { type NodeServer, serveNode, type ServeOptions } from '../../node/node.js';
import { createHandler } from '../../handler.js';

interface Running {
  readonly folder: string;
  readonly database: Database;
  readonly service: Service;
  readonly node: NodeServer;
  readonly warnings: string[];
}

async function running(serve: Partial<ServeOptions> = {}): Promise<Running> {
  const folder = await mkdtemp(join(tmpdir(), 'quadrille-backup-'));
  const database = await open(join(folder, 'store'), { durability: 'process' });
  const service = await openService(database, { rateLimit: false });
  const repository = await database.repository('acme/people', { create: true });
  // More than a socket and the streams in front of it hold.
  const text = 'text'.repeat(250_000);
  for (let n = 0; n < 40; n++)
    await repository.update(`INSERT DATA { <urn:s${String(n)}> <urn:p> "${text}${String(n)}" }`);
  const warnings: string[] = [];
  const logger = {
    info: () => undefined,
    warn: (message: string) => void warnings.push(message),
    error: () => undefined,
  };
  const node = await serveNode(createHandler({ service, logger }), { port: 0, ...serve });
  onTestFinished(async () => {
    await node.close(100);
    await service.close();
    await database.close();
    await rm(folder, { recursive: true });
  });
  return { folder, database, service, node, warnings };
}

const post = (node: NodeServer, token?: string) =>
  fetch(`${node.url}/backup`, {
    method: 'POST',
    headers: token === undefined ? {} : { Authorization: `Bearer ${token}` },
  });

async function operatorToken({ service }: Running): Promise<string> {
  await service.accounts.create('root', { admin: true });
  return (await service.tokens.create('root')).text;
}

test('an operator gets an archive, of which a store is made', async () => {
  const run = await running();
  const response = await post(run.node, await operatorToken(run));
  expect(response.status).toBe(200);
  expect(response.headers.get('Content-Type')).toBe('application/x-tar');
  const bytes = new Uint8Array(await response.arrayBuffer());
  expect((await verifyBackup(new Blob([bytes]).stream())).heads).toMatchObject([{ name: 'acme/people', number: 41 }]);
  await restore(new Blob([bytes]).stream(), join(run.folder, 'restored'));
  const restored = await open(join(run.folder, 'restored'));
  onTestFinished(() => restored.close());
  expect(await (await restored.repository('acme/people')).size()).toBe(40);
  // Accounts and tokens came along.
  expect([...(await hostOf(restored).records.list('')).keys()]).toEqual(
    [...(await hostOf(run.database).records.list('')).keys()].filter((key) => !key.startsWith('backup/')),
  );
});

test('nobody else gets one', async () => {
  const run = await running();
  await run.service.accounts.create('acme', {}).catch(() => undefined);
  const owner = (await run.service.tokens.create('acme')).text;
  await run.service.accounts.create('root', { admin: true });
  const reading = (await run.service.tokens.create('root', { readOnly: true })).text;
  expect((await post(run.node)).status).toBe(401);
  expect((await post(run.node, 'qd_wrong')).status).toBe(401);
  expect((await post(run.node, owner)).status).toBe(403);
  expect((await post(run.node, reading)).status).toBe(403);
  expect((await fetch(`${run.node.url}/backup`)).status).not.toBe(200);
  expect(run.warnings).toEqual([]);
});

/** Asks for a backup and reads only its beginning. */
function begin({ node }: Running, token: string): Promise<{ socket: { destroy(): void }; closed: Promise<void> }> {
  return new Promise((resolve, reject) => {
    const sent = request(`${node.url}/backup`, { method: 'POST', headers: { Authorization: `Bearer ${token}` } });
    sent.on('error', reject).on('response', (response) => {
      sent.off('error', reject).on('error', () => undefined);
      const closed = new Promise<void>((done) => response.on('error', () => undefined).on('close', done));
      response.once('data', () => {
        response.pause();
        resolve({ socket: sent, closed });
      });
    });
    sent.end();
  });
}

test('a reader that goes away ends its backup', async () => {
  const run = await running();
  const { socket } = await begin(run, await operatorToken(run));
  expect(run.warnings).toEqual([]);
  socket.destroy();
  await expect.poll(() => run.warnings, { timeout: 10_000 }).toEqual(['a backup was broken off']);
  // Nothing is held any more.
  await run.database.close();
});

test('a reader that takes nothing loses its connection', async () => {
  const run = await running({ writeStallMs: 300 });
  await begin(run, await operatorToken(run));
  await expect.poll(() => run.warnings, { timeout: 20_000 }).toEqual(['a backup was broken off']);
});

test('a token that is revoked ends its backup', async () => {
  const run = await running();
  await begin(run, await operatorToken(run));
  const [token] = await run.service.tokens.list('root');
  await run.service.tokens.revoke('root', token!.id);
  await expect.poll(() => run.warnings, { timeout: 20_000 }).toEqual(['a backup was broken off']);
});

test('the end of the store breaks the answer off', async () => {
  const run = await running();
  const response = await post(run.node, await operatorToken(run));
  const reader = response.body!.getReader();
  await reader.read();
  await run.database.close();
  const rest = async (): Promise<void> => {
    while (!(await reader.read()).done);
  };
  await expect(rest()).rejects.toThrow();
});
