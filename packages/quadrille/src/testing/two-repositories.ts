/** Two repositories of one database, for tests of queries that read both. */
import type { Store } from '@quadrille/core';
import { STORE } from '../database.js';
import type { Database, Repository, Row } from '../index.js';
import { all, EX, memory, q, term } from './fixtures.js';

export const PREFIX = `PREFIX ex: <${EX}> `;

export interface Two {
  readonly db: Database;
  readonly people: Repository;
  readonly places: Repository;
}

export async function two(): Promise<Two> {
  const db = await memory();
  const people = await db.repository('acme/people', { create: true });
  const places = await db.repository('acme/places', { create: true });
  await people.add(['ada home oslo', 'bob home rome', 'cy home nowhere'].map(q));
  await places.add(['oslo size "5"', 'rome size "9"', 'oslo in norway g'].map(q));
  return { db, people, places };
}

export const text = (row: Row): string =>
  Object.keys(row)
    .toSorted()
    .map((name) => `${name}=${term(row[name]!)}`)
    .join(' ');
export const rowsOf = async (rows: AsyncIterable<Row>): Promise<string[]> => (await all(rows)).map(text).toSorted();
export const SIZES = `${PREFIX}SELECT * { ?who ex:home ?place SERVICE <repo:acme/places> { ?place ex:size ?size } }`;
export const BOTH = ['place=oslo size="5" who=ada', 'place=rome size="9" who=bob'];

/** Everything that keeps a repository in memory at present: snapshots, writers and jobs. */
export function users(db: Database): number {
  const store = (db as unknown as { readonly [STORE]: Store })[STORE];
  return [...store.repositoriesInMemory].reduce((count, { handle }) => count + handle.users.inside, 0);
}

export async function untilUnused(db: Database): Promise<void> {
  for (let turn = 0; users(db) > 0; turn++) {
    if (turn > 1000) throw new Error(`${String(users(db))} snapshots are still open`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
