import { gzipSync } from 'node:zlib';
import { seededRandom } from '@quadrille/storage/testing';
import { expect, test } from 'vitest';
import type { HistoryProgress, Repository } from '../index.js';
import { all, directory, many, memory, q } from '../testing/fixtures.js';
import { expectSameHistory, historyOf, makeHistory, sealed } from '../testing/histories.js';
import { open } from '../index.js';

const SEED = Number(process.env['QUADRILLE_SEED'] ?? 1);

async function emptyRepository(): Promise<Repository> {
  return (await memory()).repository('acme/copy', { create: true });
}

async function sample(commits = 12): Promise<Repository> {
  const original = await (await memory()).repository('acme/people', { create: true });
  await makeHistory(original, seededRandom(SEED), commits);
  return original;
}

const refused = async (call: Promise<unknown>): Promise<unknown> => call.catch((error: unknown) => error);
const broken = (line: unknown = expect.any(Number)) =>
  expect.objectContaining({ code: 'LOG_BROKEN', details: expect.objectContaining({ line }) });
const diverged = expect.objectContaining({ code: 'HISTORY_DIVERGED' });

test.each([1, 2, 3, 4])(
  `a history that was exported and imported is the same (QUADRILLE_SEED=${SEED}) %i`,
  async (n) => {
    const original = await (await memory()).repository('acme/people', { create: true });
    await makeHistory(original, seededRandom(SEED + n), 30);
    const text = await historyOf(original);
    const copy = await emptyRepository();
    const head = await copy.sync.importHistory({ text });
    expect(head).toEqual(await original.revision());
    await expectSameHistory(copy, original);
    // It goes on as any other repository.
    expect(await copy.add(q('new p o'))).toMatchObject({ number: head.number + 1, parent: head.id });
  },
);

test('the text is RDF Patch in whole lines, and later commits do not change it', async () => {
  const original = await (await memory()).repository('acme/people', { create: true });
  await original.add(q('s p o'), { message: 'first\n', author: 'jo' });
  const results = original.sync.exportHistory();
  await original.add(q('s p later'));
  const text = (await all(results)).join('');
  const { id, parent, time } = await original.at(2).revision();
  const rows = text.split('\n');
  expect(rows.slice(0, 2)).toEqual(['H history "1" .', 'H repository "acme/people" .']);
  const second = rows.indexOf(`H id <urn:uuid:${id}> .`);
  expect(rows.slice(second, second + 6)).toEqual([
    `H id <urn:uuid:${id}> .`,
    `H prev <urn:uuid:${parent!}> .`,
    'H number "2"^^<http://www.w3.org/2001/XMLSchema#integer> .',
    `H time "${time.toISOString()}"^^<http://www.w3.org/2001/XMLSchema#dateTime> .`,
    'H author "jo" .',
    'H message "first\\n" .',
  ]);
  expect(rows.slice(second + 7, second + 10)).toEqual([
    'TX .',
    'A <http://example.org/s> <http://example.org/p> <http://example.org/o> .',
    'TC .',
  ]);
  expect(text).not.toContain('later');
  expect(sealed(text)).toBe(text);
});

test(
  'large changes and long histories go through a directory of the other backend, from a file that is gzipped',
  { timeout: 120_000 },
  async () => {
    const original = await (await memory()).repository('acme/people', { create: true });
    await original.add(many(30_000), { message: 'many' });
    await original.remove({ subject: q('s1 p o').subject });
    await original.remove(many(12_000, 's').slice(5000));
    await original.add(many(30_000, 't'));
    for (let n = 0; n < 300; n++) await original.add(q(`r${n} p o`));
    const place = await directory();
    const db = await open(`${place}/store`, { create: true, backend: 'lmdb' });
    try {
      const copy = await db.repository('acme/people', { create: true });
      const bytes = gzipSync(await historyOf(original));
      const seen: HistoryProgress[] = [];
      await copy.sync.importHistory(bytes, { onProgress: (progress) => void seen.push(progress) });
      expect(seen.at(-1)).toEqual({ bytesRead: bytes.length, bytesTotal: bytes.length, imported: 305, skipped: 0 });
      expect(await copy.log().toArray()).toEqual(await original.log().toArray());
      for (const [from, to] of [
        [1, 2],
        [2, 3],
        [3, 4],
        [4, 5],
        [5, 305],
      ] as const) {
        const [mine, theirs] = [await copy.diff(from, to).toArray(), await original.diff(from, to).toArray()];
        const keys = (entries: typeof mine): string[] => entries.map(({ op, quad: { subject } }) => op + subject.value);
        expect(keys(mine).toSorted()).toEqual(keys(theirs).toSorted());
      }
      expect(await db.verify()).toMatchObject({ ok: true, problems: [] });
    } finally {
      await db.close();
    }
  },
);

test('an import goes on where another one has ended, and an export may begin there', async () => {
  const original = await sample();
  const head = (await original.revision()).number;
  const middle = Math.ceil(head / 2);
  const [copy, stepwise] = [await emptyRepository(), await emptyRepository()];
  await copy.sync.importHistory({ text: await historyOf(original, { to: middle }) });
  expect((await copy.revision()).number).toBe(middle);
  const seen: HistoryProgress[] = [];
  await copy.sync.importHistory(
    { text: await historyOf(original) },
    { onProgress: (progress) => void seen.push(progress) },
  );
  expect(seen.at(-1)).toMatchObject({ imported: head - middle, skipped: middle });
  await expectSameHistory(copy, original);
  for (let from = 0; from <= head; from += 3) {
    const text = await historyOf(original, { ...(from > 0 && { since: from }), to: Math.min(head, from + 3) });
    await stepwise.sync.importHistory({ text });
  }
  await expectSameHistory(stepwise, original);
  // Nothing to do, and nothing in it.
  expect(await copy.sync.importHistory({ text: await historyOf(original, { since: 'HEAD' }) })).toEqual(
    await original.revision(),
  );
});

test('a history that does not fit is refused', async () => {
  const [original, other] = [await sample(20), await emptyRepository()];
  const text = await historyOf(original);
  await other.add(q('own p o'));
  expect(await refused(other.sync.importHistory({ text }))).toEqual(diverged);
  const later = await historyOf(original, { since: 3 });
  expect(await refused(other.sync.importHistory({ text: later }))).toEqual(diverged);
  expect(await refused((await emptyRepository()).sync.importHistory({ text: later }))).toEqual(diverged);
  expect(await other.log().toArray()).toHaveLength(2);
  // What was committed after a part of it.
  const copy = await emptyRepository();
  await copy.sync.importHistory({ text: await historyOf(original, { to: 3 }) });
  await copy.add(q('own p o'));
  expect(await refused(copy.sync.importHistory({ text }))).toEqual(diverged);
  expect((await copy.revision()).number).toBe(4);
  const tagged = await emptyRepository();
  await tagged.tags.set('first', 1);
  expect(await refused(tagged.sync.importHistory({ text }))).toEqual(diverged);
  expect(await tagged.tags.get('first')).toMatchObject({ number: 1 });
});

test('a revision that the repository has is compared with that of the file', async () => {
  const original = await emptyRepository();
  await original.add([q('a p o'), q('b p o')], { author: 'jo' });
  await original.add(many(12_000));
  const text = await historyOf(original);
  const copy = await emptyRepository();
  await copy.sync.importHistory({ text });
  for (const [from, to] of [
    ['/a> <', '/c> <'],
    ['H author "jo"', 'H author "al"'],
    [/A .*s11999.*\n/, ''],
    [/s11999>/, 's12999>'],
  ] as const) {
    const edited = sealed(text.replace(from, to));
    expect(edited).not.toBe(text);
    expect(await refused(copy.sync.importHistory({ text: edited })), String(from)).toEqual(diverged);
  }
  await expectSameHistory(copy, original);
});

test('wrong options', async () => {
  const original = await emptyRepository();
  for (const text of ['a p o', 'b p o']) await original.add(q(text));
  const invalid = expect.objectContaining({ code: 'INVALID_OPTION' });
  expect(await refused(historyOf(original, { since: 3, to: 2 }))).toEqual(invalid);
  expect(() => original.sync.exportHistory({ from: 1 } as never)).toThrow(invalid as never);
  expect(await refused(historyOf(original, { since: 99 }))).toMatchObject({ code: 'REVISION_NOT_FOUND' });
  expect(await refused(original.sync.importHistory({ text: '' }, { onProgress: 1 as never }))).toEqual(invalid);
  expect(await refused(original.sync.importHistory('/there/is/no/such.rdfp'))).toMatchObject({
    code: 'INPUT_NOT_FOUND',
  });
});

test('an import that is aborted keeps whole revisions and goes on later', async () => {
  const original = await emptyRepository();
  for (let n = 0; n < 3000; n++) await original.add(q(`s${n} p o`));
  const text = await historyOf(original);
  const copy = await emptyRepository();
  const controller = new AbortController();
  const bytes = new TextEncoder().encode(text);
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += 10_000) {
      if (at > bytes.length * 0.7) controller.abort();
      yield bytes.subarray(at, at + 10_000);
    }
  }
  expect(await refused(copy.sync.importHistory(chunks(), { signal: controller.signal }))).toMatchObject({
    code: 'ABORTED',
  });
  const kept = (await copy.revision()).number;
  expect(kept).toBeGreaterThan(1000);
  expect(kept).toBeLessThan(3001);
  expect(await copy.size()).toBe(kept - 1);
  await copy.sync.importHistory({ text });
  expect(await copy.log().toArray()).toEqual(await original.log().toArray());
  expect(await refused(original.sync.exportHistory({ signal: controller.signal }).toArray())).toMatchObject({
    code: 'ABORTED',
  });
});

test('commits beside an import end it without harm', async () => {
  const original = await sample();
  const text = await historyOf(original);
  const copy = await emptyRepository();
  const [imported] = await Promise.all([refused(copy.sync.importHistory({ text })), copy.add(q('own p o'))]);
  expect(imported).toEqual(diverged);
  expect(await copy.maintenance.verify()).toMatchObject({ ok: true });
  expect(await copy.quads(q('own p o')).toArray()).toHaveLength(1);
});

// ── Damage ────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Imports a damaged text: it is refused with its line, and what is kept is a beginning of the history. */
async function expectRefused(text: string | Uint8Array, original: Repository, what: string): Promise<number> {
  const copy = await emptyRepository();
  const source = typeof text === 'string' ? { text } : text;
  const error = await refused(copy.sync.importHistory(source));
  expect(error, what).toEqual(broken());
  const { line } = (error as { details: { line: number } }).details;
  const log = await copy.log().toArray();
  if (log.length > 1) expect(log, what).toEqual((await original.log().toArray()).slice(-log.length));
  return line;
}

async function small(): Promise<{ original: Repository; text: string }> {
  const original = await emptyRepository();
  await original.add(q('a p o'), { message: 'm\n', author: 'jo' });
  await original.remove(q('a p o'));
  await original.add([q('b p "x" g'), q('c p o')]);
  await original.tags.set('v1', 2);
  return { original, text: await historyOf(original) };
}

// QUADRILLE_DAMAGE=all tries all of them.
const STEP = process.env['QUADRILLE_DAMAGE'] === 'all' ? 1 : 7;

test('a byte that is changed is found, wherever it is', { timeout: 300_000 }, async () => {
  const { original, text } = await small();
  const bytes = new TextEncoder().encode(text);
  for (let at = SEED % STEP; at < bytes.length; at += STEP) {
    const flipped = bytes.slice();
    flipped[at]! ^= 1 << ((at + SEED) % 8);
    await expectRefused(flipped, original, `byte ${at}`);
  }
});

test('a file that is cut is found, wherever it is cut', { timeout: 300_000 }, async () => {
  const { original, text } = await small();
  for (let length = SEED % STEP; length < text.length; length += STEP)
    await expectRefused(text.slice(0, length), original, `${length} bytes`);
  const packed = gzipSync(text);
  for (let length = 2; length < packed.length; length += STEP * 3)
    await expectRefused(packed.subarray(0, length), original, `${length} packed bytes`);
});

test('transactions that are missing, twice, or in another order', async () => {
  const { original, text } = await small();
  const parts = text.split(/(?<=^H sha256 .*\n)/m);
  expect(parts).toHaveLength(5);
  for (let n = 0; n < parts.length; n++) {
    await expectRefused(parts.toSpliced(n, 1).join(''), original, `without ${n}`);
    await expectRefused(parts.toSpliced(n, 0, parts[n]!).join(''), original, `twice ${n}`);
    const next = (n + 1) % parts.length;
    await expectRefused(parts.with(n, parts[next]!).with(next, parts[n]!).join(''), original, `swapped ${n}`);
    // Also by somebody who makes a chain of his own.
    if (n > 0) await expectRefused(sealed(parts.toSpliced(n, 1).join('')), original, `sealed without ${n}`);
  }
  await expectRefused(text + text, original, 'twice');
  await expectRefused(`${text}\n`, original, 'more');
});

test('what is edited under a chain of its own is checked all the same', async () => {
  const { original, text } = await small();
  const rows = text.split('\n');
  const lineOf = (start: string): number => rows.findIndex((row) => row.startsWith(start)) + 1;
  const edits: readonly (readonly [string | RegExp, string, number | undefined])[] = [
    ['H history "1"', 'H history "3"', 1],
    ['H history "1" .\n', '', undefined],
    ['H author', 'H writer', lineOf('H author')],
    ['H author "jo"', 'H author <urn:jo>', lineOf('H author')],
    ['H author "jo" .', 'H author "jo" .\nH author "jo" .', lineOf('H author') + 1],
    [/"20..-..-..T/, '"2026-99-99T', undefined],
    [/H id <urn:uuid:[^>]*> .\n/, '', undefined],
    [/H number "2"/, 'H number "3"', undefined],
    [/<urn:uuid:0/, '<urn:uuid:f', undefined],
    [/(?<=number "3"[^]*)H time "2/, 'H time "1', undefined],
    ['D <', 'A <', lineOf('D <')],
    [/(?<=D .*\n[^]*?)A <http:\/\/example.org\/b.*\n/, (row: string) => row + row, undefined] as never,
    [/(?<=number "3"[^]*?)D .*\n/, 'D <urn:x> <urn:y> <urn:z> .\n', lineOf('D <')],
    ['TC .\n', 'TA .\n', lineOf('TC')],
    ['TC .\n', 'TC .\nTX .\nTC .\n', undefined],
    ['TX .\n', 'TX .\nH message "late" .\n', undefined],
    ['TX .\n', 'A <urn:s> <urn:p> <urn:o> .\nTX .\n', undefined],
    ['TX .\nTC .\n', 'TX .\nA <urn:s> <urn:p> <urn:o> .\nTC .\n', undefined],
    [/H count "4"/, 'H count "5"', undefined],
    [/H count .*\n/, '', undefined],
    [/H head <urn:uuid:0/, 'H head <urn:uuid:1', undefined],
    [/(H tag ")[^ ]*/, '$100000000-0000-7000-8000-000000000000', lineOf('H tag')],
    [/(H tag "[^ ]* )v1/, '$1HEAD~1', lineOf('H tag')],
  ];
  for (const [from, to, line] of edits) {
    const edited = sealed(text.replace(from, to));
    expect(edited, `${String(from)} is in the text`).not.toBe(text);
    const found = await expectRefused(edited, original, String(from));
    if (line !== undefined) expect(found, String(from)).toBe(line);
  }
  await expectRefused('', original, 'nothing');
  await expectRefused('@prefix a: <urn:a> .\na:b a:c a:d .\n', original, 'Turtle');
});

test('a large transaction with a fault leaves nothing behind', { timeout: 120_000 }, async () => {
  const original = await emptyRepository();
  await original.add(many(11_000));
  await original.remove(many(11_000).slice(0, 10_500));
  const text = await historyOf(original);
  const edits: readonly (readonly [string, RegExp, string])[] = [
    ['a quad twice', /(A .*s77>.*\n)/, '$1$1'],
    ['a removal twice', /(D .*s77>.*\n)/, '$1$1'],
    ['a removal of nothing', /(D .*)s77>/, '$1x77>'],
    ['added and deleted', /(D (.*s77>.*\n))/, '$1A $2'],
  ];
  for (const [what, from, to] of edits) {
    const edited = sealed(text.replace(from, to));
    expect(edited, what).not.toBe(text);
    const copy = await emptyRepository();
    expect(await refused(copy.sync.importHistory({ text: edited })), what).toEqual(broken());
    const isFirst = what === 'a quad twice';
    expect((await copy.revision()).number, what).toBe(isFirst ? 1 : 2);
    expect(await copy.size()).toBe(isFirst ? 0 : 11_000);
    await copy.sync.importHistory({ text });
    expect(await copy.log().toArray(), what).toEqual(await original.log().toArray());
    expect(await copy.maintenance.verify()).toMatchObject({ ok: true, problems: [] });
  }
});
