/**
 * The storage of browsers, inside a real Chromium: the conformance suite, ranges beside writes, and random operations on the
 * engine above it against the model. QUADRILLE_SEED repeats a run. Asks for the built packages: `npm run build`.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SEED } from '../model/environment.js';
import { bundlePages } from './bundle.js';
import { CHROMIUM, launch, serve, WITHOUT_CHROMIUM } from './chromium.js';
import type { Site } from './chromium.js';
import type { Suites } from './pages/suites.js';

declare const suites: Suites;

const OPERATIONS = { indexeddb: 250, 'browser-level': 30 };

describe.skipIf(CHROMIUM === undefined)(`storage in Chromium${WITHOUT_CHROMIUM}`, () => {
  let profile: string;
  let site: Site;
  let browser: BrowserContext;
  let page: Page;

  beforeAll(async () => {
    profile = await mkdtemp(join(tmpdir(), 'quadrille-chromium-'));
    const { files } = await bundlePages([join(import.meta.dirname, 'pages/suites.ts')]);
    site = await serve(files);
    browser = await launch(profile);
    page = await browser.newPage();
    await page.goto(`${site.url}/suites.html`);
    await page.waitForFunction(() => 'suites' in globalThis);
  });

  afterAll(async () => {
    await browser?.close();
    await site?.close();
    await rm(profile, { recursive: true, force: true });
  });

  test.each(['indexeddb', 'browser-level'] as const)('conformance suite: %s', async (backend) => {
    const results = await page.evaluate((name) => suites.conformance(name), backend);
    expect(results.length).toBeGreaterThanOrEqual(35);
    expect(results.filter(({ error }) => error !== undefined)).toEqual([]);
  });

  test(`ranges beside writes show the state in which they began (QUADRILLE_SEED=${SEED})`, async () => {
    expect(await page.evaluate((seed) => suites.rangesBesideWrites(seed, 60), SEED)).toBeGreaterThan(1000);
  });

  test.each(['indexeddb', 'browser-level'] as const)(
    `random operations against the model: %s (QUADRILLE_SEED=${SEED})`,
    async (backend) => {
      const run = { backend, seed: SEED, operations: OPERATIONS[backend] };
      const done = await page.evaluate((r) => suites.model(r.backend, r.seed, r.operations), run);
      expect(done).toBeGreaterThanOrEqual(OPERATIONS[backend]);
    },
  );
});
