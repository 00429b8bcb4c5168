/** The playground on a host of static files that knows nothing of it, below a prefix. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname } from 'node:path';
import { playgroundFiles } from '@quadrille/workbench';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';
import { CHROMIUM } from '../browser/chromium.js';
import { visitBefore, watch } from './scene.js';
import { openPage } from './slow.js';

const PREFIX = '/some/where/';
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.ttl': 'text/turtle',
};

export interface StaticHost {
  /** Of the playground, with a slash at its end. */
  readonly url: string;
  /** By path below the prefix. They may be changed. */
  readonly files: Map<string, Uint8Array>;
  /** Paths that were asked for, also by workers. */
  readonly asked: string[];
  /** The host is gone, with all connections. */
  stop(): Promise<void>;
}

export async function openHost(): Promise<StaticHost> {
  const files = new Map(playgroundFiles().map(({ path, bytes }) => [path, bytes]));
  const asked: string[] = [];
  const server = createServer(({ url = '/' }, response) => {
    asked.push(url);
    const path = url.startsWith(PREFIX) ? url.slice(PREFIX.length) || 'index.html' : '';
    const bytes = files.get(path);
    const type = TYPES[extname(path)] ?? 'text/plain';
    response.writeHead(bytes === undefined ? 404 : 200, { 'Content-Type': type, 'Cache-Control': 'no-cache' });
    response.end(bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stop = async (): Promise<void> => {
    if (!server.listening) return;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${String(port)}${PREFIX}`, files, asked, stop };
}

/** A visitor with a profile of his own, who may open several tabs. */
export interface Visitor {
  readonly context: BrowserContext;
  readonly tab: (address?: string) => Promise<Page>;
}

export interface Playground {
  readonly host: StaticHost;
  readonly visitor: (options?: BrowserContextOptions) => Promise<Visitor>;
  /** Ends all visits, and fails where a page did what it must not. */
  readonly check: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export async function openPlayground(): Promise<Playground> {
  const host = await openHost();
  const browser: Browser = await chromium.launch({
    executablePath: CHROMIUM!,
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
  });
  const contexts: BrowserContext[] = [];
  const wrongs: string[] = [];
  return {
    host,
    async visitor(options = {}) {
      const still = { viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' } as const;
      const kept = { storageState: visitBefore(host.url) };
      const context = await browser.newContext({ ...still, ...kept, ...options });
      contexts.push(context);
      const tab = async (address = ''): Promise<Page> => {
        const page = await openPage(context);
        watch(page, host.url, wrongs);
        await page.goto(`${host.url}${address}`);
        return page;
      };
      return { context, tab };
    },
    async check() {
      await Promise.all(contexts.splice(0).map((context) => context.close()));
      expect(wrongs.splice(0)).toEqual([]);
      // Nothing but the files was ever asked for, by whoever.
      const strange = host.asked.filter((url) => !host.files.has(url.slice(PREFIX.length) || 'index.html'));
      expect(strange).toEqual([]);
    },
    async close() {
      await browser.close();
      await host.stop();
    },
  };
}

/** Waits until the files are kept for times without a network. */
export const filesKept = (page: Page): Promise<unknown> =>
  page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    if (navigator.serviceWorker.controller === null) {
      await new Promise((resolve) => navigator.serviceWorker.addEventListener('controllerchange', resolve));
    }
  });

/** The worker of a tab that holds its data, or asks the tab that does. */
export const storeWorker = (page: Page) => page.workers().find((worker) => /\/store-\w+\.js/.test(worker.url()))!;
