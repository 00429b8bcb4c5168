import { describe, expect, test } from 'vitest';
import { parse, v1 } from 'uuid';
import { platformEnv } from '../runtime/env.js';
import type { Ref } from './refs.js';
import { isTagName } from './refs.js';
import { compareUuids, parseUuid, revisionUuid, uuidTime } from '../revision/uuid.js';
import { clockEnv, openRepository, q } from '../testing/fixture.js';

async function history(): Promise<
  Awaited<ReturnType<typeof openRepository>> & { ids: string[]; env: ReturnType<typeof clockEnv> }
> {
  const env = clockEnv(Date.parse('2024-03-01T00:00:00Z'));
  const opened = await openRepository(undefined, { env });
  const ids = ['', opened.repository.revision.id];
  for (let day = 2; day <= 6; day++) {
    env.time = Date.parse(`2024-03-0${day}T12:00:00Z`);
    ids.push((await opened.repository.commit([q(`s${day} p o`)], [], { author: 'me', message: `day ${day}` })).id);
  }
  return { ...opened, ids, env };
}

describe('every form of a ref', () => {
  test('means its revision', async () => {
    const { repository, ids } = await history();
    await repository.tags.set('v1.0', parse(ids[3]!));
    await repository.tags.set('Ausgabe/zwei', parse(ids[4]!));
    const revision = (await repository.snapshotAt(4)).revision;
    const cases: [Ref, number][] = [
      [1, 1], [6, 6], ['3', 3], ['#3', 3], [' 3 ', 3], [revision, 4],
      ['HEAD', 6], ['HEAD~0', 6], ['HEAD~2', 4], ['HEAD~5', 1], ['TAIL', 1],
      [ids[2]!, 2], [ids[6]!, 6], [ids[1]!.toUpperCase(), 1], [`urn:uuid:${ids[5]!}`, 5], [`urn:x:revision:${ids[5]!}`, 5],
      [new Date('2024-03-03T12:00:00Z'), 3], [new Date('2024-03-03T11:59:59.999Z'), 2], [new Date('2999-01-01'), 6], [new Date('2024-03-01T00:00:00Z'), 1],
      ['2024-03-03', 3], ['2024-03-01', 1], ['2024-03-03T12:00:00Z', 3], ['2024-03-03T12:59:00+01:00', 2], ['2024-03-03T12:00Z', 3],
      ['2024-03-04T00:00:00.000Z', 3], ['v1.0', 3], ['Ausgabe/zwei', 4],
      ['v1.0~0', 3], ['v1.0~2', 1], ['Ausgabe/zwei~1', 3], [`${ids[5]!}~1`, 4], ['@{2024-03-03}', 3], ['@{ 2024-03-03T12:00Z }', 3], ['@{2024-03-05}~1', 4],
    ]; // prettier-ignore
    // Twice each: the second call finds the result in the cache.
    for (const [ref, number] of [...cases, ...cases])
      expect((await repository.resolve(ref)).number, String(ref)).toBe(number);
  });

  test('a revision of another repository is none of this one, whatever its number', async () => {
    const { repository } = await history();
    const other = await history();
    const foreign = (await other.repository.snapshotAt(3)).revision;
    await expect(repository.resolve(foreign)).rejects.toMatchObject({ code: 'REVISION_NOT_FOUND' });
    expect((await repository.resolve((await repository.snapshotAt(3)).revision)).number).toBe(3);
  });

  test('what is no revision', async () => {
    const { repository } = await history();
    const invalid = [
      1.5,
      Number.NaN,
      new Date(Number.NaN),
      '',
      'HEAD~',
      'HEAD^',
      'v1.0~',
      'v1.0~1~1',
      '~1',
      '@{yesterday}',
      '@{}',
      '@{2024-13-01}',
      '@{HEAD}',
      '-1',
      'a b',
      '#',
      'x'.repeat(200),
      { id: 'no uuid' },
      null,
      {},
      true,
    ];
    for (const ref of invalid) {
      await expect((async () => repository.resolve(ref as Ref))(), String(ref)).rejects.toThrow(
        expect.objectContaining({ code: 'INVALID_REF' }),
      );
    }
    const unknown = [
      0,
      7,
      -1,
      '7',
      '#0',
      'HEAD~6',
      'none~1',
      '2024-03-03~3',
      '@{2020-01-01}',
      'none',
      '018e0000-0000-7000-8000-000000000000',
      new Date('2020-01-01'),
      '2020-01-01',
    ];
    for (const ref of unknown) {
      await expect(repository.resolve(ref), String(ref)).rejects.toThrow(
        expect.objectContaining({ code: 'REVISION_NOT_FOUND' }),
      );
    }
  });

  test('names that can be tags look like no other form', () => {
    for (const name of ['v1', 'a/b', 'release-2024', '_x', 'Größe', '2024-03-03-final', 'head', 'HEADS'])
      expect(isTagName(name)).toBe(true);
    for (const name of [
      '1',
      '#1',
      'HEAD',
      'HEAD~3',
      'TAIL',
      '2024-03-03',
      '018e0000-0000-7000-8000-000000000000',
      '',
      '-a',
      'a b',
      'x'.repeat(101),
    ]) {
      expect(isTagName(name)).toBe(false);
    }
  });
});

test('times never go back and ids grow, also when the clock goes back or stands still', async () => {
  const { repository, env } = await history();
  env.time = Date.parse('2023-01-01');
  for (let i = 0; i < 50; i++) await repository.commit([q(`back${i} p o`)], []);
  const log = [];
  for await (const revision of repository.history.log()) log.push(revision);
  expect(log.length).toBe(56);
  for (let i = 1; i < log.length; i++) {
    expect(log[i]!.number).toBe(log[i - 1]!.number - 1);
    expect(log[i - 1]!.parent).toBe(log[i]!.id);
    expect(log[i]!.time.getTime()).toBeLessThanOrEqual(log[i - 1]!.time.getTime());
    expect(compareUuids(parseUuid(log[i]!.id)!, parseUuid(log[i - 1]!.id)!)).toBeLessThan(0);
  }
  for (const { id, number } of log) expect((await repository.resolve(id)).number).toBe(number);
  expect(log[0]!.id[14]).toBe('7');
});

describe('revisionUuid', () => {
  const low = { ...platformEnv(), random: (bytes: Uint8Array) => bytes.fill(0) };

  test('is of version 7 and holds the time', () => {
    const id = revisionUuid(platformEnv(), 1_700_000_000_123, undefined);
    expect([id[6]! >>> 4, id[8]! >>> 6, uuidTime(id)]).toEqual([7, 2, 1_700_000_000_123]);
  });

  test('counts on within a millisecond, and takes the next one where the counter is full', () => {
    const first = revisionUuid(platformEnv(), 1000, undefined);
    const second = revisionUuid(low, 1000, first);
    expect(compareUuids(first, second)).toBeLessThan(0);
    const full = first.slice().fill(0xff, 9);
    full[8] = 0xbf;
    full.fill(0xff, 7, 8);
    full[6] = 0x7f;
    const third = revisionUuid(low, 1000, full);
    expect(compareUuids(full, third)).toBeLessThan(0);
    expect([third[6]! >>> 4, third[8]! >>> 6, uuidTime(third)]).toEqual([7, 2, 1001]);
  });

  test('differs from others that follow the same one in the same millisecond', () => {
    const first = revisionUuid(platformEnv(), 1000, undefined).fill(0xf0, 9, 10);
    const next = Array.from({ length: 200 }, () => revisionUuid(platformEnv(), 1000, first));
    for (const id of next) expect(compareUuids(first, id)).toBeLessThan(0);
    expect(new Set(next.map((id) => id.join())).size).toBe(200);
  });

  test('texts', () => {
    expect(parseUuid('018E0000-0000-7000-8000-0000000000ff')?.at(-1)).toBe(255);
    for (const text of [
      '',
      '018e0000',
      '018e0000-0000-7000-8000-0000000000fg',
      'x018e0000-0000-7000-8000-0000000000ff',
    ]) {
      expect(parseUuid(text)).toBeUndefined();
    }
  });
});

describe('a UUID that the caller brings', () => {
  test('is taken where it can follow the others', async () => {
    const env = clockEnv(Date.parse('2024-03-01T00:00:00Z'));
    const { repository } = await openRepository(undefined, { env });
    env.time += 1000;
    const mine = '018df74f-89dc-7abc-8def-0123456789ab';
    expect((await repository.commit([q('a p o')], [], { id: mine.toUpperCase() })).id).toBe(mine);
    expect((await repository.resolve(mine)).number).toBe(2);
    const wrong = [
      mine,
      '018df74f-89dc-7abc-8def-0123456789aa',
      'a6e4f3b0-c2a1-11ee-8d51-0242ac120002',
      'ffffffff-ffff-7fff-bfff-ffffffffffff',
      'no UUID',
    ];
    for (const [i, id] of wrong.entries()) {
      const revision = await repository.commit([q(`a p o${i}`)], [], { id });
      expect(revision.id).not.toBe(id);
      expect(compareUuids(parse(revision.id), parse(revision.parent!))).toBeGreaterThan(0);
    }
  });

  test('of version 1 is taken as well, and is in order with those of version 7', async () => {
    const env = clockEnv(Date.parse('2024-03-01T00:00:00Z'));
    const { repository } = await openRepository(undefined, { env });
    const ids = [repository.revision.id];
    const at = (msecs: number, nsecs: number): string => v1({ msecs, nsecs, clockseq: 5 });
    for (let i = 0; i < 20; i++) {
      const tooLate = at(env.time - 60_000, 0);
      expect((await repository.commit([q(`late${i} p o`)], [], { id: tooLate })).id).not.toBe(tooLate);
      env.time += 1000;
      // Two ids of one millisecond that the caller gives, then a generated one at the same time of the clock.
      for (const id of [at(env.time, 17), at(env.time, 18)]) {
        expect((await repository.commit([q(`v${id} p o`)], [], { id })).id).toBe(id);
        ids.push(id);
      }
      const own = (await repository.commit([q(`own${i} p o`)], [])).id;
      expect([own[14], uuidTime(parse(own))]).toEqual(['7', env.time]);
      ids.push(own);
    }
    const numbers = [];
    for (const id of ids) numbers.push((await repository.resolve(id)).number);
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    await expect(repository.resolve(at(env.time - 500, 0))).rejects.toMatchObject({ code: 'REVISION_NOT_FOUND' });
    await expect(repository.resolve('a6e4f3b0-c2a1-4eee-8d51-0242ac120002')).rejects.toMatchObject({
      code: 'REVISION_NOT_FOUND',
    });
  });
});
