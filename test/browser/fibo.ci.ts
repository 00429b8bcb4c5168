/**
 * The releases of an ontology, each one merged from a branch of its own, cloned from a server into IndexedDB of a real Chromium: every
 * release has as many quads there. Asks for the built packages: `npm run build`.
 */
import { createReadStream } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGunzip, gunzipSync } from 'node:zlib';
import { Parser } from 'n3';
import { createHandler, type NodeServer, serveNode } from '@quadrille/server';
import { openService } from '@quadrille/server/host';
import type { BrowserContext } from 'playwright-core';
import { open, type Repository } from 'quadrille';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DATA_FOLDER, missing } from '../data/shared-data.js';
import { notInShare } from '../share.js';
import { bundlePages } from './bundle.js';
import { launch, serve, type Site, WITHOUT_CHROMIUM } from './chromium.js';
import type { Library } from './pages/library.js';

// Functions given to evaluate() run in a page.
declare const quadrille: Library;

const DATA = join(DATA_FOLDER, 'fibo');
/** It takes half a minute, so one run in four has it. */
const WITHOUT = notInShare(3, 4) + missing(DATA) + WITHOUT_CHROMIUM;

interface Release {
  readonly version: string;
  readonly total: number;
  readonly full?: string;
  readonly add?: string;
  readonly del?: string;
}

/** Puts a release on a branch, and merges the branch. */
async function addRelease(main: Repository, { version, full, add, del }: Release): Promise<number> {
  const branch = await main.branches.open(`release/${version}`, { create: true });
  if (del !== undefined) {
    const text = gunzipSync(await readFile(join(DATA, del))).toString('utf8');
    await branch.remove(new Parser({ format: 'N-Quads' }).parse(text));
  }
  const file = createReadStream(join(DATA, (full ?? add)!)).pipe(createGunzip());
  await branch.load(file, { format: 'application/n-quads' });
  return (await main.branches.merge(`release/${version}`)).number;
}

describe.skipIf(WITHOUT !== '')(`releases in a page${WITHOUT}`, () => {
  let profile: string;
  let site: Site;
  let browser: BrowserContext;
  let server: NodeServer;
  let releases: readonly Release[];
  const numbers: number[] = [];

  beforeAll(async () => {
    profile = await mkdtemp(join(tmpdir(), 'quadrille-chromium-'));
    const { files } = await bundlePages([join(import.meta.dirname, 'pages/library.ts')]);
    site = await serve(files);
    browser = await launch(profile);
    const database = await open(':memory:');
    const main = await database.repository('fibo/ontologies', { create: true });
    releases = JSON.parse(await readFile(join(DATA, 'manifest.json'), 'utf8')) as Release[];
    for (const release of releases) numbers.push(await addRelease(main, release));
    const service = await openService(database, { open: true });
    server = await serveNode(createHandler({ service, cors: [site.url] }), { port: 0 });
  });

  afterAll(async () => {
    await browser?.close();
    await site?.close();
    await server?.close();
    await rm(profile, { recursive: true, force: true });
  });

  test('each one has all its quads', async () => {
    const page = await browser.newPage();
    await page.goto(`${site.url}/library.html`);
    await page.waitForFunction(() => 'quadrille' in globalThis);
    const sizes = await page.evaluate(
      async ({ url, revisions }) => {
        const db = await quadrille.open('fibo');
        const copy = await db.clone('ontologies', url);
        const found: number[] = [];
        for (const revision of revisions) found.push(await copy.at(revision).size());
        await db.close();
        return found;
      },
      { url: `${server.url}/fibo/ontologies`, revisions: numbers },
    );
    expect(sizes).toEqual(releases.map(({ total }) => total));
  });
});
