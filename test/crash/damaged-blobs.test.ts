/** A flipped bit of a blob file that no read notices stops no collection, loses nothing, and is reported. */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LevelDirectory } from '@quadrille/storage-level';
import { seededRandom } from '@quadrille/storage/testing';
import { iri, literal, open, quad, type Database } from 'quadrille';
import { expect, it, onTestFinished } from 'vitest';
import { SEED } from '../model/environment.js';
import { below, pick, type Random } from '../model/operations.mjs';

const TRIES = 4;
const QUADS = 1500;
const LARGE = { valueBytes: 500, batchBytes: 5000 };
/** So small that most files are collected at once. */
const SMALL = { ...LARGE, fileBytes: 40_000 };

const data = (from: number) =>
  Array.from({ length: QUADS }, (_, n) =>
    quad(iri(`http://a/${n % 700}`), iri(`http://a/p${n % 7}`), literal(`${from + n} ${'x'.repeat(n % 40)}`)),
  );
const opened = (path: string, blobs: object): Promise<Database> =>
  open({ storage: new LevelDirectory(path, { create: true, blobs }) }, { durability: 'process' });
const dump = async (db: Database): Promise<string> => {
  let text = '';
  for await (const chunk of (await db.repository('a/r')).dump('application/n-quads')) text += chunk;
  return text;
};
const blobBytes = (path: string): number =>
  readdirSync(join(path, 'blobs')).reduce((sum, name) => sum + statSync(join(path, 'blobs', name)).size, 0);

/** Any byte of the header of any record, dead or living: reads follow pointers to values, and see none. */
function headerByte(content: Buffer, random: Random): number {
  const headers: (readonly [at: number, bytes: number])[] = [];
  for (let at = 0; at < content.length;) {
    const bytes = 10 + content.readUInt16LE(at + 4);
    headers.push([at, bytes]);
    at += bytes + content.readUInt32LE(at + 6);
  }
  const [at, bytes] = pick(random, headers);
  return at + below(random, bytes);
}

it(`where a bit of the header of any record was flipped (QUADRILLE_SEED=${SEED})`, async () => {
  const base = mkdtempSync(join(tmpdir(), 'quadrille-damaged-blobs-'));
  onTestFinished(() => rmSync(base, { recursive: true }));
  const original = join(base, 'original');
  const db = await opened(original, LARGE);
  const repository = await db.repository('a/r', { create: true });
  for (let n = 0; n < 3; n++) {
    await repository.add(data(n * QUADS));
    await repository.maintenance.rebuild();
  }
  const expected = await dump(db);
  await db.close();
  const random = seededRandom(SEED);
  let reported = 0;
  for (let n = 0; n < TRIES; n++) {
    const path = join(base, `${n}`);
    cpSync(original, path, { recursive: true });
    const file = join(path, 'blobs', pick(random, readdirSync(join(path, 'blobs'))));
    const content = readFileSync(file);
    const at = headerByte(content, random);
    content[at]! ^= 1 << below(random, 8);
    writeFileSync(file, content);
    if (await isReported(path, expected, `${file}, byte ${at}`)) reported++;
  }
  expect(reported).toBeGreaterThan(0);
}, 60_000);

async function isReported(path: string, expected: string, what: string): Promise<boolean> {
  await using db = await opened(path, SMALL);
  const repository = await db.repository('a/r');
  const before = blobBytes(path);
  for (let n = 0; n < 3; n++) {
    await repository.maintenance.rebuild();
    await repository.maintenance.compact();
  }
  expect(await dump(db), what).toBe(expected);
  expect((await repository.maintenance.verify()).problems, what).toEqual([]);
  expect(blobBytes(path), what).toBeLessThan(before);
  const { failures } = await repository.maintenance.stats();
  expect(db.metrics().backgroundFailures, what).toEqual(failures);
  if (failures.length === 0) return false;
  expect(failures, what).toMatchObject([{ job: 'collection of damaged blob files', code: 'CHECKSUM' }]);
  return true;
}
