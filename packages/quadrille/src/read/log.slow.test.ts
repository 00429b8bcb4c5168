/** `log` with filters against a log that is filtered by hand. */
import { MemoryDriver } from '@quadrille/storage';
import { expect, onTestFinished, test } from 'vitest';
import type { DiffEntry, LogOptions, Repository, Revision } from '../index.js';
import { open } from '../index.js';
import { all, ex, many, q } from '../testing/fixtures.js';

const AUTHORS = ['jo', 'Jo', 'sam', undefined];
const MESSAGES = ['Import of MAY', 'import', 'nothing\nimported', 'ÄRGER', undefined];

/** Small revisions of several authors, and large ones in between. */
async function history(): Promise<Repository> {
  const db = await open({ storage: new MemoryDriver() });
  onTestFinished(() => db.close());
  const repo = await db.repository('people', { create: true });
  for (let i = 0; i < 40; i++) {
    const [author, message] = [AUTHORS[i % 4], MESSAGES[i % 5]];
    const said = { ...(author && { author }), ...(message && { message }) };
    if (i % 13 === 12) await repo.add(many(11_000, `l${String(i)}`), said);
    else if (i % 6 === 5) await repo.remove(q(`s${String(i - 1)} p${String((i - 1) % 3)} o`), said);
    else await repo.add([q(`s${String(i)} p${String(i % 3)} o`), q(`s${String(i % 4)} q o${String(i)} g`)], said);
    // Times are told apart by milliseconds.
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  await repo.remove({ predicate: ex('p') }, { author: 'sam' });
  return repo;
}

const contains = (text: string | undefined, part: string): boolean =>
  text !== undefined && text.toLowerCase().includes(part.toLowerCase());

function matches({ quad }: DiffEntry, pattern: NonNullable<LogOptions['pattern']>): boolean {
  return Object.entries(pattern).every(([member, term]) => quad[member as 'subject'].equals(term));
}

test('every combination of filters', async () => {
  const repo = await history();
  const whole = await all(repo.log());
  const changed = new Map<number, readonly DiffEntry[]>();
  for (const { number } of whole) changed.set(number, number === 1 ? [] : await all(repo.diff(number - 1, number)));
  const [early, late] = [whole.at(-6)!, whole[4]!];
  await repo.tags.set('late', late);
  const froms: [LogOptions['from'], number][] = [
    [undefined, 1],
    [early.number, early.number],
    [early.time, early.number],
    [new Date(early.time.getTime() + 1), early.number + 1],
    ['2001-01-01', 1],
    ['2999-01-01', Infinity],
  ];
  const ends: [LogOptions['to'], number][] = [
    [undefined, Infinity],
    ['late', late.number],
    [late.time.toISOString(), late.number],
    [new Date(late.time.getTime() - 1), late.number - 1],
    ['2001-01-01', 0],
    ['@{2999-01-01}', Infinity],
  ];
  const patterns = [
    undefined,
    { predicate: ex('p1') },
    { predicate: ex('p') },
    { subject: ex('s4') },
    { graph: ex('g'), subject: ex('s3') },
    { object: ex('o7') },
    { subject: ex('nobody') },
  ];
  let nonEmpty = 0;
  for (const [i, [from, first]] of froms.entries())
    for (const [j, [to, last]] of ends.entries())
      for (const [k, pattern] of patterns.entries())
        for (const author of [undefined, 'jo'])
          for (const message of [undefined, 'import', 'ärger']) {
            const limit = [undefined, 0, 1, 3][(i + j + k) % 4];
            const before = (i + k) % 3 === 0 ? whole[2] : undefined;
            const options: LogOptions = {
              ...(from !== undefined && { from }),
              ...(to !== undefined && { to }),
              ...(pattern && { pattern }),
              ...(author && { author }),
              ...(message && { message }),
              ...(limit !== undefined && { limit }),
              ...(before && { before }),
            };
            const expected = whole
              .filter(({ number }) => number >= first && number <= last && number < (before?.number ?? Infinity))
              .filter((revision) => author === undefined || revision.author === author)
              .filter((revision) => message === undefined || contains(revision.message, message))
              .filter(({ number }) => !pattern || changed.get(number)!.some((entry) => matches(entry, pattern)))
              .slice(0, limit);
            const found = (await all(repo.log(options))).map(({ number }: Revision) => number);
            expect(found, JSON.stringify(options)).toEqual(expected.map(({ number }) => number));
            if (found.length > 0) nonEmpty++;
          }
  expect(nonEmpty).toBeGreaterThan(100);
});

test('pages by `before`, the head of the call, and wrong options', async () => {
  const repo = await history();
  const whole = (await all(repo.log({ author: 'jo' }))).map(({ id }) => id);
  const paged: string[] = [];
  for (let before: string | undefined; ;) {
    const page = await all(repo.log({ author: 'jo', limit: 3, ...(before && { before }) }));
    if (page.length === 0) break;
    paged.push(...page.map(({ id }) => id));
    before = page.at(-1)!.id;
  }
  expect(paged).toEqual(whole);
  const log = repo.log({ message: 'late' });
  await repo.add(q('late p o'), { message: 'late' });
  expect(await all(log)).toEqual([]);
  await expect(all(repo.log({ from: 'no such tag', author: 'jo' }))).rejects.toMatchObject({ code: 'INVALID_REF' });
  await expect(all(repo.log({ to: 999 }))).rejects.toMatchObject({ code: 'REVISION_NOT_FOUND' });
  expect(() => repo.log({ author: 7 } as never)).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }));
  expect(() => repo.log({ pattern: { subject: 'x' } } as never)).toThrow(
    expect.objectContaining({ code: 'INVALID_PATTERN' }),
  );
});
