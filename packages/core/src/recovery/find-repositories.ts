/** Finds the repositories of a damaged store: those in the catalogue, and those whose catalogue records are damaged. */
import { CorruptionError } from '@quadrille/model';
import type { KeySpan, StorageEngine } from '@quadrille/storage';
import { fromJson } from '../format/byte-codec.js';
import { droppedId, nameIn } from '../catalogue/catalogue.js';
import { withoutAccount } from '../catalogue/names.js';
import type { RepositoryRecord } from '../catalogue/repository-records.js';
import { afterPrefix, Area, areaKey, dataKey, readU32 } from '../format/layout.js';
import type { Env } from '../runtime/env.js';
import type { Problems } from './report.js';
import { keysIn, remnantsIn } from './remains.js';

/** The account of repositories whose names are lost. */
const FOUND_ACCOUNT = 'recovered';

/**
 * The records of the repositories, by name. A repository whose name or number is lost gets a new name. If one number and one name
 * are left, they belong together. `mayMiss` tells whether keys of a range may be missing; it is called after the range was read.
 * If no record can be missing, data without a record belong to a deleted repository.
 */
export async function findRepositories(
  engine: StorageEngine,
  mayMiss: (range: KeySpan) => boolean,
  env: Env,
  problems: Problems,
): Promise<Map<string, RepositoryRecord>> {
  const found = new Map<string, RepositoryRecord>();
  const nameless: string[] = [];
  for await (const { key, value, problem } of remnantsIn(engine, rangeOf(Area.repository))) {
    const name = nameIn(key);
    if (value !== undefined) found.set(name, fromJson(value) as RepositoryRecord);
    else if (problem !== undefined) {
      nameless.push(name);
      problems.lost(problem, `the catalogue record of ${name}`);
    }
  }
  const { gte: from, lt: to } = rangeOf(Area.repository);
  if (nameless.length === 0 && !mayMiss({ from, to })) return sorted(found);
  const orphans = await dataOfNobody(engine, found);
  const created = new Date(env.now()).toISOString();
  const rename = orphans.length !== 1 || nameless.length !== 1;
  for (const id of orphans) {
    const name = rename ? `${FOUND_ACCOUNT}/repository-${id}` : nameless[0]!;
    found.set(name, { id, name: withoutAccount(name), created });
    if (rename)
      problems.lost(new CorruptionError('CHECKSUM', `the name of repository ${id} is lost: it is now ${name}`), name);
  }
  if (rename)
    for (const name of nameless)
      problems.lost(new CorruptionError('CHECKSUM', `the data of ${name} cannot be identified`), name);
  return sorted(found);
}

const rangeOf = (area: number) => ({ gte: areaKey(area), lt: afterPrefix(areaKey(area)) });

const sorted = (records: ReadonlyMap<string, RepositoryRecord>): Map<string, RepositoryRecord> =>
  new Map([...records].sort(([a], [b]) => (a < b ? -1 : 1)));

/** Numbers of repositories that have data, but neither a catalogue record nor a deletion mark. */
async function dataOfNobody(engine: StorageEngine, named: ReadonlyMap<string, RepositoryRecord>): Promise<number[]> {
  const known = new Set(Array.from(named.values(), ({ id }) => id));
  for await (const key of keysIn(engine, rangeOf(Area.dropped))) known.add(droppedId(key));
  const orphans: number[] = [];
  for (let next = await firstWithData(engine, 0); next !== undefined; next = await firstWithData(engine, next + 1))
    if (!known.has(next)) orphans.push(next);
  return orphans;
}

async function firstWithData(engine: StorageEngine, from: number): Promise<number | undefined> {
  const range = { gte: dataKey(from, 0).subarray(0, 5), lt: afterPrefix(areaKey(Area.data)), limit: 1 };
  for await (const key of keysIn(engine, range)) return readU32(key, 1);
  return undefined;
}
