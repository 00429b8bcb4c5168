/**
 * Types queries into the editor of the workbench, key by key, in a real Chromium: at several speeds, with the whole processor and with a quarter of it.
 * Counts the queries that the editor and the page do not have as they were typed, and ends with 1 if there are any. Needs a build:
 * `node test/workbench/typing.mjs [queries] [seed]`.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHandler, serveNode } from '@quadrille/server';
import { openService } from '@quadrille/server/host';
import { files } from '@quadrille/workbench';
import { chromium } from 'playwright-core';
import { open } from 'quadrille';

const [queries = 200, seed = 1] = process.argv.slice(2).map(Number);
const SOLAR = 'demo/solar-system';
const DATA = join(import.meta.dirname, '../../examples/data/solar-system-2015.ttl');
const PAUSES_MS = [10, 30, 80, 150];
const SLOWER = [1, 4];

let state = seed;
/** A number below a limit, by mulberry32. */
function below(limit) {
  state = (state + 0x6d2b79f5) | 0;
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
}
const one = (list) => list[below(list.length)];

const VARIABLES = ['p', 'planet', 'name', 'n', 'x1', 'moon', 'radius_km'];
const PROPERTIES = ['a', 'sol:moon', 'rdfs:label', 'sol:meanRadiusKm', '<http://example.org/p>', 'skos:broader+'];
const OBJECTS = ['sol:Planet', '"Jupiter"@en', '42', '25350.5', 'true', '<urn:x>', "'it'"];

/** A query in one or several lines. Each bracket is closed in its line: the editor closes the others by itself. */
function queryOf() {
  const [s, o] = [one(VARIABLES), one(VARIABLES)];
  const pattern = `?${s} ${one(PROPERTIES)} ${below(2) === 0 ? `?${o}` : one(OBJECTS)}`;
  const filter = one(['', ` FILTER(?${s} != ?${o})`, ` OPTIONAL { ?${o} sol:moon ?m }`, ` BIND(STR(?${s}) AS ?text)`]);
  const parts = [
    one(['', '# What are these, by name? Not the others.', 'PREFIX ex: <http://example.org/>']),
    `SELECT ${one(['*', `?${s} ?${o}`, `DISTINCT ?${s}`, `(COUNT(?${s}) AS ?count)`])}`,
    `WHERE { ${pattern} .${filter} }`,
    one(['', `ORDER BY DESC(?${s})`, `GROUP BY ?${s}`]),
    one(['', 'LIMIT 10', 'OFFSET 3']),
  ].filter((part) => part !== '');
  // A comment and a prefix end with their line.
  const glue = below(2) === 0 || parts[0].startsWith('#') ? '\n' : ' ';
  return parts.join(glue);
}

const folder = await mkdtemp(join(tmpdir(), 'quadrille-typing-'));
const database = await open(join(folder, 'store'), { durability: 'process' });
const repository = await database.repository(SOLAR, { create: true });
await repository.namespaces.set('sol', 'http://example.org/solar-system/');
await repository.load(DATA);
const service = await openService(database, { open: true, rateLimit: false });
const server = await serveNode(createHandler({ service, pages: files() }), { port: 0 });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
});

const shownText = (page) =>
  page.evaluate(() => {
    const lines = document.querySelector('.editor')?.shadowRoot?.querySelectorAll('.cm-line') ?? [];
    return [...lines].map((line) => line.textContent).join('\n');
  });
const keptText = (page) =>
  page.evaluate((name) => {
    const tabs = JSON.parse(localStorage.getItem('quadrille.tabs') ?? '{}')[name];
    return tabs?.list.find(({ id }) => id === tabs.active)?.text;
  }, SOLAR);

async function typed(pauseMs, slower, list) {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
  await page.goto(`${server.url}/#/${SOLAR}/query`);
  await page.getByRole('textbox', { name: 'SPARQL query' }).waitFor();
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: slower });
  let [wrong, keys] = [0, 0];
  for (const query of list) {
    await page.getByRole('textbox', { name: 'SPARQL query' }).click();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.press('Delete');
    await page.keyboard.type(query, { delay: pauseMs });
    keys += query.length;
    const [shown, kept] = [await shownText(page), await keptText(page)];
    if (shown === query && kept === query) continue;
    wrong++;
    console.log(JSON.stringify({ pauseMs, slower, query, shown, kept }));
  }
  await page.context().close();
  console.log(`${pauseMs} ms, processor 1/${slower}: ${list.length} queries, ${keys} keys, ${wrong} wrong`);
  return { wrong, keys };
}

try {
  const all = Array.from({ length: queries }, queryOf);
  const settings = SLOWER.flatMap((slower) => PAUSES_MS.map((pauseMs) => [pauseMs, slower]));
  let [wrong, keys] = [0, 0];
  // A page for each speed: most of the time nobody presses a key.
  await Promise.all(
    PAUSES_MS.map(async (wanted) => {
      for (const [index, [pauseMs, slower]] of settings.entries()) {
        if (pauseMs !== wanted) continue;
        const list = all.filter((_, place) => place % settings.length === index);
        const found = await typed(pauseMs, slower, list);
        wrong += found.wrong;
        keys += found.keys;
      }
    }),
  );
  console.log(`seed ${seed}: ${queries} queries, ${keys} keys, ${wrong} queries with a letter lost or misplaced`);
  process.exitCode = wrong === 0 ? 0 : 1;
} finally {
  await browser.close();
  await server.close(100);
  await service.close();
  await database.close();
  await rm(folder, { recursive: true, force: true });
}
