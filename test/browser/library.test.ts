/**
 * The library in pages of a real Chromium: SPARQL, history and RDF/JS over IndexedDB; what stays over a reload, the death of the
 * browser, a full disk; two tabs. Asks for the built packages: `npm run build`.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundlePages } from './bundle.js';
import type { Bundle } from './bundle.js';
import { CHROMIUM, launch, serve, WITHOUT_CHROMIUM } from './chromium.js';
import type { Site } from './chromium.js';
import type { Library } from './pages/library.js';

// Functions given to evaluate() run in a page.
declare const quadrille: Library;

const utf8 = new TextEncoder();
const SOLAR_SYSTEM = join(import.meta.dirname, '../../examples/data');
const RESULTS = {
  head: { vars: ['label'] },
  results: { bindings: [{ label: { type: 'literal', value: 'from elsewhere' } }] },
};

describe.skipIf(CHROMIUM === undefined)(`the library in Chromium${WITHOUT_CHROMIUM}`, () => {
  let profile: string;
  let files: Bundle['files'];
  let site: Site;
  let browser: BrowserContext;

  const openTab = async (url = site.url): Promise<Page> => {
    const page = await browser.newPage();
    await page.goto(`${url}/library.html`);
    await page.waitForFunction(() => 'quadrille' in globalThis);
    return page;
  };

  beforeAll(async () => {
    profile = await mkdtemp(join(tmpdir(), 'quadrille-chromium-'));
    ({ files } = await bundlePages([join(import.meta.dirname, 'pages/library.ts')]));
    const old = await readFile(join(SOLAR_SYSTEM, 'solar-system-1930.ttl'));
    const now = await readFile(join(SOLAR_SYSTEM, 'solar-system-2015.ttl'));
    site = await serve(
      new Map([
        ...files,
        ['1930.ttl', old],
        ['2015.ttl.gz', gzipSync(now)],
        ['2015.ttl', now],
        ['answer.srj', utf8.encode(JSON.stringify(RESULTS))],
      ]),
    );
    browser = await launch(profile);
  });

  afterAll(async () => {
    await browser?.close();
    await site?.close();
    await rm(profile, { recursive: true, force: true });
  });

  test('loads, SPARQL and history; all of it is there after a reload', async () => {
    const page = await openTab();
    const first = await page.evaluate(async () => {
      const db = await quadrille.open('solar-system');
      const repo = await db.repository('examples/solar-system', { create: true });
      await repo.namespaces.set('s', 'http://example.org/solar-system/');
      const load = async (file: string, format: string) =>
        (await repo.load((await fetch(file)).body!, { format, replace: true, message: file })).number;
      const numbers = [await load('1930.ttl', 'ttl'), await load('2015.ttl.gz', 'ttl')];
      const planets = 'SELECT (COUNT(*) AS ?n) { ?planet a s:Planet }';
      const count = async (view: Pick<typeof repo, 'select'>) => (await view.select(planets).first())?.['n']?.value;
      const { number, added } = await repo.update('INSERT DATA { s:Vulcan a s:Planet ; s:note "hypothetical"@en }');
      const answer = {
        numbers: [...numbers, number],
        added,
        counts: [await count(repo), await count(repo.at(2)), await count(repo.at('HEAD~1'))],
        ask: await repo.ask('ASK { s:Vulcan s:note ?note FILTER(lang(?note) = "en" && regex(?note, "^hypo")) }'),
        construct: (await repo.construct('CONSTRUCT { ?p a s:Body } WHERE { ?p a s:Planet }').toArray()).length,
        paths: (await repo.select('SELECT DISTINCT ?x { s:Vulcan a/^a ?x }').toArray()).length,
        verified: (await db.verify()).ok,
        size: (await repo.quads().toArray()).length,
      };
      await db.close();
      return answer;
    });
    expect(first).toMatchObject({ numbers: [2, 3, 4], added: 2, counts: ['9', '9', '8'], ask: true, verified: true });
    expect([first.construct, first.paths]).toEqual([9, 9]);

    await page.reload();
    await page.waitForFunction(() => 'quadrille' in globalThis);
    const second = await page.evaluate(async () => {
      const db = await quadrille.open('solar-system', { create: false });
      const repo = await db.repository('examples/solar-system');
      const log = (await repo.log().toArray()).map(({ number, message }) => [number, message]);
      const changes = (await repo.diff(3, 4).toArray()).map(({ op, quad }) => `${op} ${quad.object.value}`);
      const size = (await repo.quads().toArray()).length;
      const undone = await repo.revert(4);
      const vulcan = await repo.ask('ASK { s:Vulcan ?p ?o }');
      await db.close();
      return { log, changes: changes.sort(), size, undone: undone.removed, vulcan };
    });
    expect(second.log).toEqual([
      [4, undefined],
      [3, '2015.ttl.gz'],
      [2, '1930.ttl'],
      [1, undefined],
    ]);
    expect(second).toMatchObject({ size: first.size, undone: 2, vulcan: false });
    expect(second.changes).toEqual(['add http://example.org/solar-system/Planet', 'add hypothetical']);
    await page.close();
  });

  test('the nearest vectors, by the index of a store that is there after a reload', async () => {
    const page = await openTab();
    const first = await page.evaluate(async () => {
      const db = await quadrille.open('vectors');
      const repo = await db.repository('a/vectors', { create: true });
      const vectors = { sense: { property: 'urn:sense', dimension: 24 } };
      await repo.settings.set({ search: { vectors } });
      const text = (n: number): string => {
        const numbers = Float32Array.from({ length: 24 }, (_, i) => Math.sin(n * 37 + i * i));
        return btoa(String.fromCharCode(...new Uint8Array(numbers.buffer)));
      };
      const lines = Array.from(
        { length: 3000 },
        (_, n) => `<urn:s${n}> <urn:sense> "${text(n)}"^^<urn:quadrille:vector#float32> .`,
      );
      await repo.load({ text: lines.join('\n') }, { format: 'ntriples' });
      await repo.maintenance.compact();
      const problems = (await db.verify()).problems.length;
      await db.close();
      return { asked: text(1234), problems };
    });
    expect(first.problems).toBe(0);
    await page.reload();
    await page.waitForFunction(() => 'quadrille' in globalThis);
    const found = await page.evaluate(async (asked) => {
      const db = await quadrille.open('vectors', { create: false });
      const repo = await db.repository('a/vectors');
      const ask = `SELECT ?s ?score { (?s ?score) <urn:quadrille:vector#nearest> ("sense" "${asked}"^^<urn:quadrille:vector#float32> 3) }`;
      const rows = await repo.select(ask).toArray();
      await db.close();
      return rows.map(({ s, score }) => [s!.value, Number(score!.value)] as const);
    }, first.asked);
    expect(found).toHaveLength(3);
    expect(found[0]).toEqual(['urn:s1234', 1]);
    await page.close();
  });

  test('vectors that a function makes of texts', async () => {
    const page = await openTab();
    const found = await page.evaluate(async () => {
      const vectorOf = (text: string): number[] => Array.from({ length: 8 }, (_, i) => Math.cos(text.length * (i + 1)));
      const db = await quadrille.open('embedded', { embed: (texts) => texts.map(vectorOf) });
      const repo = await db.repository('a/embedded', { create: true });
      const vectors = { sense: { property: 'urn:label', dimension: 8, embed: true as const } };
      await repo.settings.set({ search: { vectors } });
      const lines = Array.from({ length: 90 }, (_, n) => `<urn:s${n}> <urn:label> "${'x'.repeat(n)}" .`);
      await repo.load({ text: lines.join('\n') }, { format: 'ntriples' });
      while ((await repo.settings.get()).search!.progress < 1) await new Promise((next) => setTimeout(next, 5));
      const numbers = new Uint8Array(Float32Array.from(vectorOf('x'.repeat(42))).buffer);
      const asked = btoa(String.fromCharCode(...numbers));
      const ask = `SELECT ?s { (?s ?score) <urn:quadrille:vector#nearest> ("sense" "${asked}"^^<urn:quadrille:vector#float32> 1) }`;
      const rows = await repo.select(ask).toArray();
      await db.close();
      return rows.map(({ s }) => s!.value);
    });
    expect(found).toEqual(['urn:s42']);
    await page.close();
  });

  test('RDF/JS streams, emitters and datasets without those of Node.js', async () => {
    const page = await openTab();
    const answer = await page.evaluate(async () => {
      const db = await quadrille.open(':memory:');
      const repo = await db.repository('a', { create: true });
      const { asStore, iri, quad } = quadrille;
      const quads = Array.from({ length: 3000 }, (_, i) => quad(iri(`x:s${i}`), iri('x:p'), iri('x:o')));
      await repo.add(quads);
      const gathered = await new Promise<number>((resolve, reject) => {
        let count = 0;
        asStore(repo)
          .match()
          .on('data', () => count++)
          .on('end', () => resolve(count))
          .on('error', reject);
      });
      let iterated = 0;
      for await (const item of asStore(repo).match() as unknown as AsyncIterable<{ subject: { value: string } }>) {
        if (item.subject.value === '') throw new Error('no subject');
        if (++iterated === 2500) break;
      }
      const stream = asStore(repo).match(iri('x:s7'));
      const read = await new Promise((resolve) => {
        stream.once('readable', () => {
          const got = [stream.read()?.subject.value, stream.read()];
          stream.on('end', () => resolve(got));
          stream.read();
        });
      });
      const said = (emitter: { on(event: string, listener: (value?: unknown) => void): unknown }) =>
        new Promise((resolve) => {
          emitter.on('end', () => resolve('end'));
          emitter.on('error', (error) => resolve((error as { code?: string }).code));
        });
      const copied = await said(asStore(await db.repository('b', { create: true })).import(asStore(repo).match()));
      const deleted = await said(asStore(repo).removeMatches(iri('x:s1')));
      const refused = await said(
        asStore(repo).import(
          (async function* () {
            yield { not: 'a quad' };
          })() as never,
        ),
      );
      const dataset = await asStore(await db.repository('b')).toDataset();
      const size = (await repo.quads().toArray()).length;
      const open = db.metrics?.();
      await db.close();
      return {
        gathered,
        iterated,
        read,
        copied,
        deleted,
        refused,
        dataset: dataset.size,
        size,
        open: open !== undefined,
      };
    });
    expect(answer).toMatchObject({
      gathered: 3000,
      iterated: 2500,
      read: ['x:s7', null],
      copied: 'end',
      deleted: 'end',
    });
    expect(answer).toMatchObject({ dataset: 3000, size: 2999 });
    expect(answer.refused).toMatch(/^INVALID_/);
    await page.close();
  });

  test('SERVICE and LOAD by the fetch of the page, within what federation allows', async () => {
    const page = await openTab();
    const answer = await page.evaluate(async (url) => {
      const codeOf = (work: Promise<unknown>) =>
        work.then(
          () => 'none',
          (error: { code?: string }) => error.code,
        );
      const db = await quadrille.open(':memory:', { federation: { service: [`${url}/answer.srj`], load: true } });
      const repo = await db.repository('a', { create: true });
      const ask = (path: string) =>
        repo.select(`SELECT ?label { SERVICE <${url}/${path}> { ?s ?p ?label } }`).toArray();
      const labels = (await ask('answer.srj')).map(({ label }) => label?.value);
      const { added } = await repo.update(`LOAD <${url}/2015.ttl>`);
      const codes = [
        await codeOf(ask('other.srj')),
        await codeOf(repo.update(`LOAD <${url}/none.ttl>`)),
        await codeOf(quadrille.open(':memory:', { federation: { allow: ['localhost'] } })),
      ];
      await db.close();
      return { labels, added, codes };
    }, site.url);
    expect(answer.labels).toEqual(['from elsewhere']);
    expect(answer.added).toBeGreaterThan(500);
    expect(answer.codes).toEqual(['BLOCKED_ADDRESS', 'SERVICE_FAILED', 'INVALID_OPTION']);
    await page.close();
  });

  test('one tab holds a store; another is told, waits for it, and reads what was committed', async () => {
    const [one, two] = [await openTab(), await openTab()];
    await one.evaluate(async () => {
      const db = await quadrille.open('tabs');
      await (await db.repository('a', { create: true })).update('INSERT DATA { <x:a> <x:b> 1 }');
      Object.assign(globalThis, { db });
    });
    const refused = await two.evaluate(async () => {
      const codeOf = (work: Promise<unknown>) =>
        work.then(
          () => 'none',
          ({ code, message }: { code?: string; message: string }) => [code, /another tab/.test(message)].join(),
        );
      return [
        await codeOf(quadrille.open('tabs')),
        await codeOf(quadrille.open('tabs', { lockTimeoutMs: 50 })),
        await codeOf(quadrille.open('tabs', { readOnly: true })),
        await codeOf(quadrille.deleteIndexedDb('tabs')),
      ];
    });
    expect(refused).toEqual(Array(4).fill('STORE_LOCKED,true'));

    const waiting = two.evaluate(async () => {
      const db = await quadrille.open('tabs', { lockTimeoutMs: 20_000 });
      const repo = await db.repository('a');
      const { number } = await repo.update('INSERT DATA { <x:a> <x:b> 2 }');
      const size = (await repo.quads().toArray()).length;
      await db.close();
      return { number, size };
    });
    // The tab is closed, not the store: the browser lets go of it.
    await one.close();
    expect(await waiting).toEqual({ number: 3, size: 2 });

    const rest = await two.evaluate(async () => {
      const codeOf = (work: Promise<unknown>) => work.then(String, ({ code }: { code?: string }) => code);
      const reader = await quadrille.open('tabs', { readOnly: true });
      const repo = await reader.repository('a');
      const answer = [
        await codeOf(repo.ask('ASK { ?s ?p 2 }')),
        await codeOf(repo.update('DELETE WHERE { ?s ?p ?o }')),
      ];
      await reader.close();
      await quadrille.deleteIndexedDb('tabs');
      return [...answer, await codeOf(quadrille.open('tabs', { create: false }))];
    });
    expect(rest).toEqual(['true', 'READ_ONLY', 'STORE_NOT_FOUND']);
    await two.close();
  });

  test('a commit is acknowledged after it is on the disk, unless the process is enough', async () => {
    const page = await openTab();
    const asked = await page.evaluate(async () => {
      const { transaction } = IDBDatabase.prototype;
      const writes = new Set<string>();
      IDBDatabase.prototype.transaction = function (names, mode, options) {
        if (mode === 'readwrite') writes.add(options?.durability ?? 'default');
        return transaction.call(this, names, mode, options);
      };
      const askedFor = async (durability: 'disk' | 'process') => {
        writes.clear();
        const db = await quadrille.open(`durability-${durability}`, { durability });
        const repo = await db.repository('a', { create: true });
        writes.clear();
        await repo.update('INSERT DATA { <x:a> <x:b> 1 }');
        const answer = [...writes];
        await db.close();
        return answer;
      };
      return { disk: await askedFor('disk'), process: await askedFor('process') };
    });
    expect(asked).toEqual({ disk: ['strict'], process: ['relaxed'] });
    await page.close();
  });

  test('what only Node.js has is refused by name', async () => {
    const page = await openTab();
    const codes = await page.evaluate(async () => {
      const codeOf = (work: Promise<unknown>) =>
        work.then(
          () => 'none',
          ({ code }: { code?: string }) => code,
        );
      const db = await quadrille.open(':memory:');
      const repo = await db.repository('a', { create: true });
      const answers = [
        await codeOf(quadrille.open('a', { backend: 'leveldb' })),
        await codeOf(repo.load('people.ttl')),
        await codeOf(quadrille.open('')),
      ];
      await db.close();
      return answers;
    });
    expect(codes).toEqual(['INVALID_OPTION', 'INVALID_OPTION', 'INVALID_OPTION']);
    await page.close();
  });

  test('where the browser grants no more space, STORAGE_FULL; what was committed stays', async () => {
    // An origin of its own: a browser does not take quotas away from one that has stored something.
    const origin = await serve(files);
    const page = await openTab(origin.url);
    const control = await browser.newCDPSession(page);
    await control.send('Storage.overrideQuotaForOrigin', { origin: origin.url, quotaSize: 3_000_000 });
    const answer = await page.evaluate(async () => {
      const db = await quadrille.open('full');
      const repo = await db.repository('a', { create: true });
      let committed = 0;
      let code: string | undefined;
      // Texts that cannot be compressed.
      const random = () =>
        Array.from(crypto.getRandomValues(new Uint8Array(30_000)), (byte) => byte.toString(36)).join('');
      while (code === undefined && committed < 1000) {
        const { iri, literal, quad } = quadrille;
        await repo.add(quad(iri(`x:s${committed}`), iri('x:p'), literal(random()))).then(
          () => committed++,
          (error: { code?: string }) => (code = error.code ?? String(error)),
        );
      }
      await db.close().catch(() => undefined);
      return { code, committed };
    });
    expect(answer.code).toBe('STORAGE_FULL');
    expect(answer.committed).toBeGreaterThan(3);
    await control.send('Storage.overrideQuotaForOrigin', { origin: origin.url });
    const kept = await page.evaluate(async () => {
      const db = await quadrille.open('full');
      const repo = await db.repository('a');
      const { ok } = await db.verify();
      const quads = (await repo.quads().toArray()).length;
      const { number } = await repo.update('INSERT DATA { <x:a> <x:b> 1 }');
      await db.close();
      return { ok, quads, number };
    });
    expect(kept.ok).toBe(true);
    // The commit that failed may be there after all, as the error says.
    expect([answer.committed, answer.committed + 1]).toContain(kept.quads);
    expect(kept.number).toBe(kept.quads + 2);
    await page.close();
    await origin.close();
  });

  test('acknowledged commits survive the death of the browser', async () => {
    const page = await openTab();
    const acknowledged: number[] = [];
    await page.exposeFunction('acknowledge', (number: number) => void acknowledged.push(number));
    const running = page
      .evaluate(async () => {
        const { acknowledge } = globalThis as unknown as { acknowledge(number: number): Promise<void> };
        const db = await quadrille.open('killed');
        const repo = await db.repository('a', { create: true });
        for (let n = 2; ; n++) {
          const revision = await repo.update(`INSERT DATA { <x:a> <x:b> ${n} }`);
          await acknowledge(revision.number);
        }
      })
      .catch(() => undefined);
    await expect.poll(() => acknowledged.length, { timeout: 10_000 }).toBeGreaterThan(10);
    const control = await browser.newCDPSession(page);
    const gone = new Promise((resolve) => browser.on('close', resolve));
    await control.send('Browser.crash').catch(() => undefined);
    await gone;
    await running;

    browser = await launch(profile);
    const again = await openTab();
    const { ok, values } = await again.evaluate(async () => {
      const db = await quadrille.open('killed', { create: false });
      const repo = await db.repository('a');
      const rows = await repo.select('SELECT ?n { <x:a> <x:b> ?n } ORDER BY ?n').toArray();
      const { ok } = await db.verify();
      await db.close();
      return { ok, values: rows.map(({ n }) => Number(n?.value)) };
    });
    const last = acknowledged.at(-1)!;
    expect(ok).toBe(true);
    // All of them, and at most the one that was under way.
    expect(values.slice(0, last - 1)).toEqual(Array.from({ length: last - 1 }, (_, i) => i + 2));
    expect(values.length).toBeLessThanOrEqual(last);
    await again.close();
  });
});
