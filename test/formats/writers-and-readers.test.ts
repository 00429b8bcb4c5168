/** Whatever the product writes, it reads: each writer with the reader of its form. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createDefaultRegistry, RESULT_FORMATS } from '@quadrille/formats';
import { registerExtraFormats } from '@quadrille/formats-extra';
import { parseResultsAsync } from '../../packages/formats/src/results/parse-results.js';
import { type TestServer, testServer } from '../../packages/server/src/testing/server.js';
import { open, restore, type Repository } from 'quadrille';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { areIsomorphic } from '../w3c/isomorphism.js';

const DATA = `
PREFIX : <http://example.org/>
INSERT DATA {
  :a :p "x\\"\\n\\u00E9\\U0001F600" , "y"@en-GB , 1 , 1.5 , 1e3 , true , "2026-01-01"^^:odd ; :q _:b .
  _:b :p :a .
}`;
const registry = createDefaultRegistry();
registerExtraFormats(registry);
const run = promisify(execFile);
const COMMAND = join(import.meta.dirname, '../../packages/quadrille/bin/quadrille.js');
const quadrille = async (...args: string[]): Promise<string> =>
  (await run(process.execPath, [COMMAND, ...args])).stdout;

let server: TestServer;
let folder: string;
let repository: Repository;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quadrille-forms-'));
  server = await testServer();
  repository = await server.database.repository('acme/people');
  await repository.update(DATA, { author: 'ann', message: 'first' });
  await repository.update('DELETE WHERE { ?s <http://example.org/p> true } ; INSERT DATA { <urn:g> <urn:p> "later" }');
});
afterAll(async () => {
  await server.database.close();
  await rm(folder, { recursive: true, force: true });
});

const fresh = (name: string): Promise<Repository> => server.database.repository(`acme/${name}`, { create: true });
const same = async (copy: Repository): Promise<void> =>
  expect(areIsomorphic(await copy.quads().toArray(), await repository.quads().toArray())).toBe(true);

describe('documents', () => {
  const written = registry.list().filter(({ createSerializer }) => createSerializer !== undefined);
  it.each(written.map(({ name, mediaTypes, extensions }) => [name, mediaTypes[0]!, extensions[0]!] as const))(
    '%s: dump and load, GET and PUT, file and file',
    async (name, type, extension) => {
      const copy = await fresh(`dump-${extension}`);
      const path = join(folder, `data.${extension}`);
      const chunks: string[] = [];
      for await (const text of repository.dump(name)) chunks.push(text);
      await writeFile(path, chunks.join(''));
      await copy.load(path);
      await same(copy);
      const sent = await server.get('/acme/people/statements', { Accept: type });
      expect(sent.headers.get('Content-Type')).toContain(type);
      const taken = await server.send('PUT', `/acme/dump-${extension}/statements`, {
        body: await sent.text(),
        headers: { 'Content-Type': type },
      });
      expect(taken.ok).toBe(true);
      await same(copy);
    },
  );
});

describe('results', () => {
  /** Results that no reader needs: the product asks other servers for the formats of the W3C alone. */
  const WRITTEN_ONLY = new Set(['application/json', 'text/boolean']);
  it.each(RESULT_FORMATS.map(({ mediaTypes }) => mediaTypes[0]!).filter((type) => !WRITTEN_ONLY.has(type)))(
    '%s is read as the answer of a service',
    async (type) => {
      const query = new URLSearchParams({ query: 'SELECT ?v { ?s <http://example.org/p> ?v } ORDER BY ?v' });
      const answer = await server.get(`/acme/people/sparql?${query}`, { Accept: type });
      const results = await parseResultsAsync(await answer.text(), type);
      expect(results).toMatchObject({ type: 'bindings', variables: ['v'], rows: { length: 7 } });
    },
  );
});

describe('changes and histories', () => {
  it('the feed, and the difference of two revisions, are patches', async () => {
    const [feed, diff] = [await fresh('feed'), await fresh('difference')];
    const headers = { 'Content-Type': 'application/rdf-patch' };
    for (const [path, name] of [
      ['changes?since=0', 'feed'],
      ['diff?from=1&to=HEAD', 'difference'],
    ]) {
      const patch = await server.get(`/acme/people/${path}`, { Accept: 'application/rdf-patch' });
      const taken = await server.send('POST', `/acme/${name}/changes`, { body: await patch.text(), headers });
      expect(taken.status).toBe(204);
    }
    await same(feed);
    await same(diff);
    expect(await feed.log().toArray()).toHaveLength(3);
  });

  it('a history file is a history, and a patch', async () => {
    const [copy, patched] = [await fresh('history'), await fresh('patched')];
    const chunks: string[] = [];
    for await (const text of repository.sync.exportHistory()) chunks.push(text);
    const text = chunks.join('');
    await copy.sync.importHistory({ text });
    expect(await copy.revision()).toMatchObject({ id: (await repository.revision()).id });
    await patched.patch({ text });
    await same(copy);
    await same(patched);
  });

  it('a backup is a store', async () => {
    const target = join(folder, 'backup');
    await server.database.backup(target);
    await restore(target, join(folder, 'restored'));
    const restored = await open(join(folder, 'restored'));
    await same(await restored.repository('acme/people'));
    await restored.close();
  });
});

describe('the command', () => {
  it('applies what diff and watch print, and loads what dump prints', { timeout: 60_000 }, async () => {
    const [store, copy, other] = ['store', 'copy', 'other'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    const [path, nothing] = [join(folder, 'in.nq'), join(folder, 'nothing.nq')];
    await writeFile(path, '<urn:a> <urn:p> "1" .\n<urn:a> <urn:q> _:b <urn:g> .\n');
    await writeFile(nothing, '');
    await quadrille('load', store, path);
    await quadrille('update', store, 'DELETE DATA { <urn:a> <urn:p> "1" } ; INSERT DATA { <urn:c> <urn:p> 2 }');
    const dumped = await quadrille('dump', store);
    for (const [target, text] of [
      [copy, await quadrille('watch', store, '--since', '1')],
      [other, await quadrille('diff', store, '1', 'HEAD')],
    ] as const) {
      const patch = join(folder, 'changes.rdfp');
      await writeFile(patch, text);
      await quadrille('load', target, nothing);
      expect(await quadrille('patch', target, patch)).toMatch(/^#\d+ /);
      expect((await quadrille('dump', target)).split('\n').sort()).toEqual(dumped.split('\n').sort());
    }
  });
});
