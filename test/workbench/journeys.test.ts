/** What users do from end to end: downloads, shared links, tokens that end, lost races, hostile terms on every page, and all of it by keyboard. */
import type { Download, Page, Route } from 'playwright-core';
import { iri, literal, quad } from 'quadrille';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { CHROMIUM, WITHOUT_CHROMIUM } from '../browser/chromium.js';
import { ask, openScene, type Scene, SOLAR, soon, summary, type, violations } from './scene.js';

async function bytesOf(download: Download): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks).toString('base64');
}

const SELECT = 'SELECT ?planet ?name { ?planet a sol:Planet ; rdfs:label ?name } ORDER BY ?name ?planet';
const CONSTRUCT = 'CONSTRUCT { ?planet rdfs:label ?name } { ?planet a sol:Planet ; rdfs:label ?name }';
const RESULTS = {
  CSV: 'text/csv',
  TSV: 'text/tab-separated-values',
  'SPARQL JSON': 'application/sparql-results+json',
  'SPARQL XML': 'application/sparql-results+xml',
  JSON: 'application/json',
};
const GRAPHS = {
  Turtle: 'text/turtle',
  TriG: 'application/trig',
  'N-Triples': 'application/n-triples',
  'N-Quads': 'application/n-quads',
  'RDF/XML': 'application/rdf+xml',
  'JSON-LD': 'application/ld+json',
  'RDF/JSON': 'application/rdf+json',
  TriX: 'application/trix',
  N3: 'text/n3',
  TSV: 'text/tab-separated-values',
};

describe.skipIf(CHROMIUM === undefined)(`journeys in the workbench${WITHOUT_CHROMIUM}`, () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await openScene();
  });
  afterEach(() => scene.check());
  afterAll(() => scene.close());

  test.each([
    ['SELECT', SELECT, RESULTS],
    ['CONSTRUCT', CONSTRUCT, GRAPHS],
    ['ASK', 'ASK { ?s a sol:Planet }', { ...RESULTS, Text: 'text/boolean' }],
  ])('downloads of %s in each format are what the server says, at an old revision', async (_, query, formats) => {
    const page = await scene.page(`${SOLAR}/query?at=4&q=${encodeURIComponent(query)}`);
    await soon(() => summary(page)).toMatch(/revision 4$/);
    const button = page.getByRole('button', { name: 'Download' });
    await button.click();
    await soon(() => page.getByRole('menuitem').allInnerTexts()).toEqual(Object.keys(formats));
    await page.keyboard.press('Escape');
    for (const [name, accept] of Object.entries(formats)) {
      await button.click();
      const item = page.getByRole('menuitem', { name, exact: true });
      const [download] = await Promise.all([page.waitForEvent('download'), item.click()]);
      const plain = await fetch(`${scene.server.url}/${SOLAR}/sparql?revision-id=%234`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/sparql-query', Accept: accept },
        body: query,
      });
      expect([name, await bytesOf(download)]).toEqual([
        name,
        Buffer.from(await plain.arrayBuffer()).toString('base64'),
      ]);
    }
  });

  test('a shared link leads to the same answer in a fresh profile', async () => {
    const page = await scene.page(`${SOLAR}/query?at=5`);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await ask(page, SELECT);
    await soon(() => summary(page)).toMatch(/revision 5$/);
    await page.getByRole('tab', { name: 'Raw' }).click();
    await page.getByRole('button', { name: 'Share' }).click();
    const link = await soonText(page);
    const fresh = await scene.page('');
    await fresh.goto(link);
    await soon(() => summary(fresh)).toMatch(/revision 5$/);
    const raw = (each: Page): Promise<string> => each.locator('pre.raw').innerText();
    await soon(() => raw(fresh)).toContain('sol');
    expect(await raw(fresh)).toBe(await raw(page));
  });

  const soonText = async (page: Page): Promise<string> => {
    await soon(() => page.evaluate(() => navigator.clipboard.readText())).toContain('#/demo/solar-system/query');
    return page.evaluate(() => navigator.clipboard.readText());
  };

  test('a lost race: the dialog of a revert shows what came between, and goes on after it', async () => {
    const page = await scene.page(`${SOLAR}/history`);
    const repository = await scene.database.repository(SOLAR);
    const before = (await repository.at('HEAD').revision()).number;
    await page.locator('.log-entry').nth(2).getByRole('button', { name: 'Revert' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.locator('.change').first().waitFor();
    await dialog.getByLabel('Message of the revision').fill('my reason');
    await repository.update('INSERT DATA { <urn:race> <urn:p> 1 }', { message: 'came first' });
    await dialog.getByRole('button', { name: 'Revert' }).click();
    await soon(() => dialog.getByRole('alert').innerText()).toContain('1 revision of others came first');
    expect(await violations(page)).toEqual([]);
    const link = await dialog.getByRole('link', { name: 'Show what came between' }).getAttribute('href');
    expect(link).toContain(`from=${String(before)}&to=${String(before + 1)}`);
    expect(await dialog.getByLabel('Message of the revision').inputValue()).toBe('my reason');
    await dialog.getByRole('button', { name: 'Revert' }).click();
    await soon(() => page.locator('.log-entry').first().innerText()).toContain('my reason');
    expect((await repository.at('HEAD').revision()).number).toBe(before + 2);
  });

  test('hostile terms are text on every page that shows terms', async () => {
    const repository = await scene.database.repository('demo/hostile', { create: true });
    const script = iri('javascript:alert(1)');
    const markup = iri('http://evil.example/%3Cimg%20src=x%20onerror=alert(1)%3E');
    const texts = [
      '<img src=x onerror=alert(1)>',
      '</script><script>alert(1)</script>',
      '\u202eevil\u2066',
      '\'"><svg onload=alert(1)>',
    ];
    const labels = texts.map((text) => quad(markup, iri('http://www.w3.org/2000/01/rdf-schema#label'), literal(text)));
    const type = iri('http://www.w3.org/1999/02/22-rdf-syntax-ns#type');
    await repository.add(
      [...labels, quad(markup, type, script), quad(script, script, markup), quad(markup, script, script, script)],
      {
        message: texts[0]!,
        author: texts[1]!,
      },
    );
    await repository.tags.set('evil', await repository.at('HEAD').revision());
    const address = encodeURIComponent('http://evil.example/%3Cimg%20src=x%20onerror=alert(1)%3E');
    const all = encodeURIComponent('SELECT * { { ?s ?p ?o } UNION { GRAPH ?g { ?s ?p ?o } } }');
    const page = await scene.page('');
    for (const [path, content] of [
      [`query?q=${all}`, '[role=gridcell] .term'],
      [`query?view=changes&compare=1&q=${all}`, '.changed-rows .term'],
      [`query?view=graph&q=${all}`, '.graph-canvas canvas'],
      ['history', '.log-entry'],
      ['history/compare?from=1&to=2', '.change'],
      [`resource?iri=${address}&origin=1`, '.origin'],
      [`resource?iri=${address}&view=incoming`, '.value-group'],
      [`resource?iri=${address}&view=history`, '.change'],
      ['overview', '.counted li'],
    ] as const) {
      await page.goto(`${scene.server.url}/#/demo/hostile/${path}`);
      await page.locator(content).first().waitFor();
      const found = page.locator('main img, main script, main svg[onload], main a[href^="javascript" i], main iframe');
      expect([path, await found.count()]).toEqual([path, 0]);
      const outside = await page
        .locator('main a[target]')
        .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).protocol));
      expect(outside.filter((protocol) => !/^https?:$/.test(protocol))).toEqual([]);
    }
  });

  test('by keyboard alone: a repository, a query, a range of cells, the plan, an old revision, a difference, a resource', async () => {
    const page = await scene.page('');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('link', { name: /solar-system/ }).waitFor();
    await tabTo(page, /solar-system/);
    await page.keyboard.press('Enter');
    await soon(() => summary(page)).toMatch(/^\d+ rows · /);
    await tabTo(page, /SPARQL query/);
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText(SELECT);
    await page.keyboard.press('ControlOrMeta+Enter');
    await page.getByRole('gridcell', { name: 'Jupiter' }).first().waitFor();
    await soon(() => summary(page)).toMatch(/^\d+ rows · /);
    await page.keyboard.press('Escape');
    await tabTo(page, /^sol:/);
    for (const key of ['ArrowDown', 'Shift+ArrowDown', 'Shift+ArrowRight', 'Control+c']) await page.keyboard.press(key);
    await soon(() => page.evaluate(() => navigator.clipboard.readText())).toMatch(
      /^<[^\t]+>\t"[^\n]+\n<[^\t]+>\t"[^\n]+$/,
    );
    expect(await page.locator('[role=gridcell][aria-selected=true]').count()).toBe(4);
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Enter');
    await soon(() => page.url()).toContain('/resource?iri=');
    await page.goBack();
    await soon(() => summary(page)).toMatch(/^\d+ rows/);
    await tabTo(page, /^Explain$/);
    await page.keyboard.press('Enter');
    const tree = page.getByRole('tree', { name: 'Query plan' });
    await tree.waitFor();
    await tabTo(page, /^project|^slice|^sort/);
    const items = await tree.getByRole('treeitem').count();
    await page.keyboard.press('ArrowLeft');
    await soon(() => tree.getByRole('treeitem').count()).toBe(1);
    await page.keyboard.press('ArrowRight');
    await soon(() => tree.getByRole('treeitem').count()).toBe(items);
    await page.keyboard.press('ArrowDown');
    await soon(() => page.evaluate(() => document.activeElement?.getAttribute('aria-level'))).toBe('2');
    await page.keyboard.press('[');
    await soon(() => page.url()).toContain('at=');
    await tabTo(page, /^Back to current$/);
    await page.keyboard.press('Enter');
    await soon(() => page.url()).not.toContain('at=');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Revision');
    await page.keyboard.press('g');
    await page.keyboard.press('h');
    await page.locator('.log-entry').first().waitFor();
    await tabTo(page, /^Show changes$/);
    await page.keyboard.press('Enter');
    await page.getByTestId('diff-summary').waitFor();
  });

  test('the editor: a prefix is declared when it is completed, a name shows what it stands for, and the text is laid out', async () => {
    const page = await scene.page(`${SOLAR}/query`);
    await soon(() => page.locator('.cm-content').count()).toBe(1);
    await type(page, 'select ?name where { ?p a sol:Planet . ?p sk');
    const editor = page.getByRole('textbox', { name: 'SPARQL query' });
    await page.locator('.cm-tooltip-autocomplete li[aria-selected=true]').waitFor();
    // The editor takes no key for a list that has just appeared: 75 ms, and longer while the processor is busy.
    await page.waitForTimeout(300);
    await page.keyboard.press('Enter');
    await soon(() => editor.innerText()).toContain('PREFIX skos: <http://www.w3.org/2004/02/skos/core#>');
    await page.keyboard.insertText('prefLabel ?name }');
    await page.keyboard.press('Shift+Alt+F');
    await soon(() => editor.innerText()).toContain(
      'SELECT ?name WHERE {\n  ?p a sol:Planet .\n  ?p skos:prefLabel ?name\n}',
    );
    await page.locator('.cm-line', { hasText: 'sol:Planet' }).locator('span', { hasText: 'sol:Planet' }).last().hover();
    await soon(() => page.locator('.cm-hover-term').innerText()).toContain('<http://example.org/solar-system/Planet>');
    expect(await violations(page)).toEqual([]);
  });

  test('a tab is renamed; dialogs can be used by everybody, and give the focus back', async () => {
    const page = await scene.page(`${SOLAR}/query`);
    await soon(() => summary(page)).toMatch(/^\d+ rows · /);
    await page.locator('.query-tab').focus();
    await page.keyboard.press('F2');
    const dialog = page.getByRole('dialog', { name: 'Rename query' });
    await dialog.getByLabel('Name of this query').fill('Things <by> class');
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await soon(() => page.locator('.query-tab').innerText()).toContain('Things <by> class');
    expect(await page.evaluate(() => document.activeElement?.className)).toContain('query-tab');
    for (const name of ['Save', 'Keyboard shortcuts']) {
      const button = page.getByRole('button', { name, exact: true });
      await button.focus();
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').waitFor();
      expect([name, await violations(page)]).toEqual([name, []]);
      await page.keyboard.press('Escape');
      await soon(() => page.getByRole('dialog').count()).toBe(0);
      expect([name, await button.evaluate((element) => element === document.activeElement)]).toEqual([name, true]);
    }
  });
});

/** Presses Tab until what has the focus is called so. The focus is never lost on the way, and can be seen. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let n = 0; n < 80; n++) {
    const { text, seen } = await page.evaluate(() => {
      let element = document.activeElement;
      while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
      const label = element?.getAttribute('aria-label') ?? element?.textContent ?? '';
      const box = element?.getBoundingClientRect();
      const outline = element === null ? '' : getComputedStyle(element).outlineStyle;
      // The editor and the field of files show it by their frames.
      const framed = element?.matches('.cm-content, main, body, [role=treeitem]') ?? false;
      return {
        text: label.trim() || (element?.outerHTML.slice(0, 80) ?? ''),
        seen: framed || (outline !== 'none' && (box?.width ?? 0) > 0),
      };
    });
    if (n > 0) expect([text, seen]).toEqual([text, true]);
    if (n > 0 && name.test(text)) return;
    // In the editor Tab indents, but after Escape.
    if (text === 'SPARQL query') await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not lead to ${String(name)}`);
}

describe.skipIf(CHROMIUM === undefined)(`tokens in the workbench${WITHOUT_CHROMIUM}`, () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await openScene({ asks: true });
  });
  afterEach(() => scene.check());
  afterAll(() => scene.close());

  test('a token that ends in the middle: the dialog comes over the page, and the query goes on after it', async () => {
    const first = await scene.service.tokens.create('demo');
    const page = await scene.page(`${SOLAR}/query`, { token: first.text });
    await soon(() => summary(page)).toMatch(/^7 rows/);
    await type(page, 'SELECT ?planet { ?planet a sol:Planet }');
    // The feed is refused as well: before the keys were pressed, its dialog would take them.
    await page.route(
      /\/sparql/,
      async (route) => {
        await scene.service.tokens.revokeAll('demo');
        await route.continue();
      },
      { times: 1 },
    );
    await page.keyboard.press('ControlOrMeta+Enter');
    const dialog = page.getByRole('dialog', { name: 'Sign in' });
    await dialog.waitFor();
    expect(await violations(page)).toEqual([]);
    await dialog.getByLabel('Token').fill((await scene.service.tokens.create('demo')).text);
    await page.keyboard.press('Enter');
    await soon(() => summary(page)).toMatch(/^8 rows/);
  });

  test('a query that hears of the end of its token when its user has signed in again goes on, without a second dialog', async () => {
    const first = await scene.service.tokens.create('demo');
    const page = await scene.page(`${SOLAR}/query`, { token: first.text });
    await soon(() => summary(page)).toMatch(/^7 rows/);
    await type(page, 'SELECT ?planet { ?planet a sol:Planet }');
    let signIn!: () => void;
    const signedIn = new Promise<void>((resolve) => (signIn = resolve));
    const held = async (route: Route): Promise<void> => {
      await scene.service.tokens.revokeAll('demo');
      await signedIn;
      await route.continue();
    };
    await page.route(/\/sparql/, held, { times: 1 });
    await page.keyboard.press('ControlOrMeta+Enter');
    // The feed has heard of it.
    const dialog = page.getByRole('dialog', { name: 'Sign in' });
    await dialog.waitFor();
    await dialog.getByLabel('Token').fill((await scene.service.tokens.create('demo')).text);
    await page.keyboard.press('Enter');
    await soon(() => dialog.count()).toBe(0);
    signIn();
    await soon(() => summary(page)).toMatch(/^8 rows/);
    expect(await dialog.count()).toBe(0);
  });

  test('a token that may only read: queries work, and what writes is refused where it was asked', async () => {
    const { text } = await scene.service.tokens.create('demo', { readOnly: true });
    const page = await scene.page(`${SOLAR}/query`, { token: text });
    await soon(() => summary(page)).toMatch(/^7 rows/);
    await ask(page, 'INSERT DATA { sol:Vulcan a sol:Planet }');
    await page.getByRole('dialog').getByRole('button', { name: 'Run update' }).click();
    await soon(() => page.locator('.results').getByRole('alert').innerText()).toContain('FORBIDDEN');
    expect(await page.getByRole('textbox', { name: 'SPARQL query' }).innerText()).toContain('sol:Vulcan');
    await page.goto(`${scene.server.url}/#/`);
    await page.locator('.card').waitFor();
    expect(await page.getByRole('button', { name: 'New repository' }).count()).toBe(0);
  });
});
