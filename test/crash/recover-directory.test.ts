/**
 * Recovery of stores in directories of which any file is damaged anywhere, missing or cut: what is kept is what was there,
 * nothing is lost in silence, and the damaged store stays as it is.
 *
 * QUADRILLE_RECOVERIES: how many damages of each kind a file.
 */
import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { open, recover } from 'quadrille';
import { hostOf } from 'quadrille/host';
import type { Backend, Database, QuadrilleError, RecoverReport, Repository } from 'quadrille';
import { seededRandom } from '@quadrille/storage/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SEED } from '../model/environment.js';

const DAMAGES = Number(process.env['QUADRILLE_RECOVERIES'] ?? 1);
const PAGE_BYTES = 512;
const NAMES = ['a/big', 'b/small'] as const;
/** What no data stand in. */
const IGNORED = /quadrille\.pid|LOCK|LOG$|LOG\.old|lock\.mdb/;

let base: string;
beforeAll(() => void (base = mkdtempSync(join(tmpdir(), 'quadrille-recover-'))));
afterAll(() => rmSync(base, { recursive: true, force: true }));

function lines(from: number, to: number): string {
  let text = '';
  for (let i = from; i < to; i++)
    text += `<http://e/s${i % 997}> <http://e/p${i % 7}> "value ${i} ${(i * 7919) % 1000003}"${i % 3 === 0 ? ' <http://e/g>' : ''} .\n`;
  return text;
}

async function dumped(repository: Repository, number: number): Promise<string> {
  let text = '';
  for await (const chunk of repository.at(number).dump('nquads')) text += chunk;
  const found = text.split('\n').sort();
  return `${found.length - 1} quads ${createHash('sha256').update(found.join()).digest('hex').slice(0, 16)}`;
}

/** All that is to be seen of a store. */
interface Seen {
  /** By name: id and digest of the content of each revision. */
  readonly revisions: ReadonlyMap<string, readonly (readonly [string, string])[]>;
  readonly rest: string;
}

async function look(db: Database): Promise<Seen> {
  const revisions = new Map<string, [string, string][]>();
  const rest: unknown[] = [await db.accounts.list().toArray(), [...(await hostOf(db).records.list('')).entries()]];
  for (const { name, metadata } of await db.repositories().toArray()) {
    const repository = await db.repository(name);
    const found: [string, string][] = [];
    for await (const { id, number } of repository.log()) found[number - 1] = [id, await dumped(repository, number)];
    revisions.set(name, found);
    rest.push(name, metadata, await repository.tags.list().toArray(), await repository.namespaces.list());
  }
  return { revisions, rest: JSON.stringify(rest) };
}

const insert = (repository: Repository, n: number) =>
  repository.update(`INSERT DATA { <http://e/new${n}> <http://e/p> ${n}, "new ${n}" }`, {
    message: `${n}`,
    author: 'jo',
  });

/** Makes a store, and a copy of it as a process leaves it that was killed. */
async function make(backend: Backend, path: string, killed: string): Promise<Seen> {
  let db = await open(path, { backend });
  const [big, small] = [
    await db.repository(NAMES[0], { create: true }),
    await db.repository(NAMES[1], { create: true }),
  ];
  await big.load({ text: lines(0, 3000) }, { format: 'nq' });
  for (let n = 0; n < 4; n++) await insert(small, n);
  await big.update('DELETE WHERE { ?s <http://e/p3> ?o }');
  await big.load({ text: lines(2500, 5000) }, { format: 'nq' });
  await big.tags.set('v2', 2);
  await small.namespaces.set('ex', 'http://e/');
  await hostOf(db).records.write([{ key: 'token/1', value: { account: 'a' } }]);
  // LevelDB makes tables of its log when it is opened.
  await db.close();
  db = await open(path);
  const again = [await db.repository(NAMES[0]), await db.repository(NAMES[1])] as const;
  for (let n = 10; n < 14; n++) await insert(again[n % 2]!, n);
  cpSync(path, killed, { recursive: true });
  const lock = JSON.parse(readFileSync(join(killed, 'quadrille.pid'), 'utf8')) as object;
  writeFileSync(join(killed, 'quadrille.pid'), JSON.stringify({ ...lock, pid: 2 ** 22 + 1 }));
  const seen = await look(db);
  await db.close();
  return seen;
}

function filesIn(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !IGNORED.test(entry.name))
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)))
    .sort();
}

const contentsOf = (directory: string): Map<string, string> =>
  new Map(filesIn(directory).map((file) => [file, readFileSync(join(directory, file)).toString('latin1')]));

/** Where a log is cut between two batches, nothing tells that there were more. */
const mayEndEarly = (file: string, what: string): boolean =>
  /journal|\.log$|MANIFEST/.test(file) && ['cut off', 'a page of zeros'].includes(what);

/** Recovers a store and looks at what came out. */
async function check(damaged: string, before: Seen, endsEarly = false): Promise<RecoverReport> {
  const contents = contentsOf(damaged);
  const report = await recover(damaged);
  expect(contentsOf(damaged), 'the damaged store was written to').toEqual(contents);
  expect(report).toMatchObject({ location: `${damaged}.recovered`, damaged });
  const db = await open(report.location, { create: false });
  try {
    const after = await look(db);
    expect((await db.verify()).problems).toEqual([]);
    expect(report.repositories.map(({ name }) => name)).toEqual([...after.revisions.keys()]);
    for (const { name, revisionsKept, revisionsLost } of report.repositories) {
      const [old, now] = [before.revisions.get(name), after.revisions.get(name)!];
      // A name that is lost is given anew.
      if (old === undefined) continue;
      if (revisionsKept > 0) expect(now).toEqual(old.slice(0, revisionsKept));
      expect(revisionsKept + revisionsLost).toBeLessThanOrEqual(old.length);
      await insert(await db.repository(name), 99);
    }
    if (!report.lost && !endsEarly) expect(after).toEqual(before);
  } finally {
    await db.close();
    rmSync(report.location, { recursive: true });
  }
  return report;
}

describe(`a damaged store of LevelDB (QUADRILLE_SEED=${SEED})`, () => {
  let seen: Seen;
  const [closed, killed] = ['closed', 'killed'];
  beforeAll(async () => {
    seen = await make('leveldb', join(base, closed), join(base, killed));
    expect(filesIn(join(base, closed)).join()).toMatch(/blob.*ldb.*log.*CURRENT|CURRENT.*ldb.*log.*MANIFEST/);
    expect(filesIn(join(base, killed)).join()).toContain('quadrille.journal.0');
  }, 60_000);

  it.each([closed, killed])('%s, with nothing damaged: all of it', async (name) => {
    expect(await check(join(base, name), seen)).toMatchObject({ lost: false, problems: [] });
  });

  const damages: Readonly<Record<string, (file: string, random: () => number) => void>> = {
    'a flipped bit': (file, random) => {
      const content = readFileSync(file);
      if (content.length > 0) content[Math.floor(random() * content.length)]! ^= 1 << Math.floor(random() * 8);
      writeFileSync(file, content);
    },
    'cut off': (file, random) => truncateSync(file, Math.floor(random() * statSync(file).size)),
    'a page of zeros': (file, random) => {
      const content = readFileSync(file);
      const start = Math.floor((random() * content.length) / PAGE_BYTES) * PAGE_BYTES;
      content.fill(0, start, Math.min(start + PAGE_BYTES, content.length));
      writeFileSync(file, content);
    },
    missing: (file) => rmSync(file),
  };

  it.each(Object.keys(damages).flatMap((what) => [closed, killed].map((name) => [what, name] as const)))(
    'any file of it %s (%s)',
    async (what, name) => {
      const random = seededRandom(SEED);
      const work = join(base, 'work');
      const kept: Record<string, number> = { recovered: 0, withLoss: 0 };
      for (const file of filesIn(join(base, name))) {
        for (let n = 0; n < (what === 'missing' ? 1 : DAMAGES); n++) {
          cpSync(join(base, name), work, { recursive: true });
          damages[what]!(join(work, file), random);
          const report = await check(work, seen, mayEndEarly(file, what)).catch((error: unknown) => {
            // The flipped bit made a format of the future, which nothing distinguishes from a newer store.
            if (file === 'quadrille.json' && (error as QuadrilleError).code === 'FORMAT_VERSION') return undefined;
            throw new Error(`${file}, damage ${n}: ${String(error)}`, { cause: error });
          });
          if (report !== undefined) kept['recovered']!++;
          if (report?.lost === true) kept['withLoss']!++;
          rmSync(work, { recursive: true });
        }
      }
      console.log(`${what}, ${name}: ${JSON.stringify(kept)}`);
    },
    240_000,
  );
});
