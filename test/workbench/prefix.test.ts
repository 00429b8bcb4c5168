/** The workbench below a path: behind a proxy that removes it, behind nginx, and with the base path of the server. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, request as send, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHandler, serveNode } from '@quadrille/server';
import { files } from '@quadrille/workbench';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { CHROMIUM, WITHOUT_CHROMIUM } from '../browser/chromium.js';
import { has } from '../clients/endpoint.js';
import { openScene, type Scene, SOLAR, soon, summary } from './scene.js';
import { answering, openPage, patient } from './slow.js';

const NGINX = ['nginx', '/usr/sbin/nginx'].find((path) => has(path, '-v'));
const WITHOUT_NGINX = NGINX === undefined ? ' (skipped: no nginx; apt-get install nginx-light)' : '';
const PREFIX = '/tools/rdf';
const WAIT = { timeout: patient(20_000) };

/** Passes requests below the prefix on, without it, and knows nothing else. */
async function proxyTo(upstream: string): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const server: Server = createServer((incoming, answer) => {
    const { url = '/', method, headers } = incoming;
    if (!url.startsWith(`${PREFIX}/`)) {
      answer.writeHead(404).end();
      return;
    }
    const outgoing = send(upstream + url.slice(PREFIX.length), { method, headers }, (reply) => {
      answer.writeHead(reply.statusCode!, reply.headers);
      reply.pipe(answer);
    });
    outgoing.on('error', () => answer.destroy());
    answer.on('close', () => outgoing.destroy());
    incoming.pipe(outgoing);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe.skipIf(CHROMIUM === undefined)(`the workbench below a path${WITHOUT_CHROMIUM}`, () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await openScene();
  });
  afterAll(() => scene.close());

  /** Uses the page as a visitor does, and sees that all of it stays below the address. */
  async function visit(base: string): Promise<void> {
    const context = await scene.browser.newContext({ reducedMotion: 'reduce' });
    try {
      const page = await openPage(context);
      const wrongs: string[] = [];
      page.on('console', (message) => wrongs.push(message.text()));
      page.on('pageerror', (error) => wrongs.push(error.message));
      page.on('request', (request) => {
        if (!request.url().startsWith(base) && !/^(?:blob|data):/.test(request.url())) wrongs.push(request.url());
      });
      await journey(page, base);
      expect(wrongs).toEqual([]);
    } finally {
      await context.close();
    }
  }

  async function journey(page: Page, base: string): Promise<void> {
    await page.goto(base);
    await page.getByRole('link', { name: /solar-system/ }).click();
    await soon(() => summary(page)).toMatch(/^7 rows/);
    await page.goto(`${base}#/${SOLAR}/import`);
    const repository = await scene.database.repository(SOLAR);
    const size = await repository.size();
    const buffer = Buffer.from(`<urn:below> <urn:p> "${base}" .`);
    await page.locator('input[type=file]').setInputFiles({ name: 'below.nt', mimeType: '', buffer });
    await soon(() => page.locator('.log-entry', { hasText: 'below.nt' }).innerText()).toMatch(/completed · Revision/);
    expect(await repository.size()).toBe(size + 1);
    // The feed of changes passes too.
    await repository.update(`INSERT DATA { <urn:live> <urn:p> "${base}" }`);
    await page.getByRole('button', { name: '1 new revision' }).waitFor(WAIT);
  }

  test('behind a proxy that removes it', async () => {
    const proxy = await proxyTo(scene.server.url);
    try {
      await visit(`${proxy.url}${PREFIX}/`);
    } finally {
      await proxy.close();
    }
  });

  test('with the base path of the server, and the address that the world knows', async () => {
    const publicBase = 'https://data.example.org/rdf';
    const handler = createHandler({ service: scene.service, pages: files(), basePath: '/rdf', publicBase });
    const server = await serveNode(answering(handler), { port: 0 });
    try {
      await visit(`${server.url}/rdf/`);
      for (const path of ['/', '/system', '/rdfs/system', `/${SOLAR}/size`]) {
        const outside = await fetch(server.url + path);
        await outside.arrayBuffer();
        expect([path, outside.status]).toEqual([path, 404]);
      }
      const made = await fetch(`${server.url}/rdf/demo/repositories`, {
        method: 'POST',
        body: new URLSearchParams({ name: 'below' }),
      });
      await made.arrayBuffer();
      expect(made.headers.get('Location')).toBe(`${publicBase}/demo/below`);
      const html = { headers: { Accept: 'text/html' }, redirect: 'manual' } as const;
      const shown = await fetch(`${server.url}/rdf/${SOLAR}`, html);
      await shown.arrayBuffer();
      expect([shown.status, new URL(shown.headers.get('Location')!, shown.url).href]).toEqual([
        303,
        `${server.url}/rdf/#/${SOLAR}/query`,
      ]);
    } finally {
      await server.close(100);
    }
  });

  describe.skipIf(NGINX === undefined)(`behind nginx${WITHOUT_NGINX}`, () => {
    let folder: string;
    let proxy: ChildProcess;
    let url: string;

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'quadrille-prefix-'));
      const port = await freePort();
      url = `http://127.0.0.1:${String(port)}`;
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
      const file = join(folder, 'nginx.conf');
      await writeFile(
        file,
        `daemon off; ${process.getuid?.() === 0 ? 'user root;' : ''} worker_processes 1;
pid ${folder}/nginx.pid; error_log stderr; events {}
http {
  access_log off;
  ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}
  server {
    listen 127.0.0.1:${String(port)};
    location ${PREFIX}/ { proxy_pass ${scene.server.url}/; proxy_http_version 1.1; proxy_set_header Host $http_host; }
  }
}
`,
      );
      proxy = spawn(NGINX!, ['-p', folder, '-c', file], { stdio: 'ignore' });
      await vi.waitFor(async () => expect((await fetch(`${url}${PREFIX}/health`)).status).toBe(200), WAIT);
    });

    afterAll(async () => {
      const ended = new Promise((resolve) => proxy.once('close', resolve));
      proxy.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true });
    });

    test('the same visit', () => visit(`${url}${PREFIX}/`));
  });
});
