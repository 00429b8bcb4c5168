import { copyFile, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { buildServerFile, command, SERVER_FILE, type StartedServer, startServer } from './server-file.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quadrille-single-file-'));
  await buildServerFile(folder);
}, 120_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

async function served(where: string, ...args: string[]): Promise<StartedServer> {
  const server = await startServer(where, ...args);
  onTestFinished(async () => void (await server.end('SIGKILL')));
  return server;
}

const COUNT = 1500;

/** RDF/XML of more than 512 KB, which a thread parses. */
function longDocument(): string {
  const item = (n: number): string =>
    `<rdf:Description rdf:about="urn:s${String(n)}"><p:p>${'x'.repeat(400)}</p:p></rdf:Description>\n`;
  const items = Array.from({ length: COUNT }, (_, n) => item(n)).join('');
  return `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:p="urn:p:">\n${items}</rdf:RDF>`;
}

describe('the server in one file', { timeout: 120_000 }, () => {
  test('has the native modules beside it, and nothing else', async () => {
    const system = `${process.platform}-${process.arch}`;
    expect((await readdir(folder)).toSorted()).toEqual(
      ['LICENSE', `leveldb-${system}.node`, `lz4-${system}.node`, SERVER_FILE].toSorted(),
    );
    expect((await stat(join(folder, SERVER_FILE))).size).toBeLessThan(6_620_000);
    expect(await command(folder, '--version')).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  test('loads, answers queries in a thread, shows the workbench, ends by SIGTERM, and has the data again', async () => {
    const first = await served(folder, 'data', '--workers', '1');
    const loaded = await fetch(`${first.url}/default/default/statements`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/rdf+xml' },
      body: longDocument(),
    });
    expect(loaded.status, await loaded.text()).toBeLessThan(300);
    const page = await fetch(`${first.url}/`, { headers: { Accept: 'text/html' } });
    const text = await page.text();
    const script = /src="\.?\/?(workbench\/assets\/[^"]+)"/.exec(text)?.[1];
    expect(script, text).toBeDefined();
    expect((await fetch(`${first.url}/${script!}`)).status).toBe(200);
    // By its plan this takes long enough for a thread.
    const heavy = 'SELECT (COUNT(*) AS ?n) { ?a ?p ?x . ?b ?q ?y FILTER(STRLEN(?x) >= STRLEN(?y)) }';
    const answer = async (): Promise<string> => {
      const address = `${first.url}/default/default/sparql?query=${encodeURIComponent(heavy)}`;
      return (await fetch(address, { headers: { Accept: 'text/csv' } })).text();
    };
    // The first such query starts the thread, and does not wait for it.
    await expect
      .poll(
        async () => {
          expect(await answer()).toBe(`n\r\n${String(COUNT ** 2)}\r\n`);
          return (await fetch(`${first.url}/metrics`)).text();
        },
        { timeout: 60_000 },
      )
      .toMatch(/^quadrille_workers_queries_total [1-9]/m);
    expect(await first.end()).toBe(0);
    expect(await command(folder, 'size', 'data')).toBe(`${String(COUNT)}\n`);
    expect(await command(folder, 'verify', 'data')).toMatch(/everything is in order/);
  });

  test('without the native module it says what to copy, and keeps a store in memory', async () => {
    const alone = await mkdtemp(join(tmpdir(), 'quadrille-alone-'));
    onTestFinished(() => rm(alone, { recursive: true, force: true }));
    await copyFile(join(folder, SERVER_FILE), join(alone, SERVER_FILE));
    await writeFile(join(alone, 'some.nt'), '<urn:s> <urn:p> "x" .\n');
    await expect(command(alone, 'load', 'data', 'some.nt')).rejects.toThrow(
      /native module of LevelDB cannot be loaded from .*leveldb-.*\.node\. .*serve :memory: \(STORAGE_IO\)/,
    );
    const server = await served(alone, ':memory:');
    expect((await fetch(`${server.url}/ready`)).status).toBe(200);
    expect(await server.end()).toBe(0);
  });
});
