/**
 * What is shown belongs to the repository, branch, revision and text that stand beside it, or is pale: after every pair of actions, and at each
 * moment between them. A run takes a share of the pairs, by its seed.
 */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { CHROMIUM, WITHOUT_CHROMIUM } from '../browser/chromium.js';
import { inShare, SHARE_TEXT } from '../share.js';
import { openScene, type Scene, soon } from './scene.js';
import { patient } from './slow.js';

const NAMES = ['demo/one', 'demo/two'];
const HERE = 'SELECT ?here { ?s <urn:is> ?here }';
const THERE = 'SELECT ?there { ?s <urn:is> ?there }';
const UPDATE = 'INSERT DATA { <urn:new> <urn:is> "new" }';

/** What stands on the page at one moment. */
interface Seen {
  readonly repository: string;
  readonly branch: string;
  readonly revision: number;
  readonly text: string;
  readonly isPale: boolean;
  readonly columns: readonly string[];
  readonly cells: readonly string[];
  /** Of the effect of an update. */
  readonly outcome: string;
}

const look = (page: Page): Promise<Seen> =>
  page.evaluate(() => {
    const all = (selector: string): string[] =>
      [...document.querySelectorAll<HTMLElement>(selector)].map((element) => element.innerText.trim());
    const lines = document.querySelector('.editor')?.shadowRoot?.querySelectorAll('.cm-line') ?? [];
    return {
      repository: document.querySelector<HTMLSelectElement>('.chooser select')!.value,
      branch: all('.branch-picker bdi')[0] ?? 'main',
      revision: Number(/Revision (\d+) of/.exec(all('.timeline-description strong')[0] ?? '')?.[1] ?? 0),
      text: [...lines].map((line) => line.textContent).join('\n'),
      isPale:
        document.querySelector('.results')?.getAttribute('data-stale') === 'true' ||
        document.querySelector('main')?.getAttribute('aria-busy') === 'true',
      columns: all('[role=columnheader] button').map((name) => name.replace(/\s*[▲▼]$/, '')),
      cells: all('[role=gridcell]').filter((cell) => cell !== ''),
      outcome: all('.outcome strong')[0] ?? '',
    };
  });

const clickIf = async (page: Page, selector: string): Promise<void> => {
  const found = page.locator(selector).first();
  if ((await found.count()) > 0 && (await found.isEnabled())) await found.click();
};

async function write(page: Page, query: string): Promise<void> {
  await page.locator('.cm-content').click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(query);
}

const fragment = (page: Page, to: string): Promise<void> => page.evaluate((hash) => void (location.hash = hash), to);

type Action = (page: Page, scene: Scene) => Promise<unknown>;

const ACTIONS: Readonly<Record<string, Action>> = {
  repository: async (page) => {
    const chooser = page.locator('.chooser select');
    await chooser.selectOption(NAMES.find((name) => name !== page.url().match(/demo\/\w+/)?.[0])!);
  },
  branch: (page) => fragment(page, page.url().includes('branch=') ? '#/demo/one/query' : '#/demo/one/query?branch=dev'),
  slide: async (page) => {
    await page.locator('#revision-slider').press('ArrowLeft');
  },
  current: (page) => clickIf(page, '.read-only button'),
  run: (page) => page.locator('.toolbar .primary').click(),
  explain: (page) => clickIf(page, '.toolbar .button:text-is("Explain")'),
  sort: (page) => clickIf(page, '[role=columnheader] button'),
  filter: async (page) => {
    const field = page.getByLabel('Filter rows');
    if ((await field.count()) > 0) await field.fill((await field.inputValue()) === '' ? 'demo' : '');
  },
  tab: (page) => clickIf(page, '.query-tab[aria-selected=false], .query-tabs > button'),
  edit: async (page) => write(page, (await look(page)).text.includes('?here') ? THERE : HERE),
  undo: async (page) => {
    await page.locator('.cm-content').press('ControlOrMeta+z');
  },
  update: async (page) => {
    await write(page, UPDATE);
    await page.locator('.toolbar .primary').click();
    const dialog = page.getByRole('dialog');
    await soon(async () => (await dialog.count()) + (await page.locator('.problem').count())).toBeGreaterThan(0);
    if ((await dialog.count()) > 0) await dialog.getByRole('button', { name: 'Run update' }).click();
  },
  undoUpdate: (page) => clickIf(page, '.outcome button'),
  back: async (page) => {
    if (
      await page.evaluate(() => (globalThis as unknown as { navigation: { canGoBack: boolean } }).navigation.canGoBack)
    )
      await page.goBack();
  },
  forward: (page) => page.goForward(),
  away: async (page) => {
    await page.getByRole('link', { name: 'History' }).click();
    await page.getByRole('link', { name: 'Query', exact: true }).click();
  },
  others: async (page, { database }) => {
    const repository = await database.repository(NAMES[0]!);
    await repository.update(
      `INSERT DATA { <urn:s${String(Math.floor(performance.now()))}> <urn:is> "demo/one of others" }`,
    );
    const arrived = page.getByRole('button', { name: /new revisions?$/ });
    if ((await arrived.count()) > 0) await arrived.click();
  },
};

/** Every ordered pair of names once after the other, as one walk. */
function walkOf(names: readonly string[]): string[] {
  const left = new Map(names.map((name) => [name, [...names]]));
  const stack = [names[0]!];
  const walk: string[] = [];
  while (stack.length > 0) {
    const next = left.get(stack.at(-1)!)!.pop();
    if (next === undefined) walk.push(stack.pop()!);
    else stack.push(next);
  }
  return walk.reverse();
}

const PART = 24;
const WALK = walkOf(Object.keys(ACTIONS));
const PARTS = Array.from({ length: Math.ceil(WALK.length / PART) }, (_, part) =>
  // The last action of the part before begins the pair across both.
  WALK.slice(Math.max(part * PART - 1, 0), (part + 1) * PART),
);

describe.skipIf(CHROMIUM === undefined)(`what stands beside an answer${WITHOUT_CHROMIUM}`, () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await openScene();
    for (const name of NAMES) {
      const main = await scene.database.repository(name, { create: true });
      for (let n = 2; n <= 5; n++)
        await main.update(
          `DELETE WHERE { <urn:s> <urn:is> ?o } ; INSERT DATA { <urn:s> <urn:is> "${name} main ${String(n)}" }`,
        );
    }
    const dev = await (await scene.database.repository(NAMES[0]!)).branches.open('dev', { create: true, from: 3 });
    await dev.update('DELETE WHERE { <urn:s> <urn:is> ?o } ; INSERT DATA { <urn:s> <urn:is> "demo/one dev 4" }');
  });
  afterEach(() => scene.check());
  afterAll(() => scene.close());

  const known = new Map<string, Promise<readonly string[]>>();
  async function answerOf({ repository, branch, revision, text }: Seen): Promise<readonly string[]> {
    const main = await scene.database.repository(repository);
    const on = branch === 'main' ? main : await main.branches.open(branch);
    const rows = await on.at(revision).select(text).toArray();
    return rows.flatMap((row) =>
      Object.values(row as Readonly<Record<string, { readonly value: string }>>).map(({ value }) => value),
    );
  }

  /** @returns what is wrong; undefined where all is right */
  async function wrong(seen: Seen): Promise<string | undefined> {
    const { repository, branch, revision, text, isPale, columns, cells, outcome } = seen;
    if (isPale || revision === 0 || text === '') return undefined;
    if (outcome !== '' && !outcome.startsWith(`Revision ${String(revision)}:`))
      return `outcome: ${JSON.stringify(seen)}`;
    if (columns.length === 0) return undefined;
    const key = JSON.stringify([repository, branch, revision, text]);
    const answer = known.get(key) ?? answerOf(seen);
    known.set(key, answer);
    const values = await answer.catch((): readonly string[] => []);
    const isOther = !text.includes(`?${columns[0]!}`) || cells.some((cell) => !values.includes(cell));
    return isOther ? `rows: ${JSON.stringify(seen)}, and the answer is ${JSON.stringify(values)}` : undefined;
  }

  async function isQuiet(page: Page): Promise<boolean> {
    return page.evaluate(
      () =>
        document.querySelector('.summary.running, .loading, [aria-busy=true]') === null &&
        document.querySelector('.timeline-description strong') !== null,
    );
  }

  /** Looks at each moment until the page is quiet, and a little longer than a slider rests. */
  async function settle(page: Page, after: string): Promise<void> {
    for (let quiet = 0, n = 0; quiet < 3 && n < 400; n++) {
      const found = await wrong(await look(page));
      expect(found && `${after}: ${found}`).toBeUndefined();
      quiet = (await isQuiet(page)) ? quiet + 1 : 0;
      await page.waitForTimeout(60);
    }
  }

  const share = PARTS.map((part, index) => [index + 1, part] as const).filter(([index]) => inShare(index, 6));
  test.each(share)(`pairs of actions, part %i (${SHARE_TEXT})`, { timeout: patient(180_000) }, async (_, actions) => {
    const page = await scene.page(`${NAMES[0]!}/query?q=${encodeURIComponent(HERE)}`);
    await soon(async () => (await look(page)).cells).not.toEqual([]);
    let before = 'first';
    for (const action of actions) {
      // The history of the browser may have led to another page.
      if (!page.url().includes('/query')) {
        await page.getByRole('link', { name: 'Query', exact: true }).click();
        await settle(page, `${before}, query`);
      }
      await page.locator('.cm-content').waitFor();
      await ACTIONS[action]!(page, scene);
      await settle(page, `${before}, ${action}`);
      before = action;
    }
  });

  test('the time of an answer is its own, and a sorted one follows the slider', async () => {
    const page = await scene.page(`${NAMES[0]!}/query?q=${encodeURIComponent(HERE)}`);
    await soon(async () => (await look(page)).cells).not.toEqual([]);
    const time = async (): Promise<number> =>
      Number(/(\d+) ms/.exec(await page.getByTestId('summary').innerText())?.[1]);
    const first = await time();
    await page.waitForTimeout(1200);
    await page.locator('[role=columnheader] button').click();
    await page.getByLabel('Filter rows').fill('demo');
    await settle(page, 'sort and filter');
    expect(await time()).toBe(first);
    await page.locator('#revision-slider').press('Home');
    await page.locator('#revision-slider').press('ArrowRight');
    await soon(async () => (await look(page)).cells).toEqual(['demo/one main 2']);
    expect(await page.getByLabel('Filter rows').inputValue()).toBe('demo');
  });
});
