/** Every page on wide and narrow screens: accessible, not wider than the screen, and as its picture shows it; a run takes one theme and width of each page. */
import type { Page } from 'playwright-core';
import type { Repository } from 'quadrille';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { CHROMIUM, WITHOUT_CHROMIUM } from '../browser/chromium.js';
import { inShare, SHARE_TEXT } from '../share.js';
import { comparePicture, fixTimes, otherFonts } from './pictures.js';
import { openScene, type Scene, sideways, SOLAR, soon, summary, violations } from './scene.js';
import { patient } from './slow.js';

const PLUTO = encodeURIComponent('http://example.org/solar-system/Pluto');
const URANUS = encodeURIComponent('http://example.org/solar-system/Uranus');
const COUNTS = encodeURIComponent(
  'SELECT ?class (COUNT(DISTINCT ?thing) AS ?things) {\n  ?thing a ?class\n}\nGROUP BY ?class ORDER BY DESC(?things)',
);

interface Shown {
  readonly name: string;
  readonly address: string;
  /** Is there when the page has what it shows. */
  readonly content: string;
}

const PAGES: readonly Shown[] = [
  { name: 'repositories', address: '', content: '.card + .card' },
  { name: 'query', address: `${SOLAR}/query`, content: '[role=gridcell] .term' },
  { name: 'query-old', address: `${SOLAR}/query?at=4`, content: '[role=gridcell] .term' },
  { name: 'query-plan', address: `${SOLAR}/query?view=plan&q=${COUNTS}`, content: '.plan-step' },
  {
    name: 'query-changes',
    address: `${SOLAR}/query?view=changes&at=6&compare=4&q=${COUNTS}`,
    content: '.changed-rows',
  },
  { name: 'query-chart', address: `${SOLAR}/query?view=chart&q=${COUNTS}`, content: '.chart-plot canvas' },
  { name: 'empty', address: 'demo/empty/query', content: '.empty' },
  { name: 'history', address: `${SOLAR}/history`, content: '.log-entry' },
  { name: 'compare', address: `${SOLAR}/history/compare?from=5&to=6`, content: '.change' },
  { name: 'graph', address: 'demo/planets/history', content: '.graph-cell' },
  { name: 'branches', address: 'demo/planets/branches?branch=dev', content: '.log-entry' },
  { name: 'merge', address: 'demo/planets/branches?merge=dev', content: '.conflict' },
  { name: 'resource', address: `${SOLAR}/resource?iri=${PLUTO}&origin=1`, content: '.origin' },
  { name: 'resource-incoming', address: `${SOLAR}/resource?iri=${URANUS}&view=incoming`, content: '.value-group' },
  { name: 'resource-history', address: `${SOLAR}/resource?iri=${PLUTO}&view=history&at=5`, content: '.change' },
  { name: 'overview', address: `${SOLAR}/overview`, content: '.counted li' },
  { name: 'import', address: `${SOLAR}/import`, content: '.drop' },
  { name: 'settings', address: `${SOLAR}/settings`, content: '.entries li' },
  { name: 'activity', address: 'activity', content: '.block .muted' },
  { name: 'admin', address: 'admin', content: '.log-entry' },
];
/** Their figures change all the time. */
const UNSTEADY = new Set(['activity']);

describe.skipIf(CHROMIUM === undefined)(`pages of the workbench${WITHOUT_CHROMIUM}`, () => {
  let scene: Scene;
  let why: string | undefined;
  beforeAll(async () => {
    scene = await openScene();
    await scene.database.repository('demo/empty', { create: true });
    await makeBranches(await scene.database.repository('demo/planets', { create: true }));
    const page = await scene.page('');
    await page.locator('h1').waitFor();
    why = await otherFonts(page);
    if (why !== undefined) console.warn(why);
    await scene.check();
  });
  afterEach(() => scene.check());
  afterAll(() => scene.close());

  async function show(page: Page, { address, content }: Shown): Promise<void> {
    await page.goto('about:blank');
    await page.goto(`${scene.server.url}/#/${address}`);
    await page.locator('main h1').first().waitFor({ state: 'attached' });
    await page.locator(content).first().waitFor();
    // What is read again is pale meanwhile.
    await soon(() => page.locator('[aria-busy=true]').count()).toBe(0);
    if (address.includes('/query')) await soon(() => page.locator('.editor .cm-content').count()).toBe(1);
    if (address.startsWith(`${SOLAR}/query`)) await soon(() => summary(page)).toMatch(/rows/);
  }

  test.each([
    ['light', 1280, 0],
    ['dark', 1280, 1],
    ['light', 400, 2],
    ['dark', 400, 3],
  ] as const)(`%s, %i pixels wide (${SHARE_TEXT})`, { timeout: patient(240_000) }, async (colorScheme, width, turn) => {
    const context = { colorScheme, locale: 'en-GB', timezoneId: 'UTC', viewport: { width, height: 720 } };
    const page = await scene.page('', context);
    await fixTimes(page);
    for (const shown of PAGES.filter((_, index) => inShare(index + turn, 4))) {
      await show(page, shown);
      expect([shown.name, await violations(page)]).toEqual([shown.name, []]);
      expect([shown.name, await sideways(page)]).toEqual([shown.name, 0]);
      if (why === undefined && !UNSTEADY.has(shown.name))
        await comparePicture(scene.browser, page, `${shown.name}-${String(width)}-${colorScheme}`);
    }
  });

  // 1280 pixels with 400 % zoom are 320.
  test(
    '320 pixels wide: nothing scrolls sideways, and what is pressed has at least 24 pixels',
    { timeout: patient(120_000) },
    async () => {
      const page = await scene.page('', { viewport: { width: 320, height: 640 } });
      for (const shown of PAGES) {
        await show(page, shown);
        expect([shown.name, await sideways(page)]).toEqual([shown.name, 0]);
        expect([shown.name, await smallTargets(page)]).toEqual([shown.name, []]);
      }
    },
  );

  test('forced colours and less motion: every page is there, and the focus can be seen', async () => {
    const page = await scene.page('', { forcedColors: 'active', reducedMotion: 'reduce' });
    for (const shown of PAGES.filter(({ name }) => /^(?:query|history|overview)$/.test(name))) {
      await show(page, shown);
      await page.keyboard.press('Tab');
      const { outline, moving } = await page.evaluate(() => {
        const all = [...document.querySelectorAll('*')].map((element) => getComputedStyle(element));
        const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement!);
        return {
          outline: outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2,
          moving: all.filter(
            ({ transitionDuration, animationName }) => transitionDuration !== '0s' || animationName !== 'none',
          ).length,
        };
      });
      expect([shown.name, outline, moving]).toEqual([shown.name, true, 0]);
    }
  });
});

/** Three branches, of which one is merged and one has a conflict. */
async function makeBranches(main: Repository): Promise<void> {
  const ex = 'http://example.org/';
  const say = async (on: Repository, author: string, message: string, text: string): Promise<void> => {
    await on.update(`PREFIX ex: <${ex}> ${text}`, { author, message });
    // The log of all branches is sorted by time.
    await new Promise((resolve) => setTimeout(resolve, 3));
  };
  const radius = (km: number): string =>
    `DELETE WHERE { ex:Pluto ex:radius ?r } ; INSERT DATA { ex:Pluto ex:radius ${String(km)} }`;
  await main.namespaces.set('ex', ex);
  await main.settings.set({ functional: [`${ex}radius`] });
  await say(
    main,
    'ada',
    'nine planets',
    `INSERT DATA { ex:Pluto a ex:Planet ; ex:radius 1195 . ex:Neptune a ex:Planet }`,
  );
  const dev = await main.branches.open('dev', { create: true });
  await say(dev, 'bob', 'a better radius', `${radius(1188)} ; INSERT DATA { ex:Eris a ex:DwarfPlanet }`);
  const moons = await main.branches.open('moons', { create: true });
  await say(moons, 'eve', 'moons of Pluto', 'INSERT DATA { ex:Pluto ex:moon ex:Charon, ex:Nix, ex:Hydra }');
  await say(main, 'ada', 'as New Horizons says', radius(1187));
  await main.branches.merge('moons', { author: 'ada', message: 'merge moons' });
  await say(
    dev,
    'bob',
    'a dwarf planet',
    'DELETE DATA { ex:Pluto a ex:Planet } ; INSERT DATA { ex:Pluto a ex:DwarfPlanet }',
  );
}

/** Links within a text may be as small as the text, by WCAG 2.2 (2.5.8); so may cells of a table, which keys choose. */
const smallTargets = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [
      ...document.querySelectorAll<HTMLElement>(
        'a, button, input, select, textarea, summary, [role=tab], [role=option]',
      ),
    ]
      .filter(
        (element) =>
          element.checkVisibility({ visibilityProperty: true }) &&
          element.closest('.hidden-text, .skip, [role=gridcell]') === null,
      )
      .filter(
        (element) =>
          !(element instanceof HTMLInputElement && (element.type === 'radio' || element.type === 'checkbox')),
      )
      .map((element) => ({ element, box: element.getBoundingClientRect() }))
      .filter(({ box }) => box.width > 0 && (box.height < 24 || box.width < 24))
      .map(
        ({ element, box }) => `${element.outerHTML.slice(0, 100)} ${box.width.toFixed(0)} × ${box.height.toFixed(0)}`,
      ),
  );
