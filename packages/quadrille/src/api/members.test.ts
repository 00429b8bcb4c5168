/** What completion of names shows of a repository. */
import { expect, test } from 'vitest';
import { open } from '../index.js';
import { hostOf } from '../host/index.js';

/** The names of an object and of its classes. */
function membersOf(object: object): string[] {
  const names = new Set<string>();
  for (let at = object; at !== Object.prototype; at = Object.getPrototypeOf(at) as object)
    for (const name of Object.getOwnPropertyNames(at)) names.add(name);
  names.delete('constructor');
  return [...names].toSorted();
}

const READ =
  'ask blame construct count describe dump explain graphs has hasSync prepare quads quadsSync query revision search select size';
const CHANGE = 'add load patch remove revert transaction update';
const HISTORY = 'at diff history live log validate watch';
const PARTS = 'branches maintenance namespaces proof settings sync tags';
const OWN = 'branch name';

const DATABASE =
  'account accounts backup clone close deleteRepository fork location metrics queries rebuild repositories repository state verify';

test('a repository and a database have the members of their types, and no others', async () => {
  await using db = await open(':memory:');
  const repo = await db.repository('people', { create: true });
  expect(membersOf(repo)).toEqual(`${READ} ${CHANGE} ${HISTORY} ${PARTS} ${OWN}`.split(' ').toSorted());
  expect(membersOf(db)).toEqual(DATABASE.split(' ').toSorted());
  expect(Object.keys(hostOf(repo))).toEqual(['serialize', 'begin', 'prepare']);
  expect(Object.keys(hostOf(db))).toEqual(['records', 'begin', 'queryMemory', 'refresh', 'refreshes']);
});
