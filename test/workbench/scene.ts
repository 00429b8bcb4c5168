/** A real server with the workbench, and a real Chromium that watches for everything a page must not do. */
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHandler, type NodeServer, serveNode } from '@quadrille/server';
import { openService, type Service, type ServiceOptions } from '@quadrille/server/host';
import { files } from '@quadrille/workbench';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { chromium } from 'playwright-core';
import type { Browser } from 'playwright-core';
import { type Database, open } from 'quadrille';
import { expect } from 'vitest';
import { CHROMIUM } from '../browser/chromium.js';
import { answering, openPage, patient } from './slow.js';

export const SOLAR = 'demo/solar-system';
const SOL = 'http://example.org/solar-system/';
const DATA = join(import.meta.dirname, '../../examples/data');

export interface Scene {
  readonly database: Database;
  readonly service: Service;
  readonly server: NodeServer;
  readonly browser: Browser;
  /** A page at an address after `#/`, in a profile of its own. `base` is another address of the server. */
  readonly page: (address: string, options?: BrowserContextOptions & PageOptions) => Promise<Page>;
  /** Ends the profiles of a test, and fails where a page did what it must not. */
  readonly check: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export interface PageOptions {
  readonly base?: string;
  /** Of a user who has signed in before. */
  readonly token?: string;
  /** Whether the page may offer its tour. */
  readonly firstVisit?: boolean;
}

/** What a browser has kept of an earlier visit to an address: the tour was offered. */
export const visitBefore = (url: string) => ({
  cookies: [],
  origins: [{ origin: new URL(url).origin, localStorage: [{ name: 'quadrille.tour', value: 'true' }] }],
});

interface SceneOptions extends ServiceOptions {
  /** Whether the server asks for tokens. */
  readonly asks?: boolean;
}

/** The solar system with its six revisions after the empty one. */
export async function openScene({ asks = false, ...options }: SceneOptions = {}): Promise<Scene> {
  const folder = await mkdtemp(join(tmpdir(), 'quadrille-workbench-'));
  const database = await open(join(folder, 'store'), { durability: 'process' });
  const repository = await database.repository(SOLAR, { create: true });
  await repository.namespaces.set('sol', SOL);
  for (const year of [1610, 1787, 1846, 1930, 2006, 2015]) {
    const file = join(DATA, `solar-system-${String(year)}.ttl`);
    const revision = await repository.load(file, {
      replace: true,
      message: `as known in ${String(year)}`,
      author: 'ada',
    });
    await repository.tags.set(`year-${String(year)}`, revision);
  }
  // From sources, the first query loads its engine for longer than a page is waited for.
  await repository.ask('ASK {}');
  const service = await openService(database, { open: !asks, rateLimit: false, ...options });
  const server = await serveNode(answering(createHandler({ service, pages: files() })), { port: 0 });
  const browser = await chromium.launch({
    executablePath: CHROMIUM!,
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
  });
  const contexts: BrowserContext[] = [];
  const wrongs: string[] = [];
  return {
    database,
    service,
    server,
    browser,
    async page(address, { base = server.url, token, firstVisit = false, ...options } = {}) {
      // A colour on its way to another one would be measured for its contrast.
      const still = { viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' } as const;
      const kept = firstVisit ? {} : { storageState: visitBefore(base) };
      const context = await browser.newContext({ ...still, ...kept, ...options });
      contexts.push(context);
      const page = await openPage(context);
      watch(page, base, wrongs);
      if (token !== undefined)
        await page.addInitScript((text) => sessionStorage.setItem('quadrille.token', JSON.stringify(text)), token);
      await page.goto(`${base}/#/${address}`);
      return page;
    },
    async check() {
      await Promise.all(contexts.splice(0).map((context) => context.close()));
      expect(wrongs.splice(0)).toEqual([]);
    },
    async close() {
      await browser.close();
      await server.close(100);
      await service.close();
      await database.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Messages of the console include reports of the policy. Answers that a test causes are told by the browser too, and are no wrong. */
export function watch(page: Page, origin: string, wrongs: string[]): void {
  page.on('console', (message) => {
    if (!message.text().startsWith('Failed to load resource')) wrongs.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => wrongs.push(`error: ${error.message}`));
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(origin) && !/^(?:blob|data):/.test(url)) wrongs.push(`request: ${url}`);
  });
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  readonly id: string;
  readonly nodes: readonly {
    readonly target: readonly string[];
    readonly any: readonly { readonly message: string }[];
  }[];
}

/** Rules of WCAG that the page breaks, with the elements. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const found = await page.evaluate(async () => {
    const runner = (globalThis as unknown as { axe: { run(options: object): Promise<{ violations: Violation[] }> } })
      .axe;
    const runOnly = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa'];
    // axe counts it as experimental, while WCAG 2.5.3 asks for it: what is seen is a part of the name.
    const rules = { 'label-content-name-mismatch': { enabled: true } };
    // What is read again is pale meanwhile, and colours change in steps: neither is what somebody reads.
    const isPale = (): boolean =>
      document.querySelector('main[aria-busy=true], main [aria-busy=true]:not(.grid)') !== null;
    const isChanging = (): boolean => document.getAnimations().some((each) => each instanceof CSSTransition);
    for (;;) {
      while (isPale() || isChanging()) await new Promise(requestAnimationFrame);
      let wasPale = false;
      const observer = new MutationObserver(() => (wasPale ||= isPale()));
      observer.observe(document, { subtree: true, childList: true, attributeFilter: ['aria-busy'] });
      const { violations } = await runner.run({ runOnly, rules, resultTypes: ['violations'] });
      observer.disconnect();
      if (!wasPale && !isPale()) return violations;
    }
  });
  return found.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ target, any }) => `${target.join(' ')} ${any[0]?.message ?? ''}`).join(' | ')}`,
  );
}

/** No page scrolls sideways. */
export const sideways = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** Writes another query into the editor. */
export async function type(page: Page, query: string): Promise<void> {
  const editor = page.getByRole('textbox', { name: 'SPARQL query' });
  await editor.click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(query);
}

export async function ask(page: Page, query: string): Promise<void> {
  await type(page, query);
  await page.keyboard.press('ControlOrMeta+Enter');
}

/** The line that says how the execution went. */
export const summary = (page: Page): Promise<string> => page.getByTestId('summary').innerText();

/** Waits for what a page will show, as long as a busy machine needs. */
export const soon = <T>(read: () => T | Promise<T>) => expect.poll(read, { timeout: patient(15_000), interval: 30 });
