/** What is around the pages: signing in, and what the page weighs. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { CHROMIUM, WITHOUT_CHROMIUM } from '../browser/chromium.js';
import { openScene, type Scene, SOLAR, soon, summary } from './scene.js';

describe.skipIf(CHROMIUM === undefined)(`the workbench of a server with accounts${WITHOUT_CHROMIUM}`, () => {
  let scene: Scene;
  let token: string;
  beforeAll(async () => {
    scene = await openScene({ asks: true });
    token = (await scene.service.tokens.create('demo')).text;
  });
  afterEach(() => scene.check());
  afterAll(() => scene.close());

  test('signs in over the page, by keyboard alone, and out; the token is in no address', async () => {
    const page = await scene.page(`${SOLAR}/query`);
    const dialog = page.getByRole('dialog', { name: 'Sign in' });
    await dialog.waitFor();
    await page.keyboard.type('wrong');
    await page.keyboard.press('Enter');
    await soon(() => dialog.getByRole('alert').count()).toBe(1);
    await dialog.getByLabel('Token').fill(token);
    await page.keyboard.press('Enter');
    await soon(() => dialog.count()).toBe(0);
    await page.getByRole('button', { name: 'Run' }).click();
    await soon(() => summary(page)).toMatch(/^7 rows/);
    await page.reload();
    await page.getByRole('button', { name: 'Account' }).waitFor();
    expect(page.url()).not.toContain(token);
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await dialog.waitFor();
    expect(await page.evaluate(() => JSON.stringify([sessionStorage, localStorage]))).not.toContain(token);
  });
});

describe.skipIf(CHROMIUM === undefined)(`the link that a server prints${WITHOUT_CHROMIUM}`, () => {
  test('signs in once, and its code leaves the address', async () => {
    const scene = await openScene({ asks: true });
    const code = scene.service.signIn.create('demo');
    const page = await scene.page(`${SOLAR}/query?code=${code}`);
    await page.getByRole('button', { name: 'Account' }).waitFor();
    await page.getByRole('button', { name: 'Run' }).click();
    await soon(() => summary(page)).toMatch(/^7 rows/);
    expect(await page.getByRole('dialog', { name: 'Sign in' }).count()).toBe(0);
    expect(page.url()).not.toContain('code');
    // Nothing was asked before the code was exchanged: the dialog would have opened for a moment.
    const refused = await page.evaluate(
      () =>
        (performance.getEntriesByType('resource') as PerformanceResourceTiming[]).filter(
          ({ responseStatus }) => responseStatus === 401,
        ).length,
    );
    expect(refused).toBe(0);
    const second = await scene.page(`${SOLAR}/query?code=${code}`);
    await second.getByRole('dialog', { name: 'Sign in' }).waitFor();
    await scene.check();
    await scene.close();
  });
});

interface Manifest {
  readonly files: readonly { readonly path: string; readonly gzip: number }[];
  readonly chunks: readonly { readonly file: string; readonly entry?: string; readonly imports: readonly string[] }[];
}

describe('what the page weighs, compressed by gzip', () => {
  const manifest = JSON.parse(
    readFileSync(new URL('../../packages/workbench/dist/pages/manifest.json', import.meta.url), 'utf8'),
  ) as Manifest;
  const sizeOf = (name: string): number => manifest.files.find(({ path }) => path.endsWith(`/${name}`))!.gzip;

  /** A chunk with those that it imports at once. Libraries that are files of their own import nothing. */
  function closure(name: string, seen = new Set<string>()): Set<string> {
    if (seen.has(name)) return seen;
    seen.add(name);
    for (const each of manifest.chunks.find(({ file }) => file === name)?.imports ?? []) closure(each, seen);
    return seen;
  }
  const chunkOf = (entry: string): string =>
    manifest.chunks.find((chunk) => chunk.entry?.endsWith(entry) === true)!.file;
  const sum = (names: Iterable<string>): number => [...names].reduce((total, name) => total + sizeOf(name), 0);
  const first = closure(chunkOf('src/main.tsx'));
  const added = (entry: string): number => sum([...closure(chunkOf(entry))].filter((name) => !first.has(name)));

  test('the first load', () => {
    expect(sum(first) + added('query/page.tsx')).toBeLessThanOrEqual(60_000);
    expect(
      sum(
        manifest.files.map(({ path }) => path.slice(path.lastIndexOf('/') + 1)).filter((name) => name.endsWith('.css')),
      ),
    ).toBeLessThanOrEqual(12_000);
  });

  test('the first load with everything that follows it before the first answer, and the package', () => {
    const editor = added('editor/editor.ts');
    expect(sum(first) + added('query/page.tsx') + editor).toBeLessThanOrEqual(60_000 + 130_000);
    const folder = new URL('../../packages/workbench/dist/pages/', import.meta.url);
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const bytes = files.reduce((total, entry) => total + statSync(join(entry.parentPath, entry.name)).size, 0);
    expect(bytes).toBeLessThanOrEqual(1_500_000);
  });

  test('the editor', () => {
    expect(added('editor/editor.ts')).toBeLessThanOrEqual(130_000);
  });

  // Both are reached from the page of queries, with what it has loaded.
  const drawn = (entry: string): number => {
    const before = new Set([...first, ...closure(chunkOf('query/page.tsx'))]);
    return sum([...closure(chunkOf(entry))].filter((name) => !before.has(name)));
  };

  test('graphs', () => {
    expect(drawn('graph/graph.tsx')).toBeGreaterThan(100_000);
    expect(drawn('graph/graph.tsx')).toBeLessThanOrEqual(140_000);
  });

  test('charts', () => {
    expect(drawn('chart/chart.tsx')).toBeGreaterThan(20_000);
    expect(drawn('chart/chart.tsx')).toBeLessThanOrEqual(25_000);
  });

  test('the tour', () => {
    expect(added('tour/tour.tsx')).toBeLessThanOrEqual(3500);
  });

  test('every other page', () => {
    const pages = manifest.chunks.filter(({ entry }) => entry?.endsWith('page.tsx') === true);
    expect(pages.length).toBeGreaterThan(1);
    for (const { entry } of pages) expect([entry, added(entry!) <= 20_000]).toEqual([entry, true]);
  });
});
