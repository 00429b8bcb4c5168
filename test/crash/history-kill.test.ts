/**
 * An import of history is killed with SIGKILL at its writes: whole revisions are kept, the store is clean, and the import goes on to the
 * same end.
 *
 * Runs the compiled packages (`npm run build` first). QUADRILLE_HISTORY_KILLS: more of them.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { iri, literal, open, quad } from 'quadrille';
import type { Revision } from 'quadrille';
import { afterAll, beforeAll, expect, it } from 'vitest';

const KILLS = Number(process.env['QUADRILLE_HISTORY_KILLS'] ?? 6);
const CHILD = join(import.meta.dirname, 'history-child.mjs');
const BACKENDS = ['leveldb', 'lmdb'] as const;

let directory: string;
let file: string;
let log: Revision[];
const sizes: number[] = [];

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'quadrille-history-'));
  file = join(directory, 'history.rdfp');
  const db = await open(':memory:');
  const repository = await db.repository('crash/history', { create: true });
  const quadOf = (n: number) => quad(iri(`urn:s${n % 997}`), iri(`urn:p${n % 7}`), literal(`value ${n}`));
  for (let n = 0; n < 1500; n++) await repository.add(quadOf(n), { message: `commit ${n}`, author: 'jo' });
  const many = Array.from({ length: 15_000 }, (_, n) => quadOf(n + 5000));
  await repository.add(many);
  await repository.remove(many.slice(0, 12_000));
  for (let n = 0; n < 1500; n++) await repository.remove(quadOf(n));
  writeFileSync(file, (await repository.exportHistory().toArray()).join(''));
  log = await repository.log().toArray();
  for (const { size, number } of log) sizes[number] = size;
  await db.close();
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

it(`${KILLS} kills at the writes of an import`, { timeout: 60_000 + KILLS * 20_000 }, async () => {
  let killed = 0;
  const kept = new Set<number>();
  for (let run = 0; killed < KILLS; run++) {
    const backend = BACKENDS[run % 2]!;
    const place = join(directory, `store${run}`);
    // The next write each time, until the import ends before it.
    for (let n = 1 + (run % 3); killed < KILLS; n += 1 + (run % 4)) {
      const when = (n + run) % 2 === 0 ? 'before' : 'after';
      const child = spawnSync(process.execPath, [CHILD, place, file, backend, String(n), when], { encoding: 'utf8' });
      if (child.status === 0) break;
      expect(child.signal, child.stderr).toBe('SIGKILL');
      killed++;
      kept.add(await inspect(place, `run ${run}, ${backend}, killed ${when} write ${n}`));
    }
    const db = await open(place, { create: true, backend });
    try {
      const repository = await db.repository('crash/history', { create: true });
      await repository.importHistory(file);
      expect(await repository.log().toArray()).toEqual(log);
      expect(await db.verify()).toMatchObject({ ok: true, problems: [] });
    } finally {
      await db.close();
    }
    rmSync(place, { recursive: true, force: true });
  }
  console.log(`${killed} kills; revisions kept: ${[...kept].toSorted((a, b) => a - b).join()}`);
});

/** What is there is a beginning of the history, and clean. Returns the number of its revisions. */
async function inspect(place: string, when: string): Promise<number> {
  const db = await open(place);
  try {
    if ((await db.repositories()).length === 0) return 0;
    expect(await db.verify(), when).toMatchObject({ ok: true, problems: [] });
    const repository = await db.repository('crash/history');
    const found = await repository.log().toArray();
    if (found.length > 1) expect(found, when).toEqual(log.slice(-found.length));
    expect(await repository.size(), when).toBe(sizes[found.length]);
    return found.length;
  } finally {
    await db.close();
  }
}
