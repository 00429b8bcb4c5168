/**
 * Documents as the web has them, by the library, the command, a server and the store of a page: without network where the contexts are given,
 * and from a server of the test.
 */
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serve } from '@quadrille/server';
import { createGuardedFetch } from '@quadrille/fetch';
import {
  type Database,
  fetchedContexts,
  formats,
  open,
  type OpenOptions,
  type ReadView,
  type Repository,
} from 'quadrille';
import { registerExtraFormats } from '@quadrille/formats-extra';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { quadrille } from '../../packages/cli/src/testing/command.js';
import { bundlePages } from '../browser/bundle.js';
import { CHROMIUM, launch, serve as serveFiles, WITHOUT_CHROMIUM } from '../browser/chromium.js';
import { CONTEXTS } from './contexts.js';
import { DOCUMENTS, type WebDocument } from './documents.js';

const BASE = 'https://here.example/page';
const TYPES = { jsonld: 'application/ld+json', html: 'text/html' };

registerExtraFormats(formats);

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'quadrille-json-ld-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

async function stored(options: OpenOptions = {}): Promise<{ db: Database; repo: Repository }> {
  const db = await open(':memory:', options);
  onTestFinished(() => db.close());
  return { db, repo: await db.repository('default/default', { create: true }) };
}

/** Whatever the labels of its blank nodes. */
const withoutLabels = (text: string): string => text.replaceAll(/_:\S+/g, '_:b').split('\n').toSorted().join('\n');
const contentOf = async (repo: ReadView): Promise<string> =>
  withoutLabels((await repo.dump('application/n-quads').toArray()).join(''));

/** What the library makes of a document. */
async function expected({ text, format }: WebDocument): Promise<string> {
  const { repo } = await stored({ contexts: CONTEXTS });
  await repo.load({ text }, { format, baseIRI: BASE });
  return contentOf(repo);
}

/** Files of the documents and contexts, and the options of the command that name the latter. */
async function files(): Promise<{ documents: Map<WebDocument, string>; contexts: string[] }> {
  const documents = new Map<WebDocument, string>();
  for (const [i, document] of DOCUMENTS.entries()) {
    const file = join(directory, `${String(i)}.${document.format}`);
    await writeFile(file, document.text);
    documents.set(document, file);
  }
  const contexts: string[] = [];
  for (const [i, [address, context]] of Object.entries(CONTEXTS).entries()) {
    const file = join(directory, `context-${String(i)}.jsonld`);
    await writeFile(file, JSON.stringify(context));
    contexts.push('--context', `${address}=${file}`);
  }
  return { documents, contexts };
}

test('there are twenty', () => expect(DOCUMENTS).toHaveLength(20));

describe.each(DOCUMENTS.map((document) => [document.name, document] as const))('%s', (_, document) => {
  const { text, format, quads, dropped } = document;

  test('by the library, with contexts of objects; what is left out is told, and refused by safe', async () => {
    const { repo } = await stored({ contexts: CONTEXTS });
    const told: string[] = [];
    const onProblem = (problem: { kind: string; path?: string }): void => void told.push(problem.path!);
    const revision = await repo.load({ text }, { format, baseIRI: BASE, onProblem });
    expect([revision.added, told, revision.dropped?.count ?? 0]).toEqual([quads, dropped, dropped.length]);
    const safe = repo.load({ text }, { format, baseIRI: BASE, safe: true, replace: true });
    if (dropped.length === 0) expect((await safe).size).toBe(quads);
    else await expect(safe).rejects.toMatchObject({ code: 'RDF_SYNTAX' });
  });

  test('without contexts it is refused, and says what to give', async () => {
    const { repo } = await stored();
    await expect(repo.load({ text }, { format, baseIRI: BASE })).rejects.toMatchObject({ code: 'URL_NOT_ALLOWED' });
    expect(await repo.size()).toBe(0);
  });
});

test('by the command, from files and without network', { timeout: 300_000 }, async () => {
  const { documents, contexts } = await files();
  const store = join(directory, 'loaded');
  const load = ['load', store, ...documents.values(), '--replace', '--base', BASE, '--fetch', 'off'];
  expect(await quadrille(load)).toMatchObject({ stderr: expect.stringContaining('(URL_NOT_ALLOWED)') });
  const loaded = await quadrille([...load, ...contexts]);
  expect(loaded.code, loaded.stderr).toBe(0);
  const leftOut = [...documents].filter(([{ dropped }]) => dropped.length > 0);
  expect(loaded.stderr.split('\n').filter((line) => line !== '')).toEqual(
    leftOut.map(([{ dropped }, file]) =>
      expect.stringContaining(`${file}: ${String(dropped.length)} statement left out (first: ${dropped[0]!}: `),
    ),
  );
  const db = await open(store);
  const repo = await db.repository('default/default');
  for (const [i, document] of DOCUMENTS.entries())
    expect(await contentOf(repo.at(i + 2)), document.name).toBe(await expected(document));
  await db.close();
});

describe('over HTTP', () => {
  const post = (url: string, path: string, { text, format }: WebDocument, method = 'POST'): Promise<Response> =>
    fetch(`${url}/default/default/${path}`, { method, headers: { 'Content-Type': TYPES[format] }, body: text });

  test('to a server with given contexts, in every way in which documents come', { timeout: 300_000 }, async () => {
    let database: Database | undefined;
    const served = await serve(':memory:', {
      port: 0,
      open: true,
      store: { workers: 0, contexts: CONTEXTS },
      whenOpen: async (service) => {
        ({ database } = service);
        await database.repository('default/default', { create: true });
      },
    });
    onTestFinished(async () => void (await served.close(0)));
    const base = encodeURIComponent(BASE);
    const repo = await database!.repository('default/default');
    for (const document of DOCUMENTS) {
      const put = await post(served.url, `statements?baseURI=${base}`, document, 'PUT');
      expect([put.status, await put.text()], document.name).toEqual([204, '']);
      expect(await contentOf(repo), document.name).toBe(await expected(document));
      // Several graphs, and the parts of a transaction, go by a store in memory.
      for (const [path, method] of [
        [`statements?baseURI=${base}&context=urn:g&context=urn:h`, 'PUT'],
        [`rdf-graphs/service?graph=urn:g&baseURI=${base}`, 'PATCH'],
      ] as const) {
        const answer = await post(served.url, path, document, method);
        expect([answer.status, await answer.text()], `${document.name} ${path}`).toEqual([204, '']);
      }
    }
  });

  test('to a server of the command', { timeout: 300_000 }, async () => {
    const { contexts } = await files();
    const { start } = await import('../../packages/cli/src/testing/command.js');
    const store = join(directory, 'served');
    const child = start(['serve', store, '--port', '0', '--open', '--json', '--fetch', 'off', ...contexts]);
    onTestFinished(() => void child.kill('SIGKILL'));
    const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
    const { url } = JSON.parse(line) as { url: string };
    for (const document of DOCUMENTS) {
      const put = await post(url, `statements?baseURI=${encodeURIComponent(BASE)}`, document, 'PUT');
      expect([put.status, await put.text()], document.name).toEqual([204, '']);
      expect(await (await fetch(`${url}/default/default/size`)).text(), document.name).toBe(String(document.quads));
    }
  });
});

describe('with contexts from a server of the test', () => {
  let host: Server;
  let root: string;
  const requests: string[] = [];
  beforeAll(async () => {
    host = createServer(({ url = '' }, response) => {
      requests.push(url);
      const context = Object.entries(CONTEXTS).find(([address]) => address === `https:/${url}`);
      response.writeHead(context === undefined ? 404 : 200, { 'Content-Type': 'application/ld+json' });
      response.end(JSON.stringify(context?.[1]));
    }).listen(0, '127.0.0.1');
    await once(host, 'listening');
    root = `http://127.0.0.1:${String((host.address() as AddressInfo).port)}`;
  });
  afterAll(() => host.close());
  beforeEach(() => requests.splice(0));

  /** The document with the contexts of that server. */
  const moved = ({ text }: WebDocument): string =>
    text.replaceAll(
      /("@context":\[?)"https?:\/\/(schema\.org|www\.w3\.org)(\/[^"]*|)"/g,
      (_, before: string, name: string, path: string) => `${before}"${root}/${name}${path === '' ? '/' : path}"`,
    );

  test.each(DOCUMENTS.map((document) => [document.name, document] as const))('%s', async (_, document) => {
    const { repo } = await stored();
    const options = { format: document.format, baseIRI: BASE } as const;
    const refused = fetchedContexts(createGuardedFetch({ mode: 'public' }));
    await expect(repo.load({ text: moved(document) }, { ...options, loadDocument: refused })).rejects.toMatchObject({
      code: 'BLOCKED_ADDRESS',
    });
    expect(requests).toEqual([]);
    const loadDocument = fetchedContexts(createGuardedFetch({ mode: 'all' }));
    await repo.load({ text: moved(document) }, { ...options, loadDocument });
    expect(await contentOf(repo)).toBe(await expected(document));
    expect(requests.length).toBeGreaterThan(0);
  });
});

// Functions given to evaluate() run in a page.
declare const page: typeof import('quadrille') & { readonly register: () => void };

describe.skipIf(CHROMIUM === undefined)(`in the store of a page${WITHOUT_CHROMIUM}`, () => {
  test('without network', { timeout: 300_000 }, async () => {
    const contents = `
      import * as quadrille from 'quadrille';
      import { registerExtraFormats } from '@quadrille/formats-extra';
      globalThis.page = { ...quadrille, register: () => registerExtraFormats(quadrille.formats) };`;
    const stdin = { contents, resolveDir: join(import.meta.dirname, '../browser'), sourcefile: 'page.js' };
    const { files: bundled } = await bundlePages([], { stdin });
    const site = await serveFiles(new Map([...bundled].map(([name, bytes]) => [name.replace('stdin', 'page'), bytes])));
    onTestFinished(() => site.close());
    const browser = await launch(join(directory, 'profile'));
    onTestFinished(() => browser.close());
    const tab = await browser.newPage();
    await tab.goto(`${site.url}/page.html`);
    await tab.waitForFunction(() => 'page' in globalThis);
    const found = await tab.evaluate(
      async ([documents, contexts, baseIRI]) => {
        page.register();
        const contents: string[] = [];
        for (const [i, { text, format }] of documents.entries()) {
          const db = await page.open(`store-${String(i)}`, { contexts });
          const repo = await db.repository('default/default', { create: true });
          await repo.load({ text }, { format, baseIRI });
          contents.push((await repo.dump('application/n-quads').toArray()).join(''));
          await db.close();
        }
        return contents;
      },
      [DOCUMENTS, CONTEXTS, BASE] as const,
    );
    for (const [i, document] of DOCUMENTS.entries())
      expect(withoutLabels(found[i]!), document.name).toBe(await expected(document));
  });
});
