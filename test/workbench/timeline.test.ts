/** New revisions of others, and timelines of many revisions, in Chromium. */
import type { Page } from 'playwright-core';
import { iri, literal, quad, type Repository } from 'quadrille';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { CHROMIUM, WITHOUT_CHROMIUM } from '../browser/chromium.js';
import { openScene, type Scene, sideways, SOLAR, soon, violations } from './scene.js';
import { patient } from './slow.js';

const MANY = 1200;
const commit = async (repository: Repository, n: number): Promise<void> =>
  void (await repository.add([quad(iri('urn:s'), iri('urn:p'), literal(String(n)))], { message: `number ${n}` }));

describe.skipIf(CHROMIUM === undefined)(`the timeline of the workbench${WITHOUT_CHROMIUM}`, () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await openScene();
    const many = await scene.database.repository('demo/many', { create: true });
    for (let n = 2; n <= MANY; n++) await commit(many, n);
  }, 60_000);
  afterEach(() => scene.check());
  afterAll(() => scene.close());

  const position = (page: Page): Promise<string> => page.locator('.timeline-description').innerText();

  test('new revisions come by the feed, are counted, and do not move the user', async () => {
    const repository = await scene.database.repository(SOLAR);
    const page = await scene.page('');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname + new URL(request.url()).search));
    const feed = page.waitForResponse((response) => response.url().includes('/changes?'));
    await page.goto(`${scene.server.url}/#/${SOLAR}/history?at=4`);
    expect((await feed).status()).toBe(200);
    await soon(() => asked.filter((path) => path.endsWith('/revisions?limit=1')).length).toBe(1);
    await commit(repository, 1);
    await page.getByRole('button', { name: '1 new revision' }).waitFor();
    await commit(repository, 2);
    await page.getByRole('button', { name: '2 new revisions' }).waitFor();
    expect(await position(page)).toContain('Revision 4 of 7');
    // Each was looked for once: nothing is asked for while nothing happens.
    expect(asked.filter((path) => path.endsWith('/revisions?limit=1'))).toHaveLength(3);
    await page.getByRole('button', { name: '2 new revisions' }).click();
    await soon(() => position(page)).toContain('Revision 4 of 9');
    expect(await page.getByRole('button', { name: /new revision/ }).count()).toBe(0);
    expect(page.url()).toContain('at=4');
  });

  test('where there is no feed, the server is asked now and then', async () => {
    const repository = await scene.database.repository(SOLAR);
    const page = await scene.page('');
    await page.route(/\/changes\?/, (route) => route.fulfill({ status: 429, headers: { 'Retry-After': '60' } }));
    await page.goto(`${scene.server.url}/#/${SOLAR}/history`);
    await soon(() => position(page)).toContain('Revision 9 of 9');
    await commit(repository, 3);
    await page.getByRole('button', { name: '1 new revision' }).waitFor({ timeout: patient(20_000) });
  });

  test('a feed that was cut off is opened again', async () => {
    const repository = await scene.database.repository(SOLAR);
    const page = await scene.page('');
    let feeds = 0;
    await page.route(/\/changes\?/, async (route) => {
      if (feeds++ === 0)
        await route.fulfill({ status: 200, headers: { 'Content-Type': 'text/event-stream' }, body: '' });
      else await route.continue();
    });
    await page.goto(`${scene.server.url}/#/${SOLAR}/history`);
    await soon(() => feeds).toBe(2);
    await commit(repository, 4);
    await page.getByRole('button', { name: '1 new revision' }).waitFor();
  });

  test('bars and slider have one scale, also where revisions between others were trimmed', async () => {
    const repository = await scene.database.repository('demo/gaps', { create: true });
    for (let n = 2; n <= 12; n++) {
      await commit(repository, n);
      if (n === 3 || n === 8) await repository.tags.set(`v${String(n)}`, await repository.revision());
    }
    await repository.maintenance.trim({ last: 2 });
    const page = await scene.page('demo/gaps/history');
    const slider = page.getByRole('slider', { name: 'Revision' });
    await soon(() => position(page)).toContain('Revision 12 of 12');
    const places = (): Promise<number[]> =>
      slider.evaluate((field: HTMLInputElement) => {
        const now = document.querySelector<HTMLElement>('.timeline .bar.now')!;
        const share = (Number(field.value) - Number(field.min)) / (Number(field.max) - Number(field.min));
        return [Math.round(100 * share), Math.round(Number.parseFloat(now.style.left))];
      });
    const kept = (await repository.log().toArray()).map(({ number }) => number);
    expect(kept).toContain(8);
    for (const number of kept) {
      await soon(() => position(page)).toContain(`Revision ${String(number)} of 12`);
      const [thumb, bar] = await places();
      expect([number, thumb]).toEqual([number, bar]);
      await slider.press('ArrowLeft');
    }
  });

  test('more than 1,000 revisions stand in buckets, and each is in reach', async () => {
    const page = await scene.page('demo/many/history');
    const slider = page.getByRole('slider', { name: 'Revision' });
    await soon(() => position(page)).toContain('Revision 1,200 of 1,200');
    await soon(() => page.locator('.timeline .bar').count()).toBeLessThanOrEqual(160);
    expect(await page.locator('.timeline .bar').count()).toBeGreaterThan(100);
    await slider.focus();
    await page.keyboard.press('Home');
    await soon(() => page.url()).toContain('at=1');
    await soon(() => position(page)).toContain('Revision 1 of 1,200');
    await page.getByRole('button', { name: 'Next revision' }).click();
    await soon(() => position(page)).toMatch(/Revision 2 of 1,200[^]*number 2/);
    expect(await slider.getAttribute('aria-valuetext')).toMatch(/^Revision 2 of 1,200, .*, 1 added$/);
    const size = await page.evaluate(async () => (await fetch('demo/many/size?revision-id=%232')).text());
    expect(size).toBe('1');
    await page.goto(`${scene.server.url}/#/demo/many/history?at=100`);
    await soon(() => position(page)).toMatch(/Revision 100 of 1,200[^]*number 100/);
  });

  test('a date jumps to the last revision of its day', async () => {
    const page = await scene.page('demo/many/history?at=7');
    const day = page.getByLabel('Go to the day');
    await day.fill('2001-02-03');
    await soon(() => position(page)).toContain('Revision 1 of 1,200');
    const today = new Date(Date.now() - new Date().getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
    await day.fill(today);
    await soon(() => position(page)).toContain('Revision 1,200 of 1,200');
    expect(page.url()).not.toContain('at=');
    const few = await scene.page(`${SOLAR}/history`);
    await soon(() => position(few)).toContain('Revision');
    expect(await few.getByLabel('Go to the day').count()).toBe(0);
  });

  test.each([
    ['light', 1280],
    ['dark', 400],
  ] as const)('%s, %i pixels wide: everybody can use it', async (colorScheme, width) => {
    const page = await scene.page('demo/many/history?at=600', { colorScheme, viewport: { width, height: 800 } });
    if (width < 720) await page.getByRole('button', { name: /Revision 600/ }).click();
    await page.getByLabel('Go to the day').waitFor();
    expect([await violations(page), await sideways(page)]).toEqual([[], 0]);
  });
});
