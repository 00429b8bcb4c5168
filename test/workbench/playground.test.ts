/** The page without a server, in Chromium: what a visitor does, twice, in two tabs, and without a network. */
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { CHROMIUM, WITHOUT_CHROMIUM } from '../browser/chromium.js';
import { filesKept, openPlayground, type Playground, storeWorker } from './playground-scene.js';
import { ask, soon, summary, type } from './scene.js';

const SOLAR = 'demo/solar-system';
const COUNT = 'SELECT (COUNT(*) AS ?n) { ?s ?p ?o }';

/** The only cell of an answer. */
const cell = (page: Page) => page.locator('[role=gridcell]').first().innerText();

async function update(page: Page, text: string, message: string): Promise<void> {
  await type(page, text);
  await page.getByRole('button', { name: 'Run update' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Message').fill(message);
  await dialog.getByRole('button', { name: 'Run update' }).click();
}

async function importFile(page: Page, name: string, content: Buffer): Promise<void> {
  await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'application/octet-stream', buffer: content });
}

describe.skipIf(CHROMIUM === undefined)(`the playground${WITHOUT_CHROMIUM}`, () => {
  let scene: Playground;
  beforeAll(async () => {
    scene = await openPlayground();
  });
  afterEach(() => scene.check());
  afterAll(() => scene.close());

  test('a first visit leads to a query of the solar system, with its six revisions', async () => {
    const { tab } = await scene.visitor();
    const page = await tab();
    await page.getByRole('button', { name: 'Run' }).click();
    await soon(() => summary(page)).toMatch(/^7 rows · .* · revision 7$/);
    expect(page.url()).toContain(`${scene.host.url}#/${SOLAR}/query`);
    await page.getByRole('slider', { name: 'Revision' }).press('ArrowLeft');
    await soon(() => page.url()).toContain('at=6');
    await page.getByRole('button', { name: 'Run' }).click();
    await soon(() => summary(page)).toMatch(/revision 6$/);
    // What needs a server is not there.
    expect(await page.getByRole('link', { name: 'Accounts' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Account' }).count()).toBe(0);
    await ask(page, 'SELECT * { ?s ?p');
    await soon(() => page.locator('.notice, .problem, [role=alert]').allInnerTexts()).toContainEqual(
      expect.stringContaining('the request ends too early'),
    );
  });

  test('an update, its history, its changes and its revert; all of it is there after a reload', async () => {
    const { tab } = await scene.visitor();
    const page = await tab(`#/${SOLAR}/query`);
    await update(
      page,
      'PREFIX sol: <http://example.org/solar-system/> INSERT DATA { sol:Vulcan a sol:Planet }',
      'Vulcan',
    );
    await soon(() => page.locator('.revision, .timeline').first().innerText()).toContain('of 8');
    await page.getByRole('link', { name: 'History' }).click();
    await soon(() => page.locator('.log-entry').first().innerText()).toContain('Vulcan');
    await page.getByRole('link', { name: 'Show changes' }).first().click();
    await soon(() => page.getByTestId('diff-summary').innerText()).toBe('1 added, 0 removed');
    await page.goto(`${scene.host.url}#/${SOLAR}/history`);
    await page.getByRole('button', { name: 'Revert' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Revert revision 8' });
    await dialog.locator('.change.removed').first().waitFor();
    await dialog.getByRole('button', { name: 'Revert' }).click();
    await soon(() => page.locator('.log-entry').count()).toBe(9);
    await page.reload();
    await soon(() => page.locator('.log-entry').count()).toBe(9);
    await page.goto(`${scene.host.url}#/${SOLAR}/history/compare?from=7&to=9`);
    await soon(() => page.getByTestId('diff-summary').innerText()).toBe('0 added, 0 removed');
  });

  test('files are imported, packed ones too; a broken one says where, and changes nothing', async () => {
    const { tab } = await scene.visitor();
    const page = await tab(`#/${SOLAR}/import`);
    const lines = Array.from({ length: 20_000 }, (_, i) => `<urn:s${i % 500}> <urn:p> "value ${i}" .\n`).join('');
    await importFile(page, 'many.nt', Buffer.from(lines));
    await soon(() => page.locator('.log-entry').first().innerText()).toMatch(/completed[\s\S]*\+20,000/i);
    await importFile(page, 'one.ttl.gz', gzipSync('<urn:x> <urn:p> "packed" .'));
    await soon(() => page.locator('.log-entry').nth(1).innerText()).toMatch(/completed[\s\S]*\+1\b/i);
    await importFile(page, 'broken.nt', Buffer.from('<urn:x> <urn:p> "a" .\n<urn:x> oops "b" .\n'));
    await soon(() => page.locator('.log-entry').nth(2).innerText()).toMatch(/failed[\s\S]*:2:9: expected an IRI/i);
    const rdf = '{"@id":"urn:j","urn:p":"json"}';
    await importFile(page, 'more.jsonld', Buffer.from(rdf));
    await soon(() => page.locator('.log-entry').nth(3).innerText()).toMatch(/completed[\s\S]*\+1\b/i);
    await importFile(page, 'people.csv', Buffer.from('id,name\n1,Ann\n'));
    await page.getByRole('button', { name: 'Import the table' }).click();
    await soon(() => page.locator('.log-entry').nth(4).innerText()).toMatch(/completed[\s\S]*\+3\b/i);
    await page.goto(`${scene.host.url}#/${SOLAR}/query`);
    await ask(page, COUNT);
    await soon(() => cell(page)).toContain('20646');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      (async () => {
        await page.getByRole('button', { name: 'Download' }).click();
        await page.getByRole('menuitem', { name: 'CSV' }).click();
      })(),
    ]);
    const chunks: Uint8Array[] = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Uint8Array);
    expect(Buffer.concat(chunks).toString()).toBe('n\r\n20646\r\n');
  });

  test('settings have what one user needs, and the store is checked and compacted', async () => {
    const { tab } = await scene.visitor();
    const page = await tab(`#/${SOLAR}/settings`);
    const maintenance = page.getByRole('region', { name: 'Maintenance' });
    await maintenance.getByRole('button', { name: 'Check for damage' }).click();
    await soon(() => maintenance.innerText()).toMatch(/everything is in order; checked 7 revisions/);
    await maintenance.getByRole('button', { name: 'Compact' }).click();
    await soon(() => maintenance.innerText()).toMatch(/compacted from .* to /);
    expect(await page.getByRole('heading', { name: 'Collaborators' }).count()).toBe(0);
    expect(await page.getByLabel('Who may read').count()).toBe(0);
  });

  test('a long answer streams, and a query that is cancelled ends', async () => {
    const { tab } = await scene.visitor();
    const page = await tab(`#/${SOLAR}/query`);
    await ask(page, 'SELECT ?a ?b ?c { ?a ?p ?x . ?b ?q ?y . ?c ?r ?z }');
    await soon(() => page.locator('[role=gridcell]').count()).toBeGreaterThan(10);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await soon(() => summary(page)).toContain('Cancelled');
    await page.getByRole('link', { name: 'Activity' }).click();
    await soon(() => page.getByRole('main').innerText()).toContain('No query runs.');
  });
});

describe.skipIf(CHROMIUM === undefined)(`tabs of the playground${WITHOUT_CHROMIUM}`, () => {
  let scene: Playground;
  beforeAll(async () => {
    scene = await openPlayground();
  });
  afterEach(() => scene.check());
  afterAll(() => scene.close());

  test('share one store from the first moment, and another takes over when the one that holds it is closed', async () => {
    const { tab } = await scene.visitor();
    const pages = await Promise.all([tab(`#/${SOLAR}/query`), tab(`#/${SOLAR}/query`), tab(`#/${SOLAR}/query`)]);
    for (const page of pages) {
      await page.getByRole('button', { name: 'Run' }).click();
      await soon(() => summary(page)).toMatch(/^7 rows/);
    }
    for (const [i, page] of pages.entries()) {
      await page.bringToFront();
      await update(page, `INSERT DATA { <urn:tab> <urn:p> ${i} }`, `tab ${i}`);
      await soon(() => page.locator('.timeline').innerText()).toContain(`of ${8 + i}`);
      // What one has written, the others read.
      for (const other of pages) {
        await other.bringToFront();
        await ask(other, 'SELECT (COUNT(*) AS ?n) { <urn:tab> ?p ?o }');
        await soon(() => cell(other)).toBe(String(i + 1));
      }
    }
    const [first, second, third] = pages as [Page, Page, Page];
    await first.close();
    await ask(third, COUNT);
    await soon(() => cell(third)).toBe('644');
    await second.close();
    await ask(third, 'SELECT (COUNT(*) AS ?n) { <urn:tab> ?p ?o }');
    await soon(() => cell(third)).toBe('3');
  });

  test('a worker that dies is started again, and nothing is lost', async () => {
    const { tab } = await scene.visitor();
    const page = await tab(`#/${SOLAR}/query`);
    await update(page, 'INSERT DATA { <urn:a> <urn:p> 1 }', 'kept');
    await soon(() => page.locator('.timeline').innerText()).toContain('of 8');
    const other = await tab(`#/${SOLAR}/query`);
    await ask(other, COUNT);
    await soon(() => cell(other)).toBe('642');
    const worker = storeWorker(page);
    await worker.evaluate(() => close()).catch(() => undefined);
    await soon(() => storeWorker(page) !== undefined && storeWorker(page) !== worker).toBe(true);
    for (const each of [other, page]) {
      await each.bringToFront();
      await ask(each, 'ASK { <urn:a> <urn:p> 1 }');
      await soon(() => each.locator('.results, .answer').first().innerText()).toMatch(/yes|true/i);
    }
  });

  test('works without a network after the first visit, and in new tabs', async () => {
    const alone = await openPlayground();
    const { url, stop } = alone.host;
    const { tab } = await alone.visitor();
    const page = await tab(`#/${SOLAR}/query`);
    await update(page, 'INSERT DATA { <urn:a> <urn:p> 1 }', 'before the network went');
    await soon(() => page.locator('.timeline').innerText()).toContain('of 8');
    await filesKept(page);
    await stop();
    await page.reload();
    await ask(page, COUNT);
    await soon(() => summary(page)).toMatch(/revision 8$/);
    await page.getByRole('link', { name: 'Overview' }).click();
    await soon(() => page.getByRole('main').innerText()).toContain('sol:Planet');
    const another = await tab(`#/${SOLAR}/history`);
    await soon(() => another.locator('.log-entry').count()).toBe(8);
    // What is loaded late, such as the parser of JSON-LD, is kept too.
    await another.goto(`${url}index.html#/${SOLAR}/import`);
    await importFile(another, 'one.jsonld', Buffer.from('{"@id":"urn:j","urn:p":"json"}'));
    await soon(() => another.locator('.log-entry').first().innerText()).toMatch(/completed/i);
    await alone.check();
    await alone.close();
  });

  test('a newer version of the files is offered, and keeps the data', async () => {
    const { tab } = await scene.visitor();
    const page = await tab(`#/${SOLAR}/query`);
    await update(page, 'INSERT DATA { <urn:a> <urn:p> 1 }', 'by the old version');
    await soon(() => page.locator('.timeline').innerText()).toContain('of 8');
    await filesKept(page);
    const { files } = scene.host;
    const before = new Map(files);
    const text = (name: string): string => new TextDecoder().decode(files.get(name));
    const version = /\b[0-9a-f]{16}\b/.exec(text('sw.js'))![0];
    files.set('sw.js', Buffer.from(text('sw.js').replaceAll(version, 'f'.repeat(16))));
    files.set('index.html', Buffer.from(text('index.html').replace('lang="en"', 'lang="en" data-version="2"')));
    await page.reload();
    const notice = page.getByRole('alert');
    await soon(() => notice.innerText()).toContain('A newer version of this page is ready.');
    expect(await page.locator('html[data-version]').count()).toBe(0);
    await notice.getByRole('button', { name: 'Reload' }).click();
    await soon(() => page.locator('html[data-version="2"]').count()).toBe(1);
    await ask(page, COUNT);
    await soon(() => cell(page)).toBe('642');
    const names = await page.evaluate(() => caches.keys());
    expect(names).toHaveLength(1);
    for (const [name, bytes] of before) files.set(name, bytes);
  });
});
