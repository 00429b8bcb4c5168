/**
 * A copy of a server's repository in IndexedDB of a real Chromium: cloned, changed without a network, pushed later, checked by its
 * signature. Asks for the built packages: `npm run build`.
 */
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHandler, type NodeServer, serveNode } from '@quadrille/server';
import { openService } from '@quadrille/server/host';
import type { BrowserContext, Page } from 'playwright-core';
import { type Database, open, type Repository } from 'quadrille';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundlePages } from './bundle.js';
import { CHROMIUM, launch, serve, type Site, WITHOUT_CHROMIUM } from './chromium.js';
import type { Library } from './pages/library.js';

// Functions given to evaluate() run in a page.
declare const quadrille: Library;

describe.skipIf(CHROMIUM === undefined)(`a replica in Chromium${WITHOUT_CHROMIUM}`, () => {
  let profile: string;
  let site: Site;
  let browser: BrowserContext;
  let database: Database;
  let source: Repository;
  let server: NodeServer;
  let address: string;
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const keys = {
    secret: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    open: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  };

  beforeAll(async () => {
    profile = await mkdtemp(join(tmpdir(), 'quadrille-chromium-'));
    const { files } = await bundlePages([join(import.meta.dirname, 'pages/library.ts')]);
    site = await serve(files);
    browser = await launch(profile);
    database = await open(':memory:');
    source = await database.repository('acme/people', { create: true });
    for (let n = 0; n < 20; n++) await source.update(`INSERT DATA { <urn:s${String(n)}> <urn:p> ${String(n)}, _:b }`);
    const service = await openService(database, { open: true });
    server = await serveNode(createHandler({ service, cors: [site.url] }), { port: 0 });
    address = `${server.url}/acme/people`;
  });

  afterAll(async () => {
    await browser?.close();
    await site?.close();
    await server?.close();
    await rm(profile, { recursive: true, force: true });
  });

  const openTab = async (): Promise<Page> => {
    const page = await browser.newPage();
    await page.goto(`${site.url}/library.html`);
    await page.waitForFunction(() => 'quadrille' in globalThis);
    return page;
  };

  test('is cloned, changed without a network, pulled and pushed', async () => {
    let page = await openTab();
    const cloned = await page.evaluate(async (url) => {
      const db = await quadrille.open('replica');
      const copy = await db.clone('people', url);
      const digest = await copy.proof.digest();
      await db.close();
      return digest;
    }, address);
    expect(cloned).toBe(await source.proof.digest());
    await source.update('INSERT DATA { <urn:server> <urn:p> 1 }');
    await page.close();

    page = await openTab();
    const told = await page.evaluate(async () => {
      const db = await quadrille.open('replica');
      const copy = await db.repository('people');
      const pulled = await copy.sync.pull();
      await copy.update('INSERT DATA { <urn:page> <urn:p> 2 }', { author: 'the page' });
      await copy.update('INSERT DATA { <urn:page> <urn:p> 3 }');
      return { pulled: pulled.transferred, number: (await copy.revision()).number };
    });
    expect(told).toEqual({ pulled: 1, number: 24 });
    await browser.setOffline(true);
    const offline = await page.evaluate(async () => {
      const db = await quadrille.open('replica-2');
      const copy = await db.clone('people', 'http://127.0.0.1:1/a/b').catch((error: { code: string }) => error.code);
      await db.close();
      return copy;
    });
    expect(offline).toBe('FETCH_FAILED');
    await browser.setOffline(false);
    await page.close();

    page = await openTab();
    const pushed = await page.evaluate(async () => {
      const db = await quadrille.open('replica');
      const copy = await db.repository('people');
      return [(await copy.sync.push()).transferred, await copy.proof.digest()];
    });
    await page.close();
    expect(pushed).toEqual([2, await source.proof.digest()]);
    expect(await source.ask('ASK { <urn:page> <urn:p> 2, 3 }')).toBe(true);
  });

  test('signs, and checks signatures, as Node.js does', async () => {
    const signed = await source.proof.sign(keys.secret);
    const page = await openTab();
    const inPage = await page.evaluate(async ({ secret, open: key }) => {
      const db = await quadrille.open('replica');
      const copy = await db.repository('people');
      const made = await copy.proof.sign(secret);
      const { ok, signedUpTo } = await copy.proof.verify({ key });
      const wrong = await copy.proof.sign(key).catch((error: { code: string }) => error.code);
      return { signature: made.signature, keyId: made.keyId, ok, upTo: signedUpTo?.number, wrong };
    }, keys);
    // Ed25519 is deterministic.
    const { signature, keyId } = signed;
    expect(inPage).toEqual({ signature, keyId, ok: true, upTo: 24, wrong: 'INVALID_OPTION' });
  });
});
