/** A fast-forward is killed with SIGKILL at its writes: all of its revisions are there, or none. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { iri, open, quad } from 'quadrille';
import { expect, onTestFinished, test } from 'vitest';

const CHILD = join(import.meta.dirname, 'fast-forward-child.ts');
const HOOKS = join(import.meta.dirname, '../campaigns/typescript.mjs');
const COMMITS = 400;
const BEFORE = 11;

async function prepare(place: string, backend: 'leveldb' | 'lmdb'): Promise<void> {
  const db = await open(place, { backend, durability: 'process' });
  const main = await db.repository('crash/forward', { create: true });
  await main.add(Array.from({ length: 10 }, (_, n) => quad(iri(`urn:a${n}`), iri('urn:p'), iri('urn:o'))));
  await main.add([quad(iri('urn:b'), iri('urn:p'), iri('urn:o'))]);
  await main.branches.create('ahead');
  const ahead = await main.branch('ahead');
  for (let n = 0; n < COMMITS; n++) await ahead.add([quad(iri(`urn:c${n}`), iri('urn:p'), iri('urn:o'))]);
  await ahead.add(Array.from({ length: 9000 }, (_, n) => quad(iri(`urn:d${n}`), iri('urn:p'), iri('urn:o'))));
  await db.close();
}

test.each(['leveldb', 'lmdb'] as const)('%s', { timeout: 240_000 }, async (backend) => {
  const directory = mkdtempSync(join(tmpdir(), 'quadrille-forward-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  await prepare(join(directory, 'first'), backend);
  const seen = new Set<number>();
  for (let n = 1, ended = false; !ended; n++) {
    // What is there before a write was there after the one before it.
    for (const when of n === 1 ? ['before', 'after'] : ['after']) {
      const place = join(directory, `${n}-${when}`);
      cpSync(join(directory, 'first'), place, { recursive: true });
      const child = spawnSync(process.execPath, ['--import', HOOKS, CHILD, place, backend, String(n), when], {
        encoding: 'utf8',
      });
      ended = child.status === 0;
      if (!ended) expect(child.signal, child.stderr).toBe('SIGKILL');
      const db = await open(place, { backend });
      const main = await db.repository('crash/forward');
      const size = await main.size();
      seen.add(size);
      expect([BEFORE, BEFORE + COMMITS + 9000], `killed ${when} write ${n}`).toContain(size);
      expect(await main.log().toArray()).toHaveLength(size === BEFORE ? 3 : 4 + COMMITS);
      expect(await db.verify()).toMatchObject({ ok: true });
      await db.close();
      rmSync(place, { recursive: true });
    }
  }
  expect(seen.size).toBe(2);
});
