/**
 * A real history: the 52 releases of schema.org, each replacing the one before. Every revision is exactly its release,
 * whatever is done to the store afterwards.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { open, quad, termToText } from 'quadrille';
import type { Database, Repository, Revision } from 'quadrille';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SEED } from '../model/environment.js';
import { directoryBytes, missing, SCHEMAORG_FOLDER } from './shared-data.js';

const MAX_BYTES = 8_000_000;
const LIMIT_MS = 120_000;
const skipped = missing(join(SCHEMAORG_FOLDER, 'README.md'));

interface Release {
  readonly file: string;
  readonly quads: number;
  readonly added: number;
  readonly removed: number;
  readonly revision: number;
  /** False for the release that equals the one before it. */
  readonly changes: boolean;
  readonly lines: ReadonlySet<string>;
}

/** The releases with what the README's table says of each. */
function readReleases(): Release[] {
  const files = readdirSync(SCHEMAORG_FOLDER)
    .filter((name) => name.endsWith('.nt.gz'))
    .sort();
  const table = readFileSync(join(SCHEMAORG_FOLDER, 'README.md'), 'utf8');
  const releases = [
    ...table.matchAll(/^\| (\S+\.nt\.gz) \| (\d+) \| (\d+) \| (\d+) \| (\d+)( \(no change\))? \|$/gm),
  ].map(([, file, quads, added, removed, revision, unchanged]) => ({
    file: join(SCHEMAORG_FOLDER, file!),
    quads: Number(quads),
    added: Number(added),
    removed: Number(removed),
    revision: Number(revision),
    changes: unchanged === undefined,
    lines: linesOf(gunzipSync(readFileSync(join(SCHEMAORG_FOLDER, file!))).toString()),
  }));
  expect(releases.map(({ file }) => file)).toEqual(files.map((file) => join(SCHEMAORG_FOLDER, file)));
  expect(releases).toHaveLength(52);
  return releases;
}

const linesOf = (document: string): Set<string> => new Set(document.split('\n').filter((line) => line !== ''));

/** Lines in one set and not in the other; empty for equal sets. A readable failure. */
function difference(found: ReadonlySet<string>, wanted: ReadonlySet<string>): string[] {
  return [
    ...[...found].filter((line) => !wanted.has(line)).map((line) => `unexpected: ${line}`),
    ...[...wanted].filter((line) => !found.has(line)).map((line) => `missing: ${line}`),
  ].slice(0, 10);
}

/** Every n-th release, beginning at one that the seed chooses: to read all of them takes seconds. */
const SAMPLE_STEP = 8;
function sample(releases: readonly Release[]): Release[] {
  const first = SEED % SAMPLE_STEP;
  console.log(`schema.org: releases ${first + 1}, ${first + 1 + SAMPLE_STEP} … are read again`);
  return releases.filter((_, index) => index % SAMPLE_STEP === first);
}

async function expectRevisions(repository: Repository, releases: readonly Release[], when: string): Promise<void> {
  expect((await repository.revision()).number, when).toBe(52);
  expect(await repository.at('TAIL').size(), when).toBe(0);
  for (const { quads, revision, lines, changes } of releases) {
    if (!changes) continue;
    const view = repository.at(revision);
    expect(await view.size(), `${when}, revision ${revision}`).toBe(quads);
    const document = (await view.dump('application/n-triples').toArray()).join('');
    expect(document.split('\n').length - 1, `${when}, revision ${revision}: lines`).toBe(quads);
    expect(difference(linesOf(document), lines), `${when}, revision ${revision}`).toEqual([]);
  }
}

async function expectSound(db: Database): Promise<void> {
  expect(await db.verify()).toMatchObject({ ok: true, problems: [] });
}

describe.skipIf(skipped !== '')(`52 releases of schema.org${skipped}`, () => {
  let releases: Release[];
  let directory: string;
  let db: Database;
  let repository: Repository;
  const made: Revision[] = [];

  beforeAll(async () => {
    releases = readReleases();
    directory = mkdtempSync(join(tmpdir(), 'quadrille-schemaorg-'));
    db = await open(directory);
    repository = await db.repository('schema/org', { create: true });
    for (const { file } of releases) made.push(await repository.load(file, { replace: true }));
  }, LIMIT_MS);
  afterAll(async () => {
    await db?.close();
    if (directory !== undefined) rmSync(directory, { recursive: true });
  });

  it('end at revision 52 with 18,061 quads', async () => {
    expect((await repository.revision()).number).toBe(52);
    expect(await repository.size()).toBe(18_061);
  });

  it('have the sizes and counts of the table; the one that changes nothing makes no revision', async () => {
    const log = (await repository.log().toArray()).reverse();
    expect(log.map(({ number }) => number)).toEqual(Array.from({ length: 52 }, (_, i) => i + 1));
    expect(log[0]).toMatchObject({ number: 1, added: 0, removed: 0 });
    for (const [index, { changes, added, removed, revision }] of releases.entries()) {
      expect(made[index], releases[index]!.file).toEqual(log[revision - 1]);
      if (changes) expect(made[index]).toMatchObject({ number: revision, added, removed });
      else expect(made[index]).toEqual(made[index - 1]);
    }
  });

  it('come back from every revision, line by line', () => expectRevisions(repository, releases, 'loaded'), LIMIT_MS);

  it(
    'have differences that are those of their lines',
    async () => {
      const changing = releases.filter(({ changes }) => changes);
      let before: ReadonlySet<string> = new Set();
      for (const { revision, added, removed, lines } of changing) {
        const entries = await repository.diff(revision - 1, revision).toArray();
        const text = (op: string): Set<string> =>
          new Set(
            entries
              .filter((entry) => entry.op === op)
              .map(({ quad: { subject, predicate, object } }) =>
                [subject, predicate, object].map(termToText).join(' ').concat(' .'),
              ),
          );
        const [plus, minus] = [text('add'), text('remove')];
        expect([plus.size, minus.size, entries.length], `revision ${revision}`).toEqual([
          added,
          removed,
          added + removed,
        ]);
        const was = before;
        expect(difference(plus, new Set([...lines].filter((line) => !was.has(line))))).toEqual([]);
        expect(difference(minus, new Set([...was].filter((line) => !lines.has(line))))).toEqual([]);
        before = lines;
      }
      const between = await repository.diff(23, 24).toArray();
      expect(between.filter(({ op }) => op === 'add')).toHaveLength(1154);
      expect(between.filter(({ op }) => op === 'remove')).toHaveLength(1001);
    },
    LIMIT_MS,
  );

  it('answer patterns and counts at an old revision as its lines say', async () => {
    const { lines, revision } = releases.find((release) => release.revision === 24)!;
    const view = repository.at(revision);
    const [sample] = await view.quads().toArray();
    const { subject, predicate, object } = sample!;
    for (const pattern of [{ subject }, { predicate }, { object }, { subject, predicate }, { predicate, object }]) {
      const found = await view.quads(pattern).toArray();
      const text = found.map((one) => [one.subject, one.predicate, one.object].map(termToText).join(' ').concat(' .'));
      expect(await view.count(pattern)).toBe(found.length);
      expect(new Set(text).size).toBe(found.length);
      expect(text.filter((line) => !lines.has(line))).toEqual([]);
      const wanted = await view.quads().toArray();
      const matching = wanted.filter((one) =>
        Object.entries(pattern).every(([name, term]) => one[name as keyof typeof pattern]!.equals(term)),
      );
      expect(found.length).toBe(matching.length);
    }
    expect(await view.count(quad(subject, predicate, object))).toBe(1);
  });

  it(
    'are sound, also after reopening',
    async () => {
      await expectSound(db);
      await db.close();
      db = await open(directory);
      repository = await db.repository('schema/org');
      await expectSound(db);
      expect((await repository.log({ limit: 1 }).first())!.id).toBe(made.at(-1)!.id);
    },
    LIMIT_MS,
  );

  it(
    `take less than ${MAX_BYTES} bytes after compacting, and are all there`,
    async () => {
      const { bytesAfter } = await repository.maintenance.compact();
      expect(bytesAfter).toBeLessThan(MAX_BYTES);
      expect(await directoryBytes(directory)).toBeLessThan(MAX_BYTES);
      await expectRevisions(repository, releases, 'compacted');
      await db.close();
      expect(await directoryBytes(directory)).toBeLessThan(MAX_BYTES);
      db = await open(directory);
      repository = await db.repository('schema/org');
      await expectRevisions(repository, sample(releases), 'compacted and reopened');
      await expectSound(db);
    },
    LIMIT_MS,
  );

  it(
    'are all there after rebuilding from the log',
    async () => {
      await repository.maintenance.rebuild();
      await expectRevisions(repository, releases, 'rebuilt');
      await expectSound(db);
      await db.close();
      db = await open(directory);
      repository = await db.repository('schema/org');
      await expectRevisions(repository, sample(releases), 'rebuilt and reopened');
      await expectSound(db);
      expect((await repository.log().toArray()).reverse().map(({ id }) => id)).toEqual([
        ...new Set([(await repository.at('TAIL').revision()).id, ...made.map(({ id }) => id)]),
      ]);
    },
    LIMIT_MS,
  );
});
