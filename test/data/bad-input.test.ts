/**
 * What must not be stored, and what must not happen: each is told by a clear error, and the store is as it was before:
 * head, content, keys on disk.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { StorageEngine } from '@quadrille/storage';
import { openLevelDirectory } from '@quadrille/storage-level';
import type * as RDF from '@rdfjs/types';
import { iri, literal, open, quad, QuadrilleError } from 'quadrille';
import type { Database, Repository, Revision } from 'quadrille';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { directoryBytes } from './shared-data.js';

const LIBRARY = resolve(import.meta.dirname, '../../packages/quadrille/dist/index.js');
const LIMIT_MS = 180_000;
/** Of a store of 501 quads, after a load of 1.2 million failed and the store was compacted. */
const MAX_BYTES_AFTER_FAILURE = 1_000_000;

let base: string;
let path: string;
let db: Database;
let repository: Repository;

beforeEach(async () => {
  base = mkdtempSync(join(tmpdir(), 'quadrille-bad-'));
  path = join(base, 'store');
  await reopen();
  await repository.load({ text: lines(0, 500) }, { format: 'nt', message: 'first' });
  await repository.add(quad(iri('http://e/more'), iri('http://e/p'), literal('more')), { message: 'second' });
});
afterEach(async () => {
  await db.close();
  rmSync(base, { recursive: true });
});

async function reopen(): Promise<void> {
  await db?.close();
  db = await open(path);
  repository = await db.repository('data', { create: true });
}

const line = (n: number): string => `<http://e/s${n >> 2}> <http://e/p${n & 3}> "value ${n}"@en .\n`;
const lines = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, i) => line(from + i)).join('');

async function* streamOf(...parts: (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield typeof part === 'string' ? Buffer.from(part) : part;
}

// ── What the store is, in and out ───────────────────────────────────────────────────────────────────────────────────

interface Content {
  readonly log: readonly Revision[];
  readonly size: number;
  readonly dump: readonly string[];
}

async function content(): Promise<Content> {
  const dump = (await repository.dump('application/n-quads').toArray()).join('').split('\n').sort();
  return { log: await repository.log().toArray(), size: await repository.size(), dump };
}

/**
 * Keys of the dictionary, as docs/design.md has them: area, repository, tag. Terms that no revision uses are harmless there
 * until `compact` drops them, since other commits may have used them meanwhile.
 */
const DICTIONARY = /^10.{8}0[4-7f]/;

/** All keys in the storage but those of terms. The store is closed meanwhile. */
async function keysOnDisk(): Promise<string[]> {
  await db.close();
  const engine = await StorageEngine.open(await openLevelDirectory(path, { format: 1000 }));
  const keys: string[] = [];
  for await (const entries of engine.range({}, { read: 'keys' }))
    for (const { key } of entries) {
      const hex = Buffer.from(key).toString('hex');
      if (!DICTIONARY.test(hex)) keys.push(hex);
    }
  await engine.close();
  await reopen();
  return keys;
}

/** Does what must fail; the answer is its error. Nothing may have changed, now and after reopening. */
async function refused(
  action: () => Promise<unknown>,
  code: string,
): Promise<QuadrilleError & Record<string, unknown>> {
  const keys = await keysOnDisk();
  const before = await content();
  const error = await action().then(
    () => undefined,
    (failure: unknown) => failure,
  );
  expect(error, 'it must fail').toBeInstanceOf(QuadrilleError);
  expect(error).toMatchObject({ code });
  expect((error as Error).message.length).toBeGreaterThan(10);
  await expectAsBefore(before, keys);
  return error as QuadrilleError & Record<string, unknown>;
}

async function expectAsBefore(before: Content, keys: readonly string[]): Promise<void> {
  expect(await content()).toEqual(before);
  expect((await db.verify()).problems).toEqual([]);
  await reopen();
  expect(await content()).toEqual(before);
  expect((await db.verify()).problems).toEqual([]);
  expect(await keysOnDisk(), 'nothing may be left on disk').toEqual(keys);
  // And it still takes what is right.
  const still = iri(`http://e/still${before.log.length}`);
  const revision = await repository.add(quad(still, iri('http://e/p'), literal('works')));
  expect(revision).toMatchObject({ number: before.log[0]!.number + 1, added: 1 });
}

/** Names, sizes and digests of the files below a directory. */
function files(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(directory, name)).isFile())
    .map(
      (name) =>
        `${name} ${createHash('sha256')
          .update(readFileSync(join(directory, name)))
          .digest('hex')}`,
    )
    .sort();
}

// ── Loads ───────────────────────────────────────────────────────────────────────────────────────────────────────────

describe('a load that fails', () => {
  it(
    'by a syntax error on line 1,000,000 tells the line, and nothing is left of the 999,999 before it',
    async () => {
      async function* million(): AsyncGenerator<Uint8Array> {
        for (let from = 0; from < 999_000; from += 1000) yield Buffer.from(lines(from, from + 1000));
        yield Buffer.from(`${lines(999_000, 999_999)}<http://e/s> <http://e/p> "not closed .\n${lines(0, 1000)}`);
      }
      const error = await refused(
        () => repository.load(million(), { format: 'application/n-triples', sourceName: 'million.nt' }),
        'RDF_SYNTAX',
      );
      expect(error).toMatchObject({ line: 1_000_000, source: 'million.nt' });
      expect(error.message).toMatch(/^million\.nt:1000000:\d+: /);
    },
    LIMIT_MS,
  );

  it(
    'by a syntax error after several chunks, replacing, leaves what was there',
    async () => {
      async function* much(): AsyncGenerator<Uint8Array> {
        for (let from = 0; from < 1_200_000; from += 1000) yield Buffer.from(lines(from, from + 1000));
        yield Buffer.from('oops\n');
      }
      const error = await refused(() => repository.load(much(), { format: 'nt', replace: true }), 'RDF_SYNTAX');
      expect(error).toMatchObject({ line: 1_200_001, column: 1 });
      // Its terms go when the store is compacted; holes in the dictionary stay, a few bytes a block of 128.
      await repository.maintenance.compact();
      expect(await directoryBytes(path)).toBeLessThan(MAX_BYTES_AFTER_FAILURE);
      expect((await db.verify()).problems).toEqual([]);
    },
    LIMIT_MS,
  );

  it.each(['nt', 'nq', 'ttl', 'trig'])('by invalid UTF-8 in %s', async (format) => {
    const bad = Buffer.from([0x22, 0xc3, 0x28, 0x22]);
    const error = await refused(
      () => repository.load(streamOf(lines(500, 600), '<http://e/s> <http://e/p> ', bad, ' .\n'), { format }),
      'RDF_SYNTAX',
    );
    expect(error).toMatchObject({ line: 101 });
    expect(error.message).toMatch(/UTF-8/);
  });

  it.each([0.3, 0.7, 0.99])('by a gzip file that ends after %d of it', async (share) => {
    const packed = gzipSync(lines(500, 20_000));
    const file = join(base, 'short.nt.gz');
    await writeFile(file, packed.subarray(0, Math.floor(packed.length * share)));
    const error = await refused(() => repository.load(file), 'RDF_SYNTAX');
    expect(error.message).toContain(file);
    expect(error.message).toMatch(/gzip/);
  });

  it('by a gzip file whose checksum is wrong', async () => {
    const packed = gzipSync(lines(500, 20_000));
    packed[packed.length - 6]! ^= 1;
    const file = join(base, 'damaged.nt.gz');
    await writeFile(file, packed);
    await refused(() => repository.load(file), 'RDF_SYNTAX');
  });

  it.each([
    ['a literal as subject', '"s" <http://e/p> <http://e/o> .'],
    ['a literal as predicate', '<http://e/s> "p" <http://e/o> .'],
    ['a blank node as predicate', '<http://e/s> _:p <http://e/o> .'],
    ['an IRI with a space', '<http://e/a b> <http://e/p> <http://e/o> .'],
    ['a relative IRI', '<s> <http://e/p> <http://e/o> .'],
    ['an escaped lone surrogate', '<http://e/s> <http://e/p> "\\uD800" .'],
    ['a graph in N-Triples', '<http://e/s> <http://e/p> <http://e/o> <http://e/g> .'],
  ])('by %s', async (_, bad) => {
    const error = await refused(
      () => repository.load({ text: `${lines(500, 510)}${bad}\n` }, { format: 'nt' }),
      'RDF_SYNTAX',
    );
    expect(error).toMatchObject({ line: 11 });
  });

  it('because the caller aborts it', async () => {
    const controller = new AbortController();
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (let from = 1000; ; from += 1000) {
        if (from === 200_000) controller.abort();
        yield Buffer.from(lines(from, from + 1000));
      }
    }
    await refused(() => repository.load(endless(), { format: 'nt', signal: controller.signal }), 'ABORTED');
  });

  it(
    'because the caller aborts it while it is indexed',
    async () => {
      const controller = new AbortController();
      const load = (): Promise<unknown> =>
        repository.load(
          { text: lines(1000, 200_000) },
          {
            format: 'nt',
            signal: controller.signal,
            onProgress: ({ phase }) => {
              if (phase !== 'reading') controller.abort();
            },
          },
        );
      await refused(load, 'ABORTED');
    },
    LIMIT_MS,
  );

  it('because its stream fails midway, with the very error of the stream', async () => {
    const failure = new Error('the connection was lost');
    async function* broken(): AsyncGenerator<Uint8Array> {
      for (let from = 1000; from < 100_000; from += 1000) yield Buffer.from(lines(from, from + 1000));
      throw failure;
    }
    const keys = await keysOnDisk();
    const before = await content();
    await expect(repository.load(broken(), { format: 'nt' })).rejects.toBe(failure);
    await expectAsBefore(before, keys);
  });

  it('by a file that is not there, a directory, an unknown option, an unknown format or a stale condition', async () => {
    const text = lines(500, 510);
    const loads: [() => Promise<unknown>, string, RegExp][] = [
      [() => repository.load(join(base, 'nothing.nt')), 'INPUT_NOT_FOUND', /nothing\.nt/],
      [() => repository.load(base, { format: 'nt' }), 'INPUT_NOT_FOUND', /directory/],
      [() => repository.load({ text }, { format: 'nt', repalce: true } as object), 'INVALID_OPTION', /repalce/],
      [() => repository.load({ text }, { format: 'docx' }), 'INVALID_OPTION', /docx/],
      [() => repository.load({ text }), 'INVALID_OPTION', /format/],
      [() => repository.load(7 as unknown as string, { format: 'nt' }), 'INVALID_OPTION', /source/],
      [() => repository.load({ text }, { format: 'nt', ifRevision: 1 }), 'REVISION_CONFLICT', /revision/i],
    ];
    for (const [load, code, message] of loads) {
      const error = await refused(load, code);
      expect(error.message).toMatch(message);
    }
  });
});

// ── Terms ───────────────────────────────────────────────────────────────────────────────────────────────────────────

const good = (n: number): RDF.Quad => quad(iri(`http://e/good${n}`), iri('http://e/p'), literal(`${n}`));
const term = (members: object): never => ({ equals: () => false, ...members }) as never;
const named = (value: string): never => term({ termType: 'NamedNode', value });
const XSD_STRING = named('http://www.w3.org/2001/XMLSchema#string');
const foreign = (members: object): RDF.Quad =>
  term({
    termType: 'Quad',
    value: '',
    subject: named('http://e/s'),
    predicate: named('http://e/p'),
    object: named('http://e/o'),
    graph: term({ termType: 'DefaultGraph', value: '' }),
    ...members,
  });
const plain = (value: unknown, more: object = {}): never =>
  term({ termType: 'Literal', value, language: '', datatype: XSD_STRING, ...more });

const BAD_QUADS: [string, RDF.Quad, RegExp][] = [
  ['a lone surrogate in a literal', foreign({ object: plain('a\uD800b') }), /surrogate/],
  ['a lone surrogate in an IRI', foreign({ subject: named('http://e/\uDC00') }), /surrogate|IRI/],
  ['a literal as subject', foreign({ subject: plain('s') }), /subject/],
  ['a literal as graph', foreign({ graph: plain('g') }), /graph/],
  ['a variable', foreign({ object: term({ termType: 'Variable', value: 'v' }) }), /[Vv]ariable|\?v/],
  ['a blank node as predicate', foreign({ predicate: term({ termType: 'BlankNode', value: 'b' }) }), /predicate/],
  ['an IRI with a space', foreign({ object: named('http://e/a b') }), /http:\/\/e\/a b/],
  ['an IRI with a <', foreign({ object: named('http://e/a<b') }), /http:\/\/e\/a<b/],
  ['an empty IRI', foreign({ object: named('') }), /IRI/],
  ['a language tag that is none', foreign({ object: plain('x', { language: 'no tag' }) }), /language|tag/],
  ['a literal whose value is a number', foreign({ object: plain(7) }), /text/],
  ['a subject that is missing', foreign({ subject: undefined }), /subject|not a quad/],
];

describe('terms that cannot be stored', () => {
  it.each(BAD_QUADS)(
    '%s: neither alone nor among others, whichever call brings them',
    async (_, bad, message) => {
      const fifty = Array.from({ length: 50 }, (_none, n) => good(n));
      async function* stream(): AsyncGenerator<RDF.Quad> {
        yield* fifty;
        yield bad;
      }
      const calls: (() => Promise<unknown>)[] = [
        () => repository.add(bad),
        () => repository.add([...fifty, bad]),
        () => repository.add(stream()),
        () =>
          repository.transaction(async (transaction) => {
            await transaction.add(fifty);
            await transaction.add(bad);
          }),
      ];
      for (const call of calls) {
        const error = await refused(call, 'INVALID_TERM');
        expect(error.message).toMatch(message);
      }
    },
    LIMIT_MS,
  );
});

// ── Revisions ───────────────────────────────────────────────────────────────────────────────────────────────────────

describe('a revision that there is not', () => {
  it.each([
    ['#99', 'REVISION_NOT_FOUND'],
    [99, 'REVISION_NOT_FOUND'],
    [0, 'REVISION_NOT_FOUND'],
    ['HEAD~50', 'REVISION_NOT_FOUND'],
    ['01890000-0000-7000-8000-000000000000', 'REVISION_NOT_FOUND'],
    ['urn:uuid:01890000-0000-7000-8000-000000000000', 'REVISION_NOT_FOUND'],
    ['1999-12-31', 'REVISION_NOT_FOUND'],
    ['no-such-tag', 'REVISION_NOT_FOUND'],
    ['two words', 'INVALID_REF'],
    ['#', 'INVALID_REF'],
    ['', 'INVALID_REF'],
    [1.5, 'INVALID_REF'],
    [-1, 'REVISION_NOT_FOUND'],
    [Number.NaN, 'INVALID_REF'],
    [new Date(Number.NaN), 'INVALID_REF'],
    [{} as never, 'INVALID_REF'],
  ])('%s is told as %s by reads and writes', async (ref, code) => {
    const calls: (() => Promise<unknown>)[] = [
      () => repository.at(ref).size(),
      () => repository.at(ref).quads().toArray(),
      () => repository.at(ref).ask('ASK {}'),
      () => repository.at(ref).dump('nt').first(),
      () => repository.diff(ref).toArray(),
      () => repository.diff('TAIL', ref).toArray(),
      () => repository.log({ before: ref }).toArray(),
      () => repository.revert(ref),
      () => repository.tags.set('tag', ref),
    ];
    const keys = await keysOnDisk();
    const before = await content();
    for (const call of calls) {
      const error = await call().then(
        () => undefined,
        (failure: unknown) => failure,
      );
      expect(error, String(call)).toBeInstanceOf(QuadrilleError);
      expect(error, String(call)).toMatchObject({ code });
    }
    await expectAsBefore(before, keys);
  });
});

// ── The directory ───────────────────────────────────────────────────────────────────────────────────────────────────

const unbuilt = existsSync(LIBRARY) ? '' : ` (skipped: ${LIBRARY} is not built)`;

describe('the directory', () => {
  it.skipIf(unbuilt !== '')(`is refused to a second process, which is told whose it is${unbuilt}`, async () => {
    const script = `
      import { open } from ${JSON.stringify(pathToFileURL(LIBRARY).href)};
      try {
        const db = await open(${JSON.stringify(path)});
        console.log('open');
        await db.close();
      } catch (error) {
        console.log(JSON.stringify({ code: error.code, message: error.message }));
      }
    `;
    const before = await content();
    const inside = files(path);
    const run = (): { stdout: string; stderr: string } =>
      spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
    const { stdout, stderr } = run();
    expect(stderr).toBe('');
    const told = JSON.parse(stdout) as { code: string; message: string };
    expect(told.code).toBe('STORE_LOCKED');
    expect(told.message).toContain(path);
    expect(told.message).toContain(String(process.pid));
    expect(files(path)).toEqual(inside);
    expect(await content()).toEqual(before);
    await db.close();
    expect(run().stdout.trim()).toBe('open');
    await reopen();
    expect(await content()).toEqual(before);
  });

  /** Opening fails with the code and touches no file. */
  async function expectRefused(directory: string, code: string, message: RegExp): Promise<void> {
    const before = files(directory);
    for (let n = 0; n < 2; n++) {
      const error = await open(directory).then(
        () => undefined,
        (failure: unknown) => failure,
      );
      expect(error).toBeInstanceOf(QuadrilleError);
      expect(error).toMatchObject({ code, message: expect.stringMatching(message) });
      expect((error as Error).message).toContain(directory);
    }
    expect(files(directory)).toEqual(before);
  }

  it('of a newer format is told and left alone', async () => {
    const before = await content();
    await db.close();
    const marker = join(path, 'quadrille.json');
    const text = readFileSync(marker, 'utf8');
    const { format } = JSON.parse(text) as { format: number };
    writeFileSync(marker, text.replace(/"format":\s*\d+/, `"format":${format + 1}`));
    await expectRefused(path, 'FORMAT_VERSION', new RegExp(`format ${format + 1}.*newer`, 's'));
    writeFileSync(marker, text.slice(0, 10));
    await expectRefused(path, 'FORMAT_VERSION', /damaged/);
    writeFileSync(marker, text);
    await reopen();
    expect(await content()).toEqual(before);
  });

  it('that is no store is left alone', async () => {
    const other = join(base, 'photos');
    await mkdir(other);
    await writeFile(join(other, 'cat.jpg'), 'meow');
    await expectRefused(other, 'NOT_A_STORE', /not a Quadrille store/);
    const file = join(other, 'cat.jpg');
    await expect(open(file)).rejects.toMatchObject({ code: 'NOT_A_STORE' });
    expect(readFileSync(file, 'utf8')).toBe('meow');
    // A LevelDB of somebody else.
    await db.close();
    const foreignLevel = join(base, 'level');
    await rename(join(path, 'level'), foreignLevel);
    await expectRefused(foreignLevel, 'NOT_A_STORE', /not a Quadrille store/);
    await rename(foreignLevel, join(path, 'level'));
    await reopen();
  });

  it('that is missing is not made where that was not wanted', async () => {
    const nowhere = join(base, 'nowhere');
    await expect(open(nowhere, { create: false })).rejects.toMatchObject({ code: 'STORE_NOT_FOUND' });
    expect(existsSync(nowhere)).toBe(false);
    await expect(open(path, { craete: true } as object)).rejects.toMatchObject({ code: 'INVALID_OPTION' });
  });

  it.each(['deleted', 'emptied'])('whose CURRENT is %s keeps its tables', async (how) => {
    const before = await content();
    await db.close();
    const current = join(path, 'level/CURRENT');
    const text = readFileSync(current, 'utf8');
    if (how === 'deleted') await rm(current);
    else writeFileSync(current, '');
    await expectRefused(path, 'LOG_BROKEN', /CURRENT/);
    writeFileSync(current, text);
    await reopen();
    expect(await content()).toEqual(before);
    expect((await db.verify()).problems).toEqual([]);
  });
});

// ── A full disk ─────────────────────────────────────────────────────────────────────────────────────────────────────

const DISK_MB = 24;
const BALLAST_MB = 14;
const mountPoint = join(tmpdir(), `quadrille-full-disk-${process.pid}`);
const mountable = mountSmallDisk();
if (mountable) unmountSmallDisk();
const unmountable = mountable ? '' : ' (skipped: may not mount a tmpfs)';

function mountSmallDisk(): boolean {
  if (process.platform !== 'linux') return false;
  mkdirSync(mountPoint, { recursive: true });
  const done = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m`, 'tmpfs', mountPoint]).status === 0;
  if (!done) rmdirSync(mountPoint);
  return done;
}

function unmountSmallDisk(): void {
  spawnSync('umount', ['-l', mountPoint]);
  rmdirSync(mountPoint);
}

describe('a full disk', () => {
  beforeAll(() => {
    if (mountable) expect(mountSmallDisk()).toBe(true);
  });
  afterAll(() => {
    if (mountable) unmountSmallDisk();
  });

  it.skipIf(!mountable)(
    `fails a load, not the reads; when there is space again all goes on${unmountable}`,
    async () => {
      await db.close();
      path = join(mountPoint, 'store');
      const ballast = join(mountPoint, 'ballast');
      await reopen();
      await repository.load({ text: lines(0, 5000) }, { format: 'nt' });
      await writeFile(ballast, Buffer.alloc(BALLAST_MB * 1024 * 1024, 1));
      const keys = await keysOnDisk();
      const before = await content();

      async function* much(): AsyncGenerator<Uint8Array> {
        for (let from = 5000; from < 600_000; from += 1000) yield Buffer.from(lines(from, from + 1000));
      }
      const load = (): Promise<Revision> => repository.load(much(), { format: 'nt' });
      await expect(load()).rejects.toMatchObject({ code: expect.stringMatching(/^STORAGE_(FULL|IO)$/) });
      expect(await content()).toEqual(before);
      expect(await repository.count({ predicate: iri('http://e/p1') })).toBe(1250);

      // Still full, so that not even what fits is promised; reads go on.
      await writeFile(join(mountPoint, 'more'), Buffer.alloc(DISK_MB * 1024 * 1024, 1)).catch(() => undefined);
      await expect(repository.add(good(1))).rejects.toMatchObject({ code: expect.stringMatching(/^STORAGE_/) });
      expect(await content()).toEqual(before);

      await rm(join(mountPoint, 'more'));
      await rm(ballast);
      const added = await repository.add(good(1));
      expect(added).toMatchObject({ number: before.log[0]!.number + 1, added: 1 });
      expect((await db.verify()).problems).toEqual([]);
      expect(await repository.size()).toBe(before.size + 1);
      await repository.revert(added);
      expect((await content()).dump).toEqual(before.dump);

      // What is left of the load is gone after reopening: the keys are those of before and of two more revisions.
      await reopen();
      expect((await db.verify()).problems).toEqual([]);
      expect((await content()).dump).toEqual(before.dump);
      const after = new Set(await keysOnDisk());
      expect(keys.filter((key) => !after.has(key)).length).toBeLessThan(10);
      expect(after.size - keys.length).toBeLessThan(20);
      const { added: loaded } = await repository.load({ text: lines(5000, 50_000) }, { format: 'nt' });
      expect(loaded).toBe(45_000);
      expect((await db.verify()).problems).toEqual([]);
      await db.close();
    },
    LIMIT_MS,
  );
});
