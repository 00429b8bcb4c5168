/** Imports of tables in Chromium: a mapping to begin with, its preview, what is wrong with it at its place, and what it loads. */
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { CHROMIUM, WITHOUT_CHROMIUM } from '../browser/chromium.js';
import { openScene, type Scene, sideways, soon, violations } from './scene.js';

const file = (name: string, content: string) => ({ name, mimeType: '', buffer: Buffer.from(content) });
const PEOPLE = file('people.csv', 'id,first name,born\n1,Ann,1990-05-01\n2,"Bo, jr.",\n');
const MAPPING = 'CONSTRUCT { ?s foaf:name ?name } WHERE { BIND(IRI(CONCAT("urn:", STR(?id))) AS ?s) }';
/** The lines of a preview, without its captions. */
const rows = (page: Page): Locator => page.getByRole('region', { name: 'First statements' }).locator('tbody tr');

describe.skipIf(CHROMIUM === undefined)(`tables in the workbench${WITHOUT_CHROMIUM}`, () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await openScene();
  });
  afterEach(() => scene.check());
  afterAll(() => scene.close());

  async function importPage(name: string, viewport = { width: 1280, height: 900 }): Promise<Page> {
    await scene.database.repository(`demo/${name}`, { create: true });
    const page = await scene.page(`demo/${name}/import`, { viewport });
    await page.locator('.drop').waitFor();
    return page;
  }
  const choose = (page: Page, ...files: ReturnType<typeof file>[]): Promise<void> =>
    page.locator('input[type=file]').setInputFiles(files);
  const entry = (page: Page, name: string): Locator => page.locator('.log-entry', { hasText: name });
  const card = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });
  async function write(page: Page, mapping: string): Promise<void> {
    await page.getByRole('textbox', { name: 'Mapping' }).click();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText(mapping);
  }
  async function lines(name: string): Promise<string[]> {
    const repository = await scene.database.repository(`demo/${name}`);
    const text = (await repository.dump('application/n-quads').toArray()).join('');
    return text.trim().split('\n').toSorted();
  }

  test('a table has a mapping to begin with, whose statements are shown and loaded', async () => {
    const page = await importPage('people');
    const asked: string[] = [];
    page.on('request', (request) => void asked.push(request.url()));
    await choose(page, file('a.nt', '<urn:a> <urn:p> "1" .'));
    await soon(() => entry(page, 'a.nt').innerText()).toContain('completed');
    expect(asked.filter((url) => /\/tables-\w+\.js/.test(url))).toEqual([]);
    await choose(page, PEOPLE);
    await soon(() => rows(page).count()).toBe(7);
    expect(await rows(page).nth(3).innerText()).toMatch(/example\.org\/1>\s+<.*\/born>\s+1990-05-01\s*xsd:date/);
    await soon(() => page.locator('.mapping .cm-content').count()).toBe(1);
    expect([await violations(page), await sideways(page)]).toEqual([[], 0]);
    await page.getByLabel('Replace').check();
    await page.getByRole('button', { name: 'Import the table' }).click();
    await soon(() => entry(page, 'people.csv').innerText()).toMatch(/completed · Revision 3 · \+7 −1/);
    expect(await card(page, 'people.csv').count()).toBe(0);
    expect(await lines('people')).toContain('<http://example.org/2> <http://example.org/first_name> "Bo, jr." .');
    const { message } = await (await scene.database.repository('demo/people')).revision();
    expect(message).toBe('people.csv');
  });

  test('what is wrong with a mapping is told, and marked at its place, before anything is sent', async () => {
    const page = await importPage('wrong');
    await choose(page, PEOPLE);
    await soon(() => rows(page).count()).toBe(7);
    const problem = card(page, 'people.csv').getByRole('alert');
    await write(page, 'CONSTRUCT { ?s <urn:p> ?id }\nWHERE { BIND(IRI(?nobody) AS ?s) }');
    await soon(() => problem.allInnerTexts()).toMatchObject([
      expect.stringMatching(
        /no column for \?nobody of the mapping; it has \?id, \?first_name, \?born[^]*line 2, column 18/,
      ),
    ]);
    await soon(() => page.locator('.mapping .cm-lintRange-error').allInnerTexts()).toEqual(['?']);
    expect(await page.getByRole('button', { name: 'Import the table' }).isDisabled()).toBe(true);
    expect(await violations(page)).toEqual([]);
    await write(page, 'CONSTRUCT { ?s <urn:p> ?id }\nWHERE { BIND(NO(?id) AS ?s) }');
    await soon(() => problem.allInnerTexts()).toMatchObject([
      expect.stringMatching(/line 2, column 14 · SPARQL_SYNTAX/),
    ]);
    await problem.getByRole('button', { name: 'Show the place' }).click();
    await page.keyboard.insertText('# ');
    await write(page, 'SELECT * { }');
    await soon(() => problem.allInnerTexts()).toMatchObject([expect.stringContaining('a mapping is a CONSTRUCT')]);
    await write(page, 'CONSTRUCT { ?s <urn:p> ?id } WHERE { BIND(?id AS ?s) }');
    await page.getByText('The mapping makes no statement of any row.').waitFor();
    expect(await page.getByRole('button', { name: 'Import the table' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Leave it out' }).click();
    await soon(() => card(page, 'people.csv').count()).toBe(0);
    expect((await (await scene.database.repository('demo/wrong')).revision()).number).toBe(1);
  });

  test('a dry run tells what tables and documents would change, and imports them then', async () => {
    const page = await importPage('asked');
    const number = async (): Promise<number> =>
      (await (await scene.database.repository('demo/asked')).revision()).number;
    await page.getByLabel('Only tell what would change').check();
    await choose(page, PEOPLE, file('b.ttl', '<urn:a> <urn:p> 1 , 2 .'));
    await soon(() => rows(page).count()).toBe(7);
    await page.getByRole('button', { name: 'Import the table' }).click();
    await soon(() => entry(page, 'people.csv').innerText()).toMatch(/would change, nothing was imported · \+7 −0/);
    expect(await entry(page, 'b.ttl').innerText()).toMatch(/would change, nothing was imported · \+2 −0/);
    expect(await number()).toBe(1);
    for (const name of ['people.csv', 'b.ttl']) {
      await entry(page, name).getByRole('button', { name: 'Import now' }).click();
      await soon(() => entry(page, name).innerText()).toMatch(/completed · Revision/);
    }
    expect(await number()).toBe(3);
  });

  test('JSON without keywords of JSON-LD, JSON Lines and TSV are tables, on narrow screens too', async () => {
    const page = await importPage('kinds', { width: 400, height: 800 });
    const row = { id: 1, name: 'Ann' };
    const tables = [
      file('one.json', JSON.stringify([row])),
      file('two.jsonl', JSON.stringify({ ...row, id: 2 })),
      file('three.tsv', 'id\tname\n3\tAnn\n'),
    ];
    await choose(page, file('four.json', '{"@id": "urn:4", "http://xmlns.com/foaf/0.1/name": "Ann"}'), ...tables);
    await soon(() => entry(page, 'four.json').innerText()).toContain('completed');
    await soon(() => page.locator('.mapping .cm-content').count()).toBe(3);
    await soon(() => rows(page).count()).toBe(9);
    expect(await sideways(page)).toBe(0);
    for (const { name } of tables) {
      const own = card(page, name);
      await own.getByRole('textbox', { name: 'Mapping' }).click();
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.insertText(MAPPING);
      await soon(() => own.locator('tbody tr').count()).toBe(1);
      await own.getByRole('button', { name: 'Import the table' }).click();
      await soon(() => entry(page, name).innerText()).toContain('completed');
    }
    const name = '<http://xmlns.com/foaf/0.1/name>';
    expect(await lines('kinds')).toEqual([1, 2, 3, 4].map((id) => `<urn:${String(id)}> ${name} "Ann" .`));
  });

  test('a row that is wrong fails the import, which is tried again or cleared', async () => {
    const page = await importPage('rows');
    const many = Array.from({ length: 20_000 }, (_, i) => `${String(i)},Ann,\n`).join('');
    await choose(page, file('long.csv', `id,name,born\n${many}1,2\n`));
    await page.getByText('The first 50 statements').waitFor();
    await page.getByRole('button', { name: 'Import the table' }).click();
    await soon(() => entry(page, 'long.csv').innerText()).toMatch(
      /failed[^]*row 20001: the row has 2 cells, and the table has 3 columns/,
    );
    expect(await entry(page, 'long.csv').getByRole('button').allInnerTexts()).toEqual(['Try again']);
    expect((await (await scene.database.repository('demo/rows')).revision()).number).toBe(1);
  });
});
