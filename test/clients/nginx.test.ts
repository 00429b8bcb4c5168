/** Following changes through nginx with its buffering on: curl, and a browser's EventSource, across a restart of the server. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHandler, type NodeServer, serveNode } from '@quadrille/server';
import { openService, type Service } from '@quadrille/server/host';
import { type Database, open } from 'quadrille';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { CHROMIUM, launch, serve, WITHOUT_CHROMIUM } from '../browser/chromium.js';
import { has } from './endpoint.js';

const NGINX = ['nginx', '/usr/sbin/nginx'].find((path) => has(path, '-v'));
const WITHOUT_NGINX = NGINX === undefined ? ' (skipped: no nginx; apt-get install nginx-light)' : '';
const WAIT = { timeout: 20_000 };

/** What the guide has, and folders that need no rights. The time limit is shorter than two heartbeats, and longer than one. */
const configuration = (folder: string, port: number, upstream: number): string => `
daemon off;
${process.getuid?.() === 0 ? 'user root;' : ''}
worker_processes 1;
pid ${folder}/nginx.pid;
error_log stderr;
events {}
http {
  access_log off;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join('\n  ')}
  gzip on;
  gzip_types *;
  server {
    listen 127.0.0.1:${String(port)};
    proxy_buffering on;
    proxy_read_timeout 20s;
    location / {
      proxy_pass http://127.0.0.1:${String(upstream)};
    }
    location ~ ^/[^/]+/[^/]+/changes$ {
      proxy_pass http://127.0.0.1:${String(upstream)};
      error_page 502 504 = @away;
    }
    location @away {
      internal;
      default_type text/event-stream;
      return 200 "retry: 200\\n\\n";
    }
  }
}
`;

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

interface Backend {
  readonly database: Database;
  readonly service: Service;
  readonly node: NodeServer;
}

describe.skipIf(NGINX === undefined || !has('curl', '--version'))(`the feed behind nginx${WITHOUT_NGINX}`, () => {
  let folder: string;
  let proxy: ChildProcess;
  let backend: Backend | undefined;
  let [port, upstream] = [0, 0];
  let url: string;

  async function start(): Promise<Backend> {
    const database = await open(join(folder, 'store'), { create: true });
    await database.repository('acme/people', { create: true });
    const service = await openService(database, { open: true });
    return (backend = { database, service, node: await serveNode(createHandler({ service }), { port: upstream }) });
  }

  async function stop(): Promise<void> {
    const { database, service, node } = backend!;
    backend = undefined;
    await node.close(1000);
    await service.close();
    await database.close();
  }

  const insert = async (number: number) =>
    (await backend!.database.repository('acme/people')).update(`INSERT DATA { <urn:s> <urn:p> ${String(number)} }`);
  /** The numbers of the inserted values. */
  const values = (text: string): number[] => [...text.matchAll(/A <urn:s> <urn:p> "(\d+)"/g)].map(([, n]) => Number(n));

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quadrille-nginx-'));
    [port, upstream] = [await freePort(), await freePort()];
    url = `http://127.0.0.1:${String(port)}/acme/people/changes`;
    const file = join(folder, 'nginx.conf');
    await writeFile(file, configuration(folder, port, upstream));
    proxy = spawn(NGINX!, ['-p', folder, '-c', file], { stdio: 'ignore' });
    await start();
    await vi.waitFor(async () => expect((await fetch(url, { method: 'HEAD' })).status).toBe(200), WAIT);
  });

  afterEach(async () => {
    if (backend === undefined) await start();
  });

  afterAll(async () => {
    if (backend !== undefined) await stop();
    const ended = new Promise((resolve) => proxy.once('close', resolve));
    proxy.kill('SIGTERM');
    await ended;
    await rm(folder, { recursive: true, force: true });
  });

  function curl(...args: string[]) {
    const child = spawn('curl', ['-sN', ...args, url], { stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => void child.kill());
    const told = { text: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => (told.text += text));
    return { told, ended: new Promise<number | null>((resolve) => child.once('close', resolve)) };
  }

  test('curl -N gets each revision at once, and heartbeats, and goes on after a restart', async () => {
    const first = curl('--compressed');
    await expect.poll(() => first.told.text, WAIT).toMatch(/^id: /);
    for (const number of [1, 2]) {
      await insert(number);
      // Without waiting for more: a proxy that collects the answer would hold it.
      await expect.poll(() => values(first.told.text), WAIT).toEqual(number === 1 ? [1] : [1, 2]);
    }
    await expect.poll(() => first.told.text, WAIT).toMatch(/^:$/m);
    await insert(3);
    await expect.poll(() => values(first.told.text), WAIT).toEqual([1, 2, 3]);
    await stop();
    expect(await first.ended).toBe(0);
    expect(first.told.text).toMatch(/^retry: 1000$/m);
    const last = [...first.told.text.matchAll(/^id: (.*)$/gm)].at(-1)![1]!;
    await start();
    await insert(4);
    const second = curl('-H', `Last-Event-ID: ${last}`);
    await expect.poll(() => values(second.told.text), WAIT).toEqual([4]);
    await insert(5);
    await expect.poll(() => values(second.told.text), WAIT).toEqual([4, 5]);
  });

  test.skipIf(CHROMIUM === undefined)(
    `EventSource misses nothing while the server is away${WITHOUT_CHROMIUM}`,
    async () => {
      const site = await serve(new Map([['index.html', Buffer.from('<!doctype html><title>feed</title>')]]));
      const browser = await launch(join(folder, 'profile'));
      try {
        const page = await browser.newPage();
        await page.goto(site.url);
        await page.evaluate((address) => {
          const seen: string[] = [];
          const source = new EventSource(address);
          source.addEventListener('revision', ({ data }) => void seen.push(data as string));
          source.addEventListener('open', () => (document.title = 'open'));
          Object.assign(globalThis, { seen, source });
        }, url);
        const seen = async (): Promise<number[]> =>
          values((await page.evaluate(() => (globalThis as unknown as { seen: string[] }).seen)).join('\n'));
        await expect.poll(() => page.title(), WAIT).toBe('open');
        for (const number of [11, 12]) {
          await insert(number);
          await expect.poll(seen, WAIT).toEqual(number === 11 ? [11] : [11, 12]);
        }
        await stop();
        // Meanwhile nginx answers, and the client tries again.
        const away = await fetch(url);
        expect([away.status, await away.text()]).toEqual([200, 'retry: 200\n\n']);
        await start();
        await insert(13);
        await insert(14);
        await expect.poll(seen, WAIT).toEqual([11, 12, 13, 14]);
      } finally {
        await browser.close();
        await site.close();
      }
    },
  );
});
