/** Backups of open stores into directories and streams, and stores made of them. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Backend, Database, OpenOptions, Repository } from '../index.js';
import { hostOf } from '../host/index.js';
import { open, restore, verifyBackup } from '../index.js';
import { all, directory, ex, many, q } from '../testing/fixtures.js';
import { DirectoryTarget } from './directory-target.js';

async function opened(location: string, options: OpenOptions = {}): Promise<Database> {
  const db = await open(location, options);
  onTestFinished(() => db.close());
  return db;
}

async function textOf(repo: Repository): Promise<string[]> {
  let text = '';
  for await (const chunk of await repo.dump('nquads')) text += String(chunk);
  return text.trim().split('\n').sort();
}

const logOf = (repo: Repository) => all(repo.log());

/** All that a repository has, at each of its revisions. */
async function contentOf(db: Database, name: string): Promise<unknown> {
  const repo = await db.repository(name);
  return {
    log: await logOf(repo),
    dump: await textOf(repo),
    tags: await repo.tags.list().toArray(),
    prefixes: await repo.namespaces.list(),
    metadata: await repo.settings.metadata.get(),
  };
}

/** A store with two repositories, an account, a token of a server. */
async function filled(location: string, options: OpenOptions = {}): Promise<Database> {
  const db = await opened(location, options);
  const people = await db.repository('acme/people', { create: true, metadata: { name: 'People' } });
  await people.add(many(3000));
  await people.tags.set('first', 'HEAD');
  await people.namespaces.set('ex', ex('').value);
  for (let n = 0; n < 40; n++) await people.add([q(`a${n} p o`)], { author: 'me', message: `commit ${n}` });
  await people.add([q(`s p "${'long-'.repeat(20_000)}"`)]);
  await (await db.repository('acme/other', { create: true })).add([q('x p y g')]);
  await db.accounts.create('empty');
  await hostOf(db).records.write([{ key: 'token/1', value: { sha256: 'ab', account: 'acme' } }]);
  return db;
}

const NAMES = ['acme/people', 'acme/other'];

async function expectEqual(restored: Database, source: Database): Promise<void> {
  expect((await restored.verify()).problems).toEqual([]);
  for (const name of NAMES) expect(await contentOf(restored, name)).toEqual(await contentOf(source, name));
  expect(await restored.accounts.list().toArray()).toEqual(await source.accounts.list().toArray());
  expect(await hostOf(restored).records.get('token/1')).toEqual(await hostOf(source).records.get('token/1'));
}

/** A stream that keeps what is written to it. */
function collected(): { stream: WritableStream<Uint8Array>; bytes: () => Uint8Array<ArrayBuffer> } {
  const chunks: Uint8Array[] = [];
  const stream = new WritableStream<Uint8Array>({ write: (chunk) => void chunks.push(chunk) });
  return { stream, bytes: () => new Uint8Array(Buffer.concat(chunks)) };
}

const segmentsIn = (place: string): string[] => readdirSync(join(place, 'segments')).sort();
const manifestOf = (place: string) => readFileSync(join(place, 'backup.json'), 'utf8');

describe.each(['leveldb', 'lmdb', 'memory'] as const)('%s', (backend) => {
  const optionsOf = (): OpenOptions => (backend === 'memory' ? {} : { backend });
  const other: Backend = backend === 'lmdb' ? 'leveldb' : 'lmdb';

  test('a full backup, increments, and a store of another backend made of them', async () => {
    const base = await directory();
    const db = await filled(backend === 'memory' ? ':memory:' : join(base, 'store'), optionsOf());
    const place = join(base, 'backup');
    const people = await db.repository('acme/people');
    // The newest terms are written by every backup, until they fill blocks.
    await people.maintenance.compact();
    const first = await db.backup(place);
    expect(first).toMatchObject({
      full: true,
      bytesReused: 0,
      heads: [{ name: 'acme/other' }, { name: 'acme/people', number: 43 }],
    });
    for (let n = 0; n < 20; n++) await people.add([q(`b${n} p o`)]);
    const second = await db.backup(place);
    expect(second.full).toBe(false);
    expect(second.bytesWritten).toBeLessThan(first.bytesWritten / 2);
    expect(second.bytesReused).toBeGreaterThan(first.bytesWritten / 2);
    await people.maintenance.compact();
    await db.backup(place);
    expect(await verifyBackup(place)).toMatchObject({ heads: [{}, { number: 63 }] });
    const report = await restore(place, join(base, 'restored'), { backend: other });
    expect(report).toMatchObject({ location: join(base, 'restored'), omitted: [] });
    const restored = await opened(join(base, 'restored'));
    await expectEqual(restored, db);
    await (await restored.repository('acme/people')).add([q('goes on too')]);
  });

  test('an increment has what is new of branches alone, and never data of an earlier branch of the same number', async () => {
    const base = await directory();
    const db = await opened(backend === 'memory' ? ':memory:' : join(base, 'store'), optionsOf());
    const repo = await db.repository('acme/lines', { create: true });
    await repo.add([q('base p o')]);
    const dev = await repo.branches.open('dev', { create: true });
    for (let n = 0; n < 30; n++) await dev.add(many(200, `line${n}x`));
    await repo.maintenance.compact();
    const place = join(base, 'backup');
    const { bytesWritten } = await db.backup(place);
    await dev.add([q('one more quad')]);
    const second = await db.backup(place);
    expect(second.bytesWritten).toBeLessThan(bytesWritten / 4);
    expect(second.bytesReused).toBeGreaterThan(bytesWritten / 2);
    await repo.branches.delete('dev', { force: true });
    await repo.maintenance.compact();
    const again = await repo.branches.open('again', { create: true });
    for (let n = 0; n < 30; n++) await again.add(many(200, `other${n}x`));
    await db.backup(place);
    await restore(place, join(base, 'restored'), { backend: other });
    const restored = await opened(join(base, 'restored'));
    expect((await restored.verify()).problems).toEqual([]);
    const copy = await (await restored.repository('acme/lines')).branches.open('again');
    expect(await logOf(copy)).toEqual(await logOf(again));
    expect(await copy.size()).toBe(await again.size());
  });

  test('backups that begin within a burst of commits are states that the store had', async () => {
    const base = await directory();
    const db = await opened(backend === 'memory' ? ':memory:' : join(base, 'store'), optionsOf());
    const repo = await db.repository('acme/burst', { create: true });
    await repo.add(many(500));
    let next = 0;
    const burst = async (): Promise<void> => {
      // Their group is too large for the journal.
      await Promise.all(Array.from({ length: 400 }, () => repo.add([q(`b${next++} p o`)])));
      await repo.add([q(`b${next++} p o`)]);
    };
    const places = [1, 2].map((n) => join(base, `backup-${n}`));
    const [first, last] = [burst(), new Promise<void>((resolve) => setImmediate(resolve)).then(burst)];
    const backups = await Promise.all([db.backup(places[0]!), first.then(() => db.backup(places[1]!))]);
    await last;
    for (const [n, { heads }] of backups.entries()) {
      await restore(places[n]!, join(base, `restored-${n}`), { backend: other });
      const restored = await opened(join(base, `restored-${n}`));
      expect((await restored.verify()).problems).toEqual([]);
      const copy = await restored.repository('acme/burst');
      const { number, id } = await copy.revision();
      expect(number).toBe(heads[0]!.number);
      const then = repo.at(number);
      expect((await then.revision()).id).toBe(id);
      expect(await copy.size()).toBe(await then.size());
      expect((await logOf(copy)).length).toBe(number);
    }
  });

  test('a backup while the store is written has every revision up to its head, and nothing after it', async () => {
    const base = await directory();
    const db = await filled(backend === 'memory' ? ':memory:' : join(base, 'store'), optionsOf());
    const people = await db.repository('acme/people');
    let ended = false;
    const writing = (async () => {
      for (let n = 0; !ended; n++) {
        await people.add(many(1 + (n % 50), `w${n}x`));
        if (n % 7 === 3) await people.maintenance.compact();
      }
    })();
    const place = join(base, 'backup');
    const numbers: number[] = [];
    for (let n = 0; n < 5; n++) numbers.push((await db.backup(place)).heads[1]!.number);
    ended = true;
    await writing;
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    await restore(place, join(base, 'restored'));
    const restored = await opened(join(base, 'restored'));
    expect((await restored.verify()).problems).toEqual([]);
    const repo = await restored.repository('acme/people');
    const head = numbers.at(-1)!;
    expect((await repo.revision()).number).toBe(head);
    expect(await logOf(repo)).toEqual((await logOf(people)).slice(-head));
    for (const number of [head, head - 3]) {
      const [view, original] = await Promise.all([repo.at(number), people.at(number)]);
      expect((await view.quads().toArray()).length).toBe((await original.quads().toArray()).length);
    }
  });
});

test('a stream is a tar archive of a full backup', async () => {
  const base = await directory();
  const db = await filled(join(base, 'store'));
  const { stream, bytes } = collected();
  await db.backup(stream);
  const file = join(base, 'backup.tar');
  writeFileSync(file, bytes());
  const names = execFileSync('tar', ['tf', file], { encoding: 'utf8' }).trim().split('\n');
  expect(names.at(-1)).toBe('backup.json');
  expect(await verifyBackup(file)).toMatchObject({ segments: names.length - 1 });
  expect(await verifyBackup(new Blob([bytes()]).stream())).toMatchObject({ segments: names.length - 1 });
  mkdirSync(join(base, 'unpacked'));
  execFileSync('tar', ['xf', file, '-C', join(base, 'unpacked')]);
  await verifyBackup(join(base, 'unpacked'));
  for (const [n, source] of [file, new Blob([bytes()]).stream(), join(base, 'unpacked')].entries()) {
    await restore(source, join(base, `restored${n}`));
    await expectEqual(await opened(join(base, `restored${n}`)), db);
  }
  await expect(verifyBackup(new Blob([bytes().subarray(0, 3000)]).stream())).rejects.toMatchObject({
    code: 'BACKUP_DAMAGED',
  });
  await expect(verifyBackup(new Blob([]).stream())).rejects.toMatchObject({ code: 'NOT_A_BACKUP' });
  await expect(verifyBackup(new Blob(['x'.repeat(2000)]).stream())).rejects.toMatchObject({ code: 'NOT_A_BACKUP' });
});

describe('restore to an earlier revision', () => {
  test('by number, tag, id and time; tags of later revisions and later repositories are left out', async () => {
    const base = await directory();
    const db = await opened(join(base, 'store'));
    const people = await db.repository('acme/people', { create: true });
    await people.add(many(500));
    await people.tags.set('early', 'HEAD');
    await people.add([q('second s o')]);
    await people.remove(many(200));
    await people.tags.set('late', 'HEAD');
    const third = await people.revision();
    await new Promise((resolve) => setTimeout(resolve, 5));
    const between = new Date();
    await new Promise((resolve) => setTimeout(resolve, 5));
    await people.add(many(700, 'new'));
    const { stream, bytes } = collected();
    await db.backup(stream);
    const later = await db.repository('acme/later', { create: true });
    await later.add([q('l l l')]);
    const place = join(base, 'backup');
    await db.backup(place);
    let count = 0;
    const expectAt = async (source: string | ReadableStream<Uint8Array>, to: never, number: number, tags: string[]) => {
      const target = join(base, `restored${count++}`);
      const { omitted } = await restore(source, target, { to });
      const restored = await opened(target);
      expect((await restored.verify()).problems).toEqual([]);
      const repo = await restored.repository('acme/people');
      expect(await logOf(repo)).toEqual((await logOf(people)).slice(-number));
      const there = (await (await people.at(number)).quads().toArray()).length;
      expect((await repo.quads().toArray()).length).toBe(there);
      expect((await repo.tags.list().toArray()).map(({ name }) => name)).toEqual(tags);
      await repo.add([q('goes on after')]);
      expect((await restored.verify()).problems).toEqual([]);
      return { omitted, names: (await restored.repositories().toArray()).map(({ name }) => name) };
    };
    const whole = () => new Blob([bytes()]).stream();
    await expectAt(whole(), 2 as never, 2, ['early']);
    await expectAt(whole(), 'early' as never, 2, ['early']);
    await expectAt(whole(), third.id as never, 4, ['early', 'late']);
    await expectAt(whole(), 'HEAD~4' as never, 1, []);
    const both = ['acme/later', 'acme/people'];
    expect(await expectAt(place, { 'acme/people': 3 } as never, 3, ['early'])).toEqual({ omitted: [], names: both });
    expect(await expectAt(place, between as never, 4, ['early', 'late'])).toEqual({
      omitted: ['acme/later'],
      names: ['acme/people'],
    });
    for (const [to, code] of [
      [3, 'INVALID_OPTION'],
      ['early', 'INVALID_OPTION'],
      [{ 'acme/none': 1 }, 'REPOSITORY_NOT_FOUND'],
      [{ 'acme/people': 99 }, 'REVISION_NOT_FOUND'],
      [{ 'acme/people': 'no such tag!' }, 'INVALID_REF'],
    ] as const)
      await expect(restore(place, join(base, 'none'), { to })).rejects.toMatchObject({ code });
    expect(readdirSync(base).filter((name) => name.startsWith('none'))).toEqual([]);
  });
});

describe('a store that did not come from the state of the backup cannot continue it', () => {
  test('another store, a restored one, a copy beside the original, one that was set back', async () => {
    const base = await directory();
    const place = join(base, 'backup');
    let db = await filled(join(base, 'store'));
    await db.backup(place);
    await db.close();
    cpSync(join(base, 'store'), join(base, 'copy'), { recursive: true });
    const before = manifestOf(place);
    const another = await filled(join(base, 'another'));
    await expect(another.backup(place)).rejects.toMatchObject({ code: 'BACKUP_MISMATCH' });
    await restore(place, join(base, 'restored'));
    const restored = await opened(join(base, 'restored'));
    await expect(restored.backup(place)).rejects.toMatchObject({ code: 'BACKUP_MISMATCH' });
    await restored.backup(join(base, 'backup of restored'));
    expect(manifestOf(place)).toBe(before);
    db = await opened(join(base, 'store'));
    await db.backup(place);
    const copy = await opened(join(base, 'copy'));
    await expect(copy.backup(place)).rejects.toMatchObject({ code: 'BACKUP_MISMATCH' });
    await verifyBackup(place);
    await db.backup(place);
  });

  test('or the copy continues it first, and the original is refused', async () => {
    const base = await directory();
    const place = join(base, 'backup');
    const db = await filled(join(base, 'store'));
    await db.backup(place);
    await db.close();
    cpSync(join(base, 'store'), join(base, 'copy'), { recursive: true });
    const copy = await opened(join(base, 'copy'));
    await copy.backup(place);
    await expect((await opened(join(base, 'store'))).backup(place)).rejects.toMatchObject({ code: 'BACKUP_MISMATCH' });
  });
});

describe('wrong places', () => {
  test('are refused and stay as they are', async () => {
    const base = await directory();
    const db = await filled(join(base, 'store'));
    mkdirSync(join(base, 'full'));
    writeFileSync(join(base, 'full', 'mine.txt'), 'mine');
    await expect(db.backup(join(base, 'full'))).rejects.toMatchObject({ code: 'NOT_A_BACKUP' });
    expect(readdirSync(join(base, 'full'))).toEqual(['mine.txt']);
    await expect(db.backup(join(base, 'full', 'mine.txt'))).rejects.toMatchObject({ code: 'NOT_A_BACKUP' });
    await expect(db.backup(join(base, 'store'))).rejects.toMatchObject({ code: 'INVALID_OPTION' });
    await expect(db.backup(join(base, 'store', 'inside'))).rejects.toMatchObject({ code: 'INVALID_OPTION' });
    expect(existsSync(join(base, 'store', 'inside'))).toBe(false);
    mkdirSync(join(base, 'json'));
    writeFileSync(join(base, 'json', 'backup.json'), '{"mine":1}');
    await expect(db.backup(join(base, 'json'))).rejects.toMatchObject({ code: 'NOT_A_BACKUP' });
    for (const wrong of [7, null, '', new URL('http://localhost/x')])
      await expect(db.backup(wrong as never)).rejects.toMatchObject({ code: 'INVALID_OPTION' });
    await expect(db.backup(join(base, 'x'), { onProgres: () => undefined } as never)).rejects.toMatchObject({
      code: 'INVALID_OPTION',
    });
    await expect(restore(join(base, 'nothing'), join(base, 'r'))).rejects.toMatchObject({ code: 'INPUT_NOT_FOUND' });
    await expect(restore(join(base, 'full'), join(base, 'r'))).rejects.toMatchObject({ code: 'NOT_A_BACKUP' });
    await expect(restore(join(base, 'full'), join(base, 'store'))).rejects.toMatchObject({ code: 'ALREADY_EXISTS' });
    await expect(restore(join(base, 'full'), ':memory:')).rejects.toMatchObject({ code: 'INVALID_OPTION' });
    // An empty directory is a good place.
    mkdirSync(join(base, 'empty'));
    await db.backup(join(base, 'empty'));
  });

  test('two backups into one directory at once: one is refused', async () => {
    const base = await directory();
    const db = await filled(join(base, 'store'));
    const place = join(base, 'backup');
    const outcomes = await Promise.allSettled([db.backup(place), db.backup(place)]);
    const failed = outcomes.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
    expect(failed.map(({ reason }) => (reason as { code: string }).code)).toEqual(['STORE_LOCKED']);
    await verifyBackup(place);
    await Promise.all([db.backup(place), db.backup(join(base, 'second place'))]);
  });
});

describe('damage', () => {
  test('in any file is found, and nothing is restored of it', async () => {
    const base = await directory();
    const db = await filled(join(base, 'store'));
    const good = join(base, 'good');
    await db.backup(good);
    const bad = join(base, 'bad');
    const [segment = ''] = segmentsIn(good);
    const inSegment = join(bad, 'segments', segment);
    const size = statSync(join(good, 'segments', segment)).size;
    const flip = (path: string, at: number) => {
      const bytes = readFileSync(path);
      bytes[at]! ^= 1;
      writeFileSync(path, bytes);
    };
    const spots = [0, 9, 100, Math.floor(size / 2), size - 200, size - 12, size - 1];
    const damages: (() => void)[] = [
      ...spots.map((at) => () => flip(inSegment, at)),
      () => writeFileSync(inSegment, readFileSync(inSegment).subarray(0, size - 1)),
      () => writeFileSync(inSegment, Buffer.concat([readFileSync(inSegment), Buffer.from([0])])),
      () => rmSync(inSegment),
      () => flip(join(bad, 'backup.json'), 200),
      () => writeFileSync(join(bad, 'backup.json'), manifestOf(bad).slice(0, -40)),
      () => writeFileSync(join(bad, 'backup.json'), ''),
    ];
    for (const damage of damages) {
      rmSync(bad, { recursive: true, force: true });
      cpSync(good, bad, { recursive: true });
      damage();
      await expect(verifyBackup(bad)).rejects.toMatchObject({ code: 'BACKUP_DAMAGED' });
      await expect(restore(bad, join(base, 'restored'))).rejects.toMatchObject({ code: 'BACKUP_DAMAGED' });
    }
    expect(readdirSync(base).filter((name) => name.startsWith('restored'))).toEqual([]);
  });

  test('a manifest that names other files is refused, whatever its hash says', async () => {
    const base = await directory();
    const db = await filled(join(base, 'store'));
    const place = join(base, 'backup');
    await db.backup(place);
    const { sealedText } = await import('./manifest-file.js');
    const { content } = JSON.parse(manifestOf(place)) as { content: { segments: object[]; entries: number } };
    const [segment] = content.segments as { name: string; bytes: number }[];
    writeFileSync(join(base, 'secret.qbk'), 'secret');
    const changes: Record<string, unknown>[] = [
      ...['../../etc/passwd', '../secret.qbk', '/etc/passwd', 'segments/x.qbk', 'x', '', 7].map((name) => ({ name })),
      { bytes: -1 },
      { bytes: 1e300 },
      { records: 2 ** 40 },
      { live: [[5, 2 ** 40]] },
      {
        live: [
          [0, 1],
          [0, 1],
        ],
      },
      { live: 'all' },
      { sha256: 'ab' },
    ];
    for (const change of changes) {
      writeFileSync(join(place, 'backup.json'), sealedText({ ...content, segments: [{ ...segment, ...change }] }));
      await expect(verifyBackup(place), JSON.stringify(change)).rejects.toMatchObject({ code: 'BACKUP_DAMAGED' });
    }
    for (const wrong of [
      null,
      7,
      [],
      { ...content, format: 2 },
      { ...content, segments: {} },
      { ...content, entries: 1 },
    ]) {
      writeFileSync(join(place, 'backup.json'), sealedText(wrong));
      await expect(verifyBackup(place)).rejects.toMatchObject({ code: 'BACKUP_DAMAGED' });
    }
  });
});

describe('a backup that ends early', () => {
  test('leaves the one before, and the next one uses what it has written', async () => {
    const base = await directory();
    const place = join(base, 'backup');
    const db = await opened(join(base, 'store'));
    const people = await db.repository('acme/people', { create: true });
    await people.add(many(500));
    await db.backup(place);
    const before = manifestOf(place);
    // More than one segment: what a segment lacks when the backup ends is written again.
    const texts = Array.from({ length: 90 }, (_, n) => q(`s${n} p "${`${n}-text-`.repeat(130_000)}"`));
    for (const text of texts) await people.add([text]);
    const ending = new AbortController();
    const onProgress = ({ bytesWritten }: { bytesWritten: number }) => {
      if (bytesWritten > 75_000_000) ending.abort();
    };
    await expect(db.backup(place, { signal: ending.signal, onProgress })).rejects.toMatchObject({ code: 'ABORTED' });
    expect(manifestOf(place)).toBe(before);
    await verifyBackup(place);
    await people.add([q('one more triple')]);
    const report = await db.backup(place);
    expect(report.bytesReused).toBeGreaterThan(60_000_000);
    expect(existsSync(join(place, 'backup.part.json'))).toBe(false);
    await verifyBackup(place);
    await restore(place, join(base, 'restored'));
    expect(await contentOf(await opened(join(base, 'restored')), 'acme/people')).toEqual(
      await contentOf(db, 'acme/people'),
    );
  });

  test('by closing the store, also while it waits for the reader of its stream', async () => {
    const base = await directory();
    const db = await filled(join(base, 'store'));
    let begun = () => undefined as void;
    const first = new Promise<void>((resolve) => (begun = resolve));
    const stream = new WritableStream<Uint8Array>({ write: () => (begun(), new Promise<void>(() => undefined)) });
    const ending = new AbortController();
    const waiting = db.backup(stream, { signal: ending.signal });
    waiting.catch(() => undefined);
    await first;
    ending.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'ABORTED' });
    const closed = db.backup(join(base, 'backup'), { onProgress: () => void db.close() });
    await expect(closed).rejects.toMatchObject({ code: 'STORE_NOT_OPEN' });
    await db.close();
    await expect(verifyBackup(join(base, 'backup'))).rejects.toMatchObject({ code: 'NOT_A_BACKUP' });
    const again = await opened(join(base, 'store'));
    expect((await again.verify()).problems).toEqual([]);
    await again.backup(join(base, 'backup'));
    await verifyBackup(join(base, 'backup'));
  });

  test('not because a repository is deleted meanwhile: the backup has it as it was', async () => {
    const base = await directory();
    const db = await filled(join(base, 'store'));
    let dropping: Promise<unknown> | undefined;
    const onProgress = () => void (dropping ??= db.deleteRepository('acme/people'));
    await db.backup(join(base, 'backup'), { onProgress });
    expect(await dropping).toBe(true);
    await restore(join(base, 'backup'), join(base, 'restored'));
    const restored = await opened(join(base, 'restored'));
    expect((await restored.verify()).problems).toEqual([]);
    expect(await (await restored.repository('acme/people')).size()).toBe(3041);
    const report = await db.backup(join(base, 'backup'));
    expect(report.heads.map(({ name }) => name)).toEqual(['acme/other']);
    expect((await verifyBackup(join(base, 'backup'))).entries).toBeLessThan(50);
  });
});

test('rebuilt indexes and dropped terms do not come from an earlier backup', async () => {
  const base = await directory();
  const db = await filled(join(base, 'store'));
  const people = await db.repository('acme/people');
  const place = join(base, 'backup');
  // Terms that no revision uses: their transaction is rolled back after a load has made them durable.
  const lines = Array.from({ length: 5000 }, (_, i) => `<http://unused.example/${i}> <http://e/p> "unused ${i}" .\n`);
  await expect(people.load({ text: `${lines.join('')}broken` }, { format: 'nt' })).rejects.toMatchObject({
    code: 'RDF_SYNTAX',
  });
  await db.backup(place);
  await people.maintenance.compact();
  await db.backup(place);
  await people.maintenance.rebuild();
  await people.add(many(300, 'later'));
  await db.backup(place);
  await restore(place, join(base, 'restored'));
  await expectEqual(await opened(join(base, 'restored')), db);
});

test('a first revision that an import has replaced does not come from an earlier backup', async () => {
  const base = await directory();
  const db = await opened(join(base, 'store'));
  const source = await db.repository('acme/other', { create: true });
  await source.add([q('x p y g')]);
  const copy = await db.repository('acme/people', { create: true });
  const place = join(base, 'backup');
  await db.backup(place);
  let text = '';
  for await (const chunk of await source.sync.exportHistory()) text += String(chunk);
  await copy.sync.importHistory({ text });
  await db.backup(place);
  await restore(place, join(base, 'restored'));
  const restored = await opened(join(base, 'restored'));
  expect((await restored.verify()).problems).toEqual([]);
  expect(await logOf(await restored.repository('acme/people'))).toEqual(await logOf(source));
});

test('many backups do not keep many segments', async () => {
  const base = await directory();
  const db = await filled(join(base, 'store'));
  const people = await db.repository('acme/people');
  const place = join(base, 'backup');
  let most = 0;
  for (let n = 0; n < 45; n++) {
    await people.add([q(`n${n} p o`)]);
    await db.backup(place);
    most = Math.max(most, segmentsIn(place).length);
  }
  expect(most).toBeLessThanOrEqual(18);
  await restore(place, join(base, 'restored'));
  await expectEqual(await opened(join(base, 'restored')), db);
});

test('a directory target is let go when its backup has failed', async () => {
  const base = await directory();
  const target = await DirectoryTarget.open(join(base, 'backup'));
  await expect(DirectoryTarget.open(join(base, 'backup'))).rejects.toMatchObject({ code: 'STORE_LOCKED' });
  await target.close();
  await (await DirectoryTarget.open(join(base, 'backup'))).close();
});
