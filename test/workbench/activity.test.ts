/** Live figures of the server in Chromium. */
import type { ServerState } from '@quadrille/server/host';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { CHROMIUM, WITHOUT_CHROMIUM } from '../browser/chromium.js';
import { openScene, type Scene, sideways, SOLAR, soon, violations } from './scene.js';

const server = (number: number, more: Partial<ServerState>): ServerState => ({
  id: `00000000-0000-4000-8000-00000000000${number}`,
  label: `process ${number} on host${number}`,
  url: `http://host${number}.example:8080`,
  role: 'follower',
  self: false,
  leaving: false,
  silentMs: 400,
  position: 17,
  ...more,
});
const SERVERS = [
  server(1, { role: 'holder', position: 20 }),
  server(2, { self: true, silentMs: 0, position: 20 }),
  server(3, { leaving: true, silentMs: 65_000 }),
];

describe.skipIf(CHROMIUM === undefined)(`live metrics of the workbench${WITHOUT_CHROMIUM}`, () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await openScene({ asks: true, servers: () => SERVERS });
    await scene.service.accounts.create('root', { admin: true });
  });
  afterEach(() => scene.check());
  afterAll(() => scene.close());

  async function signedIn(account: string, options = {}) {
    const token = (await scene.service.tokens.create(account)).text;
    const page = await scene.page('activity', options);
    await page.getByRole('dialog', { name: 'Sign in' }).getByLabel('Token').fill(token);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Account' }).waitFor();
    return page;
  }

  test('operators see figures with their course; revisions that are made appear', async () => {
    const page = await signedIn('root');
    const metrics = page.getByRole('region', { name: 'Live metrics' });
    await soon(() => metrics.innerText()).toMatch(/Memory\s+[\d.]+ MB/);
    const repository = await scene.database.repository(SOLAR);
    const points = (): Promise<number> =>
      metrics
        .locator('polyline')
        .first()
        .evaluate((line) => (line as SVGPolylineElement).points.numberOfItems);
    const before = await points();
    await repository.update('INSERT DATA { <urn:a> <urn:p> 1 }');
    await soon(() => metrics.innerText()).toMatch(/Revisions made\s+[\d.]+\/s\s+at most 0\.[1-9]/);
    await soon(points).toBeGreaterThan(before + 1);
    await soon(() => metrics.innerText()).toMatch(/Requests\s+[1-9][\d.]*\/s/);
  });

  test('operators see which of several servers writes, and how far the others are', async () => {
    const page = await signedIn('root');
    const servers = page.getByRole('region', { name: 'Servers of this store' });
    await soon(() => servers.getByRole('listitem').allInnerTexts()).toEqual([
      expect.stringMatching(/^http:\/\/host1.example:8080\s+writes\s+process 1 on host1 · up to date$/),
      expect.stringMatching(/^http:\/\/host2.example:8080\s+process 2 on host2 · this server · up to date$/),
      expect.stringMatching(
        /^http:\/\/host3.example:8080\s+process 3 on host3 · is about to end · silent for .+ · 3 changes behind$/,
      ),
    ]);
  });

  test('others see no figures, and none are asked for', async () => {
    const page = await signedIn('demo');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.getByRole('region', { name: 'Jobs' }).waitFor();
    await soon(() => asked.filter((url) => url.includes('/jobs?')).length).toBeGreaterThan(2);
    expect(await page.getByRole('region', { name: /Live metrics|Servers of/ }).count()).toBe(0);
    expect(asked.filter((url) => /\/(?:metrics|servers)$/.test(url))).toEqual([]);
  });

  test.each([
    ['light', 1280],
    ['dark', 400],
  ] as const)('%s, %i pixels wide: everybody can use it', async (colorScheme, width) => {
    const page = await signedIn('root', { colorScheme, viewport: { width, height: 800 } });
    await soon(() => page.getByRole('region', { name: 'Live metrics' }).innerText()).toMatch(/MB/);
    expect([await violations(page), await sideways(page)]).toEqual([[], 0]);
  });
});
