/** A server that is started again, connections that are cut, and a server that has too much to do: nothing is lost, and the page goes on. */
import { connect, createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { createHandler, type NodeServer, serveNode } from '@quadrille/server';
import { openService, type Service } from '@quadrille/server/host';
import { files } from '@quadrille/workbench';
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { CHROMIUM, WITHOUT_CHROMIUM } from '../browser/chromium.js';
import { ask, openScene, type Scene, SOLAR, soon, summary, type, violations } from './scene.js';
import { answering, patient } from './slow.js';

/** Takes seconds, and has one row. */
const SLOW = `SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?x a sol:Planet FILTER(STRLEN(CONCAT(STR(?c), STR(?f))) > 3) }`;
/** Has more rows than anybody waits for. */
const ENDLESS = 'SELECT * { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }';
const OUT_OF_REACH = 'The server is out of reach';

/** Passes bytes on, until it is told to break connections. */
class Wire {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #port: number | undefined;

  constructor() {
    this.#server = createServer((incoming) => {
      if (this.#port === undefined) return void incoming.destroy();
      const outgoing = connect(this.#port, '127.0.0.1');
      for (const [from, to] of [
        [incoming, outgoing],
        [outgoing, incoming],
      ] as const) {
        this.#sockets.add(from);
        from.on('error', () => to.destroy());
        from.on('close', () => (this.#sockets.delete(from), to.destroy()));
        from.pipe(to);
      }
    });
  }

  async open(port: number): Promise<void> {
    this.#port = port;
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  get url(): string {
    return `http://127.0.0.1:${String((this.#server.address() as AddressInfo).port)}`;
  }

  /** Breaks what is open. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** The server behind it is another one now; undefined for none. */
  lead(port: number | undefined): void {
    this.#port = port;
    this.cut();
  }

  async close(): Promise<void> {
    this.lead(undefined);
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** An alert that the page shows where the results would be. */
const problem = (page: Page): Locator => page.locator('.results').getByRole('alert');

describe.skipIf(CHROMIUM === undefined)(`the workbench of a server that comes and goes${WITHOUT_CHROMIUM}`, () => {
  let scene: Scene;
  let wire: Wire;
  let service: Service;
  let server: NodeServer;

  beforeAll(async () => {
    scene = await openScene();
    wire = new Wire();
    await begin();
    await wire.open(portOf(server));
  });
  afterEach(() => scene.check());
  afterAll(async () => {
    await wire.close();
    await server.close(100);
    await service.close();
    await scene.close();
  });

  const portOf = ({ url }: NodeServer): number => Number(new URL(url).port);
  async function begin(): Promise<void> {
    service = await openService(scene.database, { open: true });
    server = await serveNode(answering(createHandler({ service, pages: files() })), { port: 0 });
  }
  /** The server is ended in the middle of its work. It knows nothing of its jobs and queries when it is back. */
  async function end(): Promise<void> {
    wire.lead(undefined);
    await server.close(0);
    await service.close();
  }
  async function back(): Promise<void> {
    await begin();
    wire.lead(portOf(server));
  }
  const open = (address: string): Promise<Page> => scene.page(address, { base: wire.url });

  test('a query, its text and an editor: it runs again when the server is back', async () => {
    const page = await open(`${SOLAR}/query`);
    await soon(() => summary(page)).toMatch(/^7 rows/);
    await ask(page, SLOW);
    await soon(() => scene.database.queries().length).toBeGreaterThan(0);
    await end();
    await page.getByText(OUT_OF_REACH).waitFor();
    expect(await violations(page)).toEqual([]);
    await type(page, `${SLOW} # typed meanwhile`);
    await back();
    await expect.poll(() => summary(page), { timeout: patient(40_000) }).toMatch(/^1 row · /);
    expect(await page.getByText(OUT_OF_REACH).count()).toBe(0);
    expect(await page.getByRole('textbox', { name: 'SPARQL query' }).innerText()).toContain('typed meanwhile');
  });

  test('an answer that breaks off keeps its rows, says so, and is asked again', async () => {
    const page = await open(`${SOLAR}/query`);
    await ask(page, ENDLESS);
    await soon(() => summary(page)).toMatch(/so far$/);
    wire.cut();
    await soon(() => summary(page)).toMatch(/^Broken off · [\d,]+ rows$/);
    await soon(() => problem(page).innerText()).toMatch(/The answer broke off[^]*BROKEN_OFF/);
    expect(await page.getByRole('gridcell').count()).toBeGreaterThan(10);
    expect(await violations(page)).toEqual([]);
    await problem(page).getByRole('button', { name: 'Try again' }).click();
    await soon(() => summary(page)).toMatch(/so far$/);
    await page.keyboard.press('Escape');
    await soon(() => summary(page)).toMatch(/^Cancelled/);
  });

  test('an update whose answer was lost keeps its message, and says that it may have been done', async () => {
    const page = await open(`${SOLAR}/query`);
    await ask(page, 'INSERT DATA { sol:Vulcan a sol:Planet }');
    const dialog = page.getByRole('dialog', { name: 'Run update' });
    await dialog.getByLabel('Message of the revision').fill('a message that took a while');
    wire.lead(undefined);
    await dialog.getByRole('button', { name: 'Run update' }).click();
    await soon(() => problem(page).innerText()).toContain('may have been made');
    wire.lead(portOf(server));
    await page.getByText(OUT_OF_REACH).waitFor({ state: 'detached' });
    await problem(page).getByRole('button', { name: 'Try again' }).click();
    expect(await dialog.getByLabel('Message of the revision').inputValue()).toBe('a message that took a while');
    await dialog.getByRole('button', { name: 'Run update' }).click();
    await soon(() => summary(page)).toMatch(/^Revision \d+: 1 added, 0 removed$/);
  });

  test('an import: the document is sent again to a server that was started again', async () => {
    const repository = await scene.database.repository('demo/restarted', { create: true });
    const page = await open('demo/restarted/import');
    const lines = Array.from(
      { length: 150_000 },
      (_, n) => `<urn:s:${String(n)}> <urn:p> "${'x'.repeat(60)}${String(n)}" .\n`,
    );
    const row = page.locator('.log-entry', { hasText: 'many.nt' });
    await page.getByLabel('Message').fill('sent twice');
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'many.nt', mimeType: '', buffer: Buffer.from(lines.join('')) });
    await expect.poll(() => row.innerText(), { timeout: patient(30_000), interval: 10 }).toMatch(/Loading · /);
    await end();
    await page.getByText(OUT_OF_REACH).waitFor();
    expect(await repository.size()).toBe(0);
    await back();
    await expect
      .poll(() => row.innerText(), { timeout: patient(60_000) })
      .toMatch(/completed · Revision 2 · \+150,000 −0/);
    expect((await repository.at('HEAD').revision()).message).toBe('sent twice');
  });

  test('an upload that was cut goes on, and makes one revision', async () => {
    const repository = await scene.database.repository('demo/cut', { create: true });
    const page = await open('demo/cut/import');
    const network = await page.context().newCDPSession(page);
    await network.send('Network.enable');
    const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 1_000_000 };
    await network.send('Network.emulateNetworkConditions', slow);
    const text = Array.from({ length: 20_000 }, (_, n) => `<urn:s:${String(n)}> <urn:p> "${'x'.repeat(100)}" .\n`).join(
      '',
    );
    const row = page.locator('.log-entry', { hasText: 'slow.nt' });
    await page.locator('input[type=file]').setInputFiles({ name: 'slow.nt', mimeType: '', buffer: Buffer.from(text) });
    await soon(() => row.innerText()).toMatch(/Uploading · [1-9]\d? %/);
    wire.cut();
    await network.send('Network.emulateNetworkConditions', { ...slow, uploadThroughput: -1 });
    await expect
      .poll(() => row.innerText(), { timeout: patient(40_000) })
      .toMatch(/completed · Revision 2 · \+20,000 −0/);
    expect((await repository.at('HEAD').revision()).number).toBe(2);
  });

  test('live views: the feed and the page of activity go on', async () => {
    const repository = await scene.database.repository(SOLAR);
    const page = await open(`${SOLAR}/history`);
    await page.locator('.log-entry').first().waitFor();
    await page.getByLabel('Message contains').fill('known');
    await soon(() => page.url()).toContain('message=known');
    const activity = await open('activity');
    await activity.getByText('No query runs.').waitFor();
    await end();
    await activity.getByText(OUT_OF_REACH).waitFor();
    await page.getByText(OUT_OF_REACH).waitFor();
    await back();
    for (const each of [page, activity]) await each.getByText(OUT_OF_REACH).waitFor({ state: 'detached' });
    // A page that reads its list anew when the server is back has the first of these already, and announces the next one.
    const announced = page.getByRole('button', { name: /^\d new revisions?$/ });
    for (let n = 1; n <= 3 && !(await announced.isVisible()); n++) {
      await repository.update(`INSERT DATA { <urn:live> <urn:p> ${String(n)} }`);
      await announced.waitFor({ timeout: patient(8000) }).catch(() => undefined);
    }
    expect(await announced.isVisible()).toBe(true);
    expect(await page.getByLabel('Message contains').inputValue()).toBe('known');
    const slow = await open(`${SOLAR}/query`);
    await ask(slow, ENDLESS);
    await soon(() => activity.getByRole('region', { name: 'Running queries' }).innerText()).toContain('?g ?h ?i');
    await slow.getByRole('button', { name: 'Cancel' }).click();
  });

  test('a page that was opened while the server was away shows itself when it is back', async () => {
    const page = await open(`${SOLAR}/query`);
    await soon(() => summary(page)).toMatch(/^7 rows/);
    wire.lead(undefined);
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByText(OUT_OF_REACH).waitFor();
    await page.getByRole('slider', { name: 'Revision' }).press('ArrowLeft');
    wire.lead(portOf(server));
    await soon(() => page.getByRole('region', { name: 'Classes' }).innerText()).toContain('sol:Planet');
    expect(await page.getByRole('alert').filter({ hasText: 'OFFLINE' }).count()).toBe(0);
  });
});

describe.skipIf(CHROMIUM === undefined)(`the workbench of a busy server${WITHOUT_CHROMIUM}`, () => {
  let scene: Scene;
  let token: string;
  const BUSY = /The server is busy. The page asks again in \d+ s/;
  beforeAll(async () => {
    scene = await openScene({
      asks: true,
      rateLimit: true,
      limits: { requestsPerSecond: 1, requestBurst: 150 },
      queries: { concurrency: 1, queued: 1, queueMs: 300 },
    });
    token = (await scene.service.tokens.create('demo')).text;
  });
  afterEach(() => scene.check());
  afterAll(() => scene.close());

  const get = async (path: string, init: RequestInit = {}, as = token): Promise<Response> =>
    fetch(`${scene.server.url}/${path}`, { ...init, headers: { Authorization: `Bearer ${as}`, ...init.headers } });

  test('503 where other queries take all room: the query waits, and goes on', async () => {
    const page = await scene.page(`${SOLAR}/query`, { token });
    await soon(() => summary(page)).toMatch(/^7 rows/);
    const ending = new AbortController();
    const headers = { 'Content-Type': 'application/sparql-query' };
    const occupied = [1, 2].map(() =>
      get(`${SOLAR}/sparql`, {
        method: 'POST',
        headers,
        body: SLOW.replace('sol:Planet', '?y'),
        signal: ending.signal,
      }).catch(() => undefined),
    );
    await soon(() => scene.database.queries().length).toBeGreaterThan(0);
    await ask(page, 'SELECT ?moon { ?moon a sol:Satellite }');
    await page.getByText(/The server is busy/).waitFor();
    ending.abort();
    await Promise.all(occupied);
    await expect.poll(() => summary(page), { timeout: patient(40_000) }).toMatch(/^82 rows/);
  });

  /** Does something while other requests of the account use up all that the server allows. */
  async function whileBusy(page: Page, action: () => Promise<void>, as = token): Promise<void> {
    let going = true;
    let refused = 0;
    const others = async (): Promise<void> => {
      while (going) {
        // The server may close a connection just when it is used again.
        const answers = await Promise.all(
          Array.from({ length: 20 }, () => get('session', {}, as).catch(() => undefined)),
        );
        await Promise.all(answers.map((answer) => answer?.arrayBuffer()));
        refused += answers.filter((answer) => answer?.status === 429).length;
      }
    };
    const asking = others();
    await soon(() => refused).toBeGreaterThan(40);
    // A slow machine may let the page through between the others.
    const isTold = (): Promise<boolean> =>
      page
        .getByText(BUSY)
        .waitFor({ timeout: patient(5000) })
        .then(
          () => true,
          () => false,
        );
    do await action();
    while (!(await isTold()));
    going = false;
    await asking;
  }

  test(
    '429 while pages change and a query is asked: the page waits, says so, and goes on',
    { timeout: patient(120_000) },
    async () => {
      const page = await scene.page(`${SOLAR}/query`, { token });
      await soon(() => summary(page)).toMatch(/^7 rows/);
      await type(page, 'SELECT ?planet { ?planet a sol:Planet }');
      await whileBusy(page, () => page.getByRole('button', { name: 'Run' }).click());
      await expect.poll(() => summary(page), { timeout: patient(30_000) }).toMatch(/^8 rows/);
      await whileBusy(page, async () => {
        await page.getByRole('link', { name: 'Query', exact: true }).click();
        await page.getByRole('link', { name: 'History' }).click();
      });
      await expect.poll(() => page.locator('.log-entry').count(), { timeout: patient(40_000) }).toBeGreaterThan(5);
      await page.getByText(BUSY).waitFor({ state: 'detached' });
    },
  );

  test('429 for an import: it is sent again, once', async () => {
    await scene.service.accounts.create('other');
    const other = (await scene.service.tokens.create('other')).text;
    const repository = await scene.database.repository('other/busy', { create: true });
    const page = await scene.page('other/busy/import', { token: other });
    await page.locator('.drop').waitFor();
    const document = { name: 'one.nt', mimeType: '', buffer: Buffer.from('<urn:a> <urn:p> "1" .\n') };
    await whileBusy(page, () => page.locator('input[type=file]').setInputFiles(document), other);
    await expect
      .poll(() => page.locator('.log-entry', { hasText: 'one.nt' }).innerText(), { timeout: patient(40_000) })
      .toMatch(/completed · Revision 2 · \+1 −0/);
    expect((await repository.at('HEAD').revision()).number).toBe(2);
  });
});
