/** Every decision has a date and a status, and the table of decisions says the same. */
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT } from './markdown.js';

const FOLDER = resolve(ROOT, 'docs/decisions');
const files = readdirSync(FOLDER).filter((name) => name !== 'README.md');
/** After the title: the day of the decision, and whether it holds. */
const HEAD = /^# (?<title>.+)\n\nDate: (?<date>\d{4}-\d{2}-\d{2})\. Status: (?<status>holds\b[^\n]*)\.\n\n/;

const table = readFileSync(resolve(FOLDER, 'README.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ['))
  .map((line) => line.split('|').map((cell) => cell.trim()));

test('the table has each file once, in the order of their numbers', () => {
  expect(table.map(([, link]) => /^\[(\d{4})\]\(\1-[a-z0-9-]+\.md\)$/.exec(link!)?.[0])).toEqual(
    files.toSorted().map((name) => `[${name.slice(0, 4)}](${name})`),
  );
});

describe.each(files)('%s', (name) => {
  const head = HEAD.exec(readFileSync(resolve(FOLDER, name), 'utf8'))?.groups;

  test('has a date and a status behind its title', () => expect(head).toBeDefined());

  test('stands in the table with its title, date and status', () => {
    expect(table.find(([, link]) => link!.endsWith(`(${name})`))?.slice(2, 5)).toEqual([
      head?.title,
      head?.date,
      head?.status,
    ]);
  });
});
