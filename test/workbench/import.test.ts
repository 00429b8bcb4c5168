/** Imports in Chromium: bad lines, long documents, cancelling in both phases, lost connections. */
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { CHROMIUM, WITHOUT_CHROMIUM } from '../browser/chromium.js';
import { openScene, type Scene, sideways, soon, violations } from './scene.js';
import { patient } from './slow.js';

const LONG_LINES = 110_000;
const LONG_LITERAL = 'x'.repeat(900);

/** Short lines load slowly for their bytes: a fast machine is still at work when the test presses Cancel. */
const MANY_LINES = 2_000_000;

/** Writes N-Triples whose literals begin with `text`: 110,000 long ones are about 100 MB. */
async function writeTriples(path: string, count: number, text: string): Promise<void> {
  const lines = function* (): Generator<string> {
    for (let at = 0; at < count; at += 1000) {
      const part = Array.from({ length: 1000 }, (_, n) => `<urn:s:${at + n}> <urn:p> "${text}${at + n}" .\n`);
      yield part.join('');
    }
  };
  await pipeline(Readable.from(lines()), createWriteStream(path));
}

const file = (name: string, content: string) => ({ name, mimeType: '', buffer: Buffer.from(content) });
const BAD = Array.from({ length: 20 }, (_, n) => (n % 5 < 3 ? `<urn:a> bad ${n}` : `<urn:a> <urn:p> "${n}" .`)).join(
  '\n',
);
const LATER = file('later.nt', '<urn:later> <urn:p> "1" .\n');

describe.skipIf(CHROMIUM === undefined)(`imports in the workbench${WITHOUT_CHROMIUM}`, () => {
  let scene: Scene;
  let folder: string;
  let long: string;
  beforeAll(async () => {
    scene = await openScene();
    folder = await mkdtemp(join(tmpdir(), 'quadrille-import-'));
    long = join(folder, 'long.nt');
    await writeTriples(long, LONG_LINES, LONG_LITERAL);
  });
  afterEach(() => scene.check());
  afterAll(async () => {
    await scene.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function importPage(name: string): Promise<{ page: Page; row: (name: string) => Locator }> {
    await scene.database.repository(`demo/${name}`, { create: true });
    const page = await scene.page(`demo/${name}/import`);
    return { page, row: (of) => page.locator('.log-entry', { hasText: of }) };
  }
  const input = (page: Page): Locator => page.locator('input[type=file]');
  const messages = async (name: string): Promise<(string | undefined)[]> => {
    const repository = await scene.database.repository(`demo/${name}`);
    const found: (string | undefined)[] = [];
    for await (const { message } of repository.log()) found.unshift(message);
    return found.slice(1);
  };

  test('bad lines are skipped and shown, and what was loaded is reverted', async () => {
    const { page, row } = await importPage('bad');
    await page.getByLabel('Skip them').check();
    await input(page).setInputFiles(file('some.nt', BAD));
    await soon(() => row('some.nt').innerText()).toMatch(/completed · Revision 2 · \+8 −0 · 12 lines skipped/);
    await page.getByRole('button', { name: 'Show 12 bad lines' }).click();
    const lines = page.getByRole('region', { name: 'Bad lines' });
    await soon(() => lines.getByRole('listitem').count()).toBe(12);
    expect(await lines.getByRole('listitem').first().innerText()).toMatch(/^line 1, column \d+ [^]*<urn:a> bad 0$/);
    expect([await violations(page), await sideways(page)]).toEqual([[], 0]);
    await page.getByRole('button', { name: 'Revert' }).click();
    const dialog = page.getByRole('dialog', { name: 'Revert revision 2' });
    await soon(() => dialog.locator('.change.removed').count()).toBe(8);
    await dialog.getByRole('button', { name: 'Revert' }).click();
    await soon(() => row('some.nt').innerText()).toContain('reverted');
    expect(await row('some.nt').getByRole('button', { name: 'Revert' }).count()).toBe(0);
    expect(await (await scene.database.repository('demo/bad')).size()).toBe(0);
  });

  test('a file that was refused is loaded without its bad lines', async () => {
    const { page, row } = await importPage('refused');
    await input(page).setInputFiles([file('some.nt', BAD), file('wrong.ttl', '<urn:a> <urn:p> .')]);
    await soon(() => row('some.nt').innerText()).toMatch(/failed[^]*(?:line 1|1:)/);
    await soon(() => row('wrong.ttl').innerText()).toContain('failed');
    // A document of Turtle has no lines that could be left out.
    expect(await row('wrong.ttl').getByRole('button').allInnerTexts()).toEqual(['Try again']);
    await row('some.nt').getByRole('button', { name: 'Load without bad lines' }).click();
    await soon(() => row('some.nt').innerText()).toMatch(/completed[^]*12 lines skipped/);
    expect(await messages('refused')).toEqual(['some.nt']);
  });

  test('100 MB, with the documents after it in their order', { timeout: patient(240_000) }, async () => {
    const { page, row } = await importPage('long');
    await input(page).setInputFiles(long);
    await input(page).setInputFiles(LATER);
    expect(await row('later.nt').innerText()).toContain('waiting');
    await expect
      .poll(() => row('long.nt').innerText(), { timeout: patient(120_000), interval: 20 })
      .toMatch(/Loading · \d+ % · [\d,]+ statements/);
    expect(await page.getByRole('progressbar', { name: 'long.nt: Loading' }).count()).toBe(1);
    await expect
      .poll(() => row('later.nt').innerText(), { timeout: patient(180_000), interval: 100 })
      .toMatch(/completed · Revision 3 · \+1 −0/);
    expect(await row('long.nt').innerText()).toContain(`Revision 2 · +${LONG_LINES.toLocaleString('en')} −0`);
    expect(await messages('long')).toEqual(['long.nt', 'later.nt']);
  });

  test('a cancelled upload keeps nothing, and the next document is loaded', async () => {
    const { page, row } = await importPage('upload');
    const network = await page.context().newCDPSession(page);
    await network.send('Network.enable');
    const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 2_000_000 };
    await network.send('Network.emulateNetworkConditions', slow);
    await input(page).setInputFiles(long);
    await soon(() => row('long.nt').innerText()).toMatch(/Uploading · [1-9]\d? %/);
    await input(page).setInputFiles(LATER);
    await row('long.nt').getByRole('button', { name: 'Cancel' }).click();
    await soon(() => row('later.nt').innerText()).toMatch(/completed · Revision 2/);
    expect(await row('long.nt').innerText()).toContain('cancelled');
    await soon(() => scene.service.jobs.working).toBe(0);
    expect(await messages('upload')).toEqual(['later.nt']);
  });

  test('a job that loads is cancelled, and nothing of it is kept', { timeout: patient(180_000) }, async () => {
    const { page, row } = await importPage('loading');
    const many = join(folder, 'many.nt');
    await writeTriples(many, MANY_LINES, '');
    await input(page).setInputFiles([many]);
    await expect
      .poll(() => row('many.nt').innerText(), { timeout: patient(120_000), interval: 20 })
      .toMatch(/Loading · \d+ % · [\d,]+ statements/);
    await row('many.nt').getByRole('button', { name: 'Cancel' }).click();
    await soon(() => row('many.nt').innerText()).toContain('cancelled');
    await soon(() => scene.service.jobs.working).toBe(0);
    expect(await messages('loading')).toEqual([]);
    await page.getByRole('button', { name: 'Clear what is finished' }).click();
    await soon(() => page.locator('.log-entry').count()).toBe(0);
  });

  test('an import goes on when the connection comes back', { timeout: patient(180_000) }, async () => {
    const { page, row } = await importPage('lost');
    await input(page).setInputFiles([long]);
    await expect
      .poll(() => row('long.nt').innerText(), { timeout: patient(120_000), interval: 20 })
      .toMatch(/Loading · \d+ % · [\d,]+ statements/);
    await page.context().setOffline(true);
    await page.getByText('The server is out of reach').waitFor();
    await page.context().setOffline(false);
    await expect
      .poll(() => row('long.nt').innerText(), { timeout: patient(120_000), interval: 50 })
      .toMatch(/completed · Revision 2/);
    expect(await messages('lost')).toEqual(['long.nt']);
  });
});
