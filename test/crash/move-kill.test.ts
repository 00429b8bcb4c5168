/**
 * A move between two stores is killed with SIGKILL at its writes. One of the stores has the whole repository, neither has a part of it,
 * and the same call ends the move.
 *
 * Runs the compiled packages (`npm run build` first). QUADRILLE_MOVE_KILLS: more of them, `all` for each write.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { iri, literal, moveRepository, open, quad, QuadrilleError } from 'quadrille';
import { afterAll, beforeAll, expect, it } from 'vitest';

const ASKED = process.env['QUADRILLE_MOVE_KILLS'] ?? '3';
const KILLS = ASKED === 'all' ? Number.POSITIVE_INFINITY : Number(ASKED);
const SEED = Number(process.env['QUADRILLE_SEED'] ?? 1);
const CHILD = join(import.meta.dirname, 'move-child.mjs');
const NAME = 'crash/moved';

let directory: string;
let digests: Record<string, string>;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'quadrille-move-'));
  const database = await open(join(directory, 'model'));
  const repository = await database.repository(NAME, { create: true });
  const quadOf = (n: number) => quad(iri(`urn:s${n % 97}`), iri(`urn:p${n % 7}`), literal(`value ${n}`.repeat(40)));
  await repository.add(Array.from({ length: 4000 }, (_, n) => quadOf(n)));
  await (await repository.branches.open('dev', { create: true })).add(quadOf(-1));
  await repository.tags.set('v1', 2);
  digests = await digestsIn(join(directory, 'model'), database);
  await database.close();
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

type Opened = Awaited<ReturnType<typeof open>>;

async function digestsIn(place: string, opened?: Opened): Promise<Record<string, string>> {
  const database = opened ?? (await open(place, { create: false }));
  try {
    const repository = await database.repository(NAME);
    const found: Record<string, string> = { tags: JSON.stringify(await repository.tags.list().toArray()) };
    for (const name of (await repository.branches.list().toArray()).map(({ name }) => name))
      found[name] = await (await repository.branches.open(name)).proof.digest();
    return found;
  } finally {
    if (opened === undefined) await database.close();
  }
}

/** What a store has: `here`, `frozen`, `moved` or `nothing`. */
async function standing(place: string): Promise<string> {
  const database = await open(place, { create: false }).catch((error: unknown) => error);
  if (database instanceof Error)
    return (database as QuadrilleError).code === 'STORE_NOT_FOUND' ? 'nothing' : String(database);
  const opened = database as Opened;
  try {
    expect(await opened.verify()).toMatchObject({ ok: true, problems: [] });
    const repository = await opened.repository(NAME).catch((error: unknown) => (error as QuadrilleError).code);
    if (typeof repository === 'string') return repository === 'REPOSITORY_MOVED' ? 'moved' : 'nothing';
    expect(await digestsIn(place, opened)).toEqual(digests);
    if ((await repository.settings.metadata.get()).moving === undefined) return 'here';
    expect(await repository.tags.set('v2', 1).catch((error: unknown) => (error as QuadrilleError).code)).toBe(
      'REPOSITORY_MOVING',
    );
    return 'frozen';
  } finally {
    await opened.close();
  }
}

it(`${ASKED} kills at the writes of a move (seed ${SEED})`, { timeout: 600_000 }, async () => {
  const seen = new Set<string>();
  const kill = (place: string, backend: string, n: number, when: string): boolean => {
    const args = [CHILD, join(place, 'from'), join(place, 'to'), backend, String(n), when];
    const child = spawnSync(process.execPath, args, { encoding: 'utf8' });
    if (child.status === 0) return false;
    expect(child.signal, child.stderr).toBe('SIGKILL');
    return true;
  };
  let killed = 0;
  const writes = ASKED === 'all' ? Number.POSITIVE_INFINITY : 12;
  for (let i = 0; killed < KILLS; i++) {
    const n = ASKED === 'all' ? 1 + Math.floor(i / 2) : 1 + ((SEED + i * 5) % writes);
    const when = (i + SEED) % 2 === 0 ? 'before' : 'after';
    const place = join(directory, `run${i}`);
    const backend = i % 4 < 2 ? 'lmdb' : 'leveldb';
    cpSync(join(directory, 'model'), join(place, 'from'), { recursive: true });
    if (!kill(place, backend, n, when)) {
      if (ASKED === 'all') break;
      continue;
    }
    killed++;
    const both = [await standing(join(place, 'from')), await standing(join(place, 'to'))].join(' ');
    seen.add(both);
    expect(both, `killed ${when} write ${n}`).toMatch(/^(?:here nothing|frozen nothing|frozen here|moved here)$/);
    // It is killed again now and then.
    if (i % 3 === 0) kill(place, backend, 2, when);
    const { outcome } = await moveRepository(join(place, 'from'), NAME, join(place, 'to'));
    expect(['moved', 'already']).toContain(outcome);
    expect([await standing(join(place, 'from')), await standing(join(place, 'to'))]).toEqual(['moved', 'here']);
    rmSync(place, { recursive: true });
  }
  console.log(`${killed} kills: ${[...seen].toSorted().join(', ')}`);
});
