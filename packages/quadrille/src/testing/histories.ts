/** What the tests of exported histories share: the text of a history, its chain made anew, and what must be equal in a copy. */
import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { blankNode, dataFactory, iri, literal, quad } from '../index.js';
import type { ExportHistoryOptions, Repository } from '../index.js';

export const historyOf = async (repository: Repository, options?: ExportHistoryOptions): Promise<string> =>
  (await repository.sync.exportHistory(options).toArray()).join('');

/** The same lines with the chain that belongs to them, as somebody would make it who has edited them. */
export function sealed(text: string): string {
  let value = '';
  let part = '';
  let out = '';
  for (const line of text.split(/(?<=\n)/)) {
    if (!line.startsWith('H sha256 ')) {
      part += line;
      continue;
    }
    value = createHash('sha256')
      .update(value + part)
      .digest('hex');
    out += `${part}H sha256 "${value}" .\n`;
    part = '';
  }
  return out + part;
}

/** The rows of a history file, in an order that does not follow from ids of terms, without the chain and the name. */
export const sortedRows = (text: string): string[] =>
  text
    .replace(/^H repository .*\n/m, '')
    .split(/^H sha256 .*\n/m)
    .map((part) => part.split('\n').toSorted().join('\n'));

/** All that two repositories with the same history have in common. */
export async function expectSameHistory(copy: Repository, original: Repository): Promise<void> {
  const log = await original.log().toArray();
  expect(await copy.log().toArray()).toEqual(log);
  for (const { number } of log) {
    expect(await dumpAt(copy, number), `revision ${number}`).toEqual(await dumpAt(original, number));
  }
  expect(sortedRows(await historyOf(copy))).toEqual(sortedRows(await historyOf(original)));
  expect(await copy.tags.list().toArray()).toEqual(await original.tags.list().toArray());
  expect(await copy.namespaces.list()).toEqual(await original.namespaces.list());
  expect(await copy.maintenance.verify()).toMatchObject({ ok: true, problems: [] });
}

async function dumpAt(repository: Repository, number: number): Promise<string[]> {
  const text = (await repository.at(number).dump('nq', { canonical: true }).toArray()).join('');
  return text.split('\n').toSorted();
}

const MESSAGES = [
  'plain',
  'two\nlines\r\n\tand "quotes" \\ .',
  '\u0000\u0001\u0007\u001f\u007f\u0085\u2028',
  'H sha256 "0" .\nTC .\n',
  '🦄 ümlaut',
  '',
  'x'.repeat(16_000),
];

const OBJECTS = [
  literal('plain'),
  literal('Grüße', 'de-CH'),
  literal('right', { language: 'ar', direction: 'rtl' }),
  literal('left', { language: 'en-GB', direction: 'ltr' }),
  literal('7', iri('http://www.w3.org/2001/XMLSchema#integer')),
  literal('line\nH sha256 "0" .\n\u0000\u001f"\\'),
  blankNode('b1'),
  blankNode('patch-c3a9'),
  iri('http://example.org/a%20b/ü?q#f'),
];

/** Many kinds of terms, revisions and changes in one history. */
export async function makeHistory(repository: Repository, random: () => number, commits: number): Promise<void> {
  const below = (limit: number): number => Math.floor(random() * limit);
  const nested = dataFactory.quad(blankNode('b2'), iri('urn:p'), literal('inner', 'fr'));
  const objects = [
    ...OBJECTS,
    nested,
    dataFactory.quad(iri('urn:s'), iri('urn:p'), nested),
    literal('long '.repeat(30_000)),
  ];
  const graphs = [undefined, iri('urn:g'), blankNode('g')];
  for (let n = 0; n < commits; n++) {
    const quads = Array.from({ length: 1 + below(6) }, () => {
      const subject = random() < 0.2 ? blankNode(`s${below(4)}`) : iri(`urn:s${below(12)}`);
      return quad(subject, iri(`urn:p${below(3)}`), objects[below(objects.length)] as never, graphs[below(3)] as never);
    });
    const info = {
      ...(random() < 0.8 && { message: MESSAGES[below(MESSAGES.length)]! }),
      ...(random() < 0.5 && { author: ['jo', 'Ann "A" <a@b.c>', ''][below(3)]! }),
    };
    const chance = random();
    if (chance < 0.6) await repository.add(quads, info);
    else if (chance < 0.8) await repository.remove(quads, info);
    else if (chance < 0.9) await repository.revert('HEAD', info);
    else await repository.transaction((transaction) => transaction.remove(quads.slice(1)), info);
  }
  await repository.namespaces.set('ex', 'http://example.org/');
  await repository.tags.set('v1', 2);
  await repository.tags.set('späte/r', 'HEAD');
}
