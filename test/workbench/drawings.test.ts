/** Answers as charts and graphs, in Chromium. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { CHROMIUM, WITHOUT_CHROMIUM } from '../browser/chromium.js';
import { inShare, SHARE_TEXT } from '../share.js';
import { openScene, type Scene, sideways, SOLAR, soon, violations } from './scene.js';

const COUNTS =
  'SELECT ?class (COUNT(DISTINCT ?thing) AS ?things) { ?thing a ?class } GROUP BY ?class ORDER BY DESC(?things)';
const MOONS = `PREFIX sol: <http://example.org/solar-system/>
CONSTRUCT { ?moon ?p ?o } { ?moon a sol:Satellite ; ?p ?o }`;
const LOOKS = [
  ['light', 1280],
  ['dark', 1280],
  ['dark', 400],
  ['light', 400],
] as const;
const DIGITS = '{ 0 1 2 3 4 5 6 7 8 9 }';

const address = (view: string, query: string): string => `${SOLAR}/query?view=${view}&q=${encodeURIComponent(query)}`;

describe.skipIf(CHROMIUM === undefined)(`charts and graphs of the workbench${WITHOUT_CHROMIUM}`, () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await openScene();
  });
  afterEach(() => scene.check());
  afterAll(() => scene.close());

  test('a chart chooses its columns, says what it shows, and follows what the user chooses', async () => {
    const page = await scene.page(address('chart', COUNTS));
    const chart = page.getByRole('img', { name: 'Bars: things by class, 7 values from 1 to 82' });
    await chart.waitFor();
    expect(await chart.locator('canvas').evaluate((canvas: HTMLCanvasElement) => canvas.width)).toBeGreaterThan(400);
    await page.getByText('Values as a table').click();
    await soon(() => page.getByRole('row', { name: /sol:Planet/ }).innerText()).toMatch(/sol:Planet\s+8/);
    await page.getByRole('combobox', { name: 'Drawn as' }).selectOption('Lines');
    await page.getByRole('combobox', { name: 'Across' }).selectOption('Row number');
    await page.getByRole('img', { name: /^Lines: things by Row number, 7 values/ }).waitFor();
    await page.getByRole('tab', { name: 'Table' }).click();
    expect(page.url()).not.toContain('view=');
    await page.getByRole('tab', { name: 'Chart' }).click();
    await chart.waitFor();
    expect(page.url()).toContain('view=chart');
  });

  test('the pointer reads values, and an answer without numbers says so', async () => {
    const page = await scene.page(address('chart', COUNTS));
    const chart = page.locator('.chart-plot');
    await chart.scrollIntoViewIfNeeded();
    await soon(() => page.locator('.chart-point').innerText()).toBe('things by class');
    await chart.hover({ position: { x: 120, y: 60 } });
    await soon(() => page.locator('.chart-point').innerText()).toBe('sol:Satellite: 82');
    const none = await scene.page(address('chart', 'SELECT * { ?s a ?class }'));
    await none.getByText('This answer has no column of numbers').waitFor();
  });

  test('a graph of statements: keys go from node to node, and lead to the page of a resource', async () => {
    const page = await scene.page(address('graph', MOONS));
    const graph = page.getByRole('application', { name: /^Graph of \d+ nodes and [\d,]+ links$/ });
    await graph.waitFor();
    await graph.focus();
    await page.keyboard.press('ArrowRight');
    const list = page.getByRole('complementary', { name: 'Nodes' });
    await list.getByRole('button', { name: 'All nodes' }).waitFor();
    const first = await list.getByRole('heading', { level: 3 }).innerText();
    for (const key of ['+', 'ArrowUp', 'ArrowRight', 'ArrowRight', '-']) await page.keyboard.press(key);
    await soon(() => list.getByRole('heading', { level: 3 }).innerText()).not.toBe(first);
    await page.keyboard.press('Enter');
    await soon(() => page.url()).toContain('/resource?iri=');
  });

  test('the list beside the graph: finding a node, its facts, and its links', async () => {
    const page = await scene.page(address('graph', MOONS));
    const list = page.getByRole('complementary', { name: 'Nodes' });
    await list.getByRole('searchbox', { name: 'Find a node' }).fill('titania');
    await list.getByRole('button', { name: 'Titania' }).click();
    await soon(() => list.innerText()).toContain('rdfs:label');
    expect(await list.getByRole('link', { name: 'sol:Titania' }).getAttribute('href')).toContain('/resource?iri=');
    await list.getByRole('button', { name: 'sol:Satellite' }).click();
    await soon(() => list.getByRole('heading', { level: 3 }).innerText()).toBe('sol:Satellite');
    expect(await page.getByRole('status').innerText()).toMatch(/^sol:Satellite, \d+ links$/);
  });

  test('a click on a node selects it; the columns can be chosen', async () => {
    const page = await scene.page(address('graph', 'SELECT ?name ?a ?b { ?a a ?b BIND("x" AS ?name) } LIMIT 1'));
    const graph = page.getByRole('application');
    await soon(() => graph.getAttribute('aria-label')).toBe('Graph of 2 nodes and 1 link');
    expect(await page.getByRole('combobox', { name: 'From' }).locator(':checked').innerText()).toBe('a');
    await page.getByRole('combobox', { name: 'Layout' }).selectOption('Grid');
    await page.getByRole('button', { name: 'Show all' }).click();
    // Two nodes of a grid lie on a line through the middle.
    const box = (await graph.boundingBox())!;
    const heading = page.getByRole('complementary').getByRole('heading', { level: 3 });
    for (let x = 10; x < box.width && (await heading.count()) === 0; x += 12)
      await page.mouse.click(box.x + x, box.y + box.height / 2);
    expect(await heading.count()).toBe(1);
    const none = await scene.page(address('graph', 'SELECT ?class (1 AS ?n) { ?s a ?class }'));
    await none.getByText('A graph needs two columns of IRIs').waitFor();
  });

  test('more than 2,000 nodes are drawn when the user asks for them', async () => {
    const values = ['a', 'b', 'c', 'd'].map((name) => `VALUES ?${name} ${DIGITS}`).join(' ');
    const query = `CONSTRUCT { ?x <urn:p> <urn:hub> } { ${values} FILTER(?a < 3)
      BIND(IRI(CONCAT("urn:n", STR(?a), STR(?b), STR(?c), STR(?d))) AS ?x) }`;
    const page = await scene.page(address('graph', query));
    const graph = page.getByRole('application');
    await soon(() => graph.getAttribute('aria-label')).toBe('Graph of 2,000 nodes and 1,999 links');
    await page.getByRole('button', { name: 'Draw all 3,001' }).click();
    await soon(() => graph.getAttribute('aria-label')).toBe('Graph of 3,001 nodes and 3,000 links');
  });

  test.each(LOOKS.filter((_, index) => inShare(index, 2)))(
    `%s, %i pixels wide: accessible, and nothing is wider than the page (${SHARE_TEXT})`,
    async (colorScheme, width) => {
      const page = await scene.page(address('chart', COUNTS), { colorScheme, viewport: { width, height: 800 } });
      await page.locator('.chart-plot canvas').waitFor();
      await page.getByText('Values as a table').click();
      expect([await violations(page), await sideways(page)]).toEqual([[], 0]);
      await page.goto('about:blank');
      await page.goto(`${scene.server.url}/#/${address('graph', MOONS)}`);
      await page.locator('.graph-canvas canvas').first().waitFor();
      expect([await violations(page), await sideways(page)]).toEqual([[], 0]);
      await page.getByRole('complementary', { name: 'Nodes' }).getByRole('button', { name: 'Titania' }).click();
      await page.getByRole('button', { name: 'All nodes' }).waitFor();
      expect([await violations(page), await sideways(page)]).toEqual([[], 0]);
      // The colours of a drawing follow the theme.
      await page.getByRole('button', { name: 'Theme' }).click();
      await page.getByRole('menuitemradio', { name: colorScheme === 'light' ? 'Dark' : 'Light' }).click();
      expect(await violations(page)).toEqual([]);
    },
  );
});
