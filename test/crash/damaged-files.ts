/** Stores in directories with one damage in one file: a bit, a byte, a sector, an early end, parts that were exchanged or come from an older copy. */
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { LevelDirectory } from '@quadrille/storage-level';
import { LmdbDirectory } from '@quadrille/lmdb';
import { QuadrilleError } from '@quadrille/model';
import type { StorageDriver } from '@quadrille/storage';
import { applied, below, pick, perform } from '../model/operations.mjs';
import type { Operation, Random, State } from '../model/operations.mjs';
import { ask } from './questions.js';
import { fillSample, NAME, open } from './sample-store.js';

export type Backend = 'leveldb' | 'lmdb';
const OPEN: Readonly<Record<Backend, (path: string, create?: boolean) => StorageDriver>> = {
  leveldb: (path, create = true) =>
    new LevelDirectory(path, { create, writeBufferBytes: 64 * 1024, blobs: { valueBytes: 2000, batchBytes: 5000 } }),
  lmdb: (path, create = true) => new LmdbDirectory(path, { create, noSync: true }),
};
/** What no data stand in. */
const IGNORED = /quadrille\.pid|LOCK|LOG$|LOG\.old|lock\.mdb/;
const LOGS = /journal|\.log$|MANIFEST|CURRENT/;
const MORE: readonly Operation[] = [
  { kind: 'change', added: ['<a:more> <a:p0> "one" .'], removed: [] },
  { kind: 'change', added: ['<a:more> <a:p0> "two" .'], removed: ['<a:more> <a:p0> "one" .'] },
];

/** A store on a disk, and an older copy of it. */
export interface Original {
  readonly backend: Backend;
  readonly path: string;
  readonly older: string;
  readonly files: readonly string[];
  readonly states: readonly State[];
}

/** One that was closed, and one as a process leaves it that was killed. */
export async function makeOriginals(directory: string, backend: Backend): Promise<Original[]> {
  const [closed, killed, older] = ['closed', 'killed', 'older'].map((name) =>
    join(directory, `${backend}-${name}`),
  ) as [string, string, string];
  const states = await fillSample(OPEN[backend](closed));
  cpSync(closed, older, { recursive: true });
  const store = await open(OPEN[backend](closed));
  const repository = await store.repository(NAME);
  for (const operation of MORE) {
    await perform(repository, operation);
    states.push(applied(states, operation));
  }
  cpSync(closed, killed, { recursive: true });
  const lock = JSON.parse(readFileSync(join(killed, 'quadrille.pid'), 'utf8')) as object;
  writeFileSync(join(killed, 'quadrille.pid'), JSON.stringify({ ...lock, pid: 2 ** 22 + 1 }));
  await store.close();
  return [closed, killed].map((path) => ({ backend, path, older, files: filesIn(path), states }));
}

function filesIn(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !IGNORED.test(entry.name))
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)))
    .sort();
}

type Damage = (bytes: Buffer, random: Random, older: Buffer | undefined) => Buffer;
const part = (bytes: Buffer, random: Random, size: number): number =>
  size * below(random, Math.ceil(bytes.length / size));

export const DAMAGES: Readonly<Record<string, Damage>> = {
  'a bit': (bytes, random) => {
    bytes[below(random, bytes.length)]! ^= 1 << below(random, 8);
    return bytes;
  },
  'a byte': (bytes, random) => {
    bytes[below(random, bytes.length)]! ^= 1 + below(random, 255);
    return bytes;
  },
  'a sector of zeros': (bytes, random) => {
    const start = part(bytes, random, 512);
    bytes.subarray(start, start + 512).fill(0);
    return bytes;
  },
  'a page of zeros': (bytes, random) => {
    const start = part(bytes, random, 4096);
    bytes.subarray(start, start + 4096).fill(0);
    return bytes;
  },
  'cut off': (bytes, random) => bytes.subarray(0, below(random, bytes.length)),
  'exchanged sectors': (bytes, random) => {
    const [a, b] = [part(bytes, random, 512), part(bytes, random, 512)];
    const [first, second] = [a, b].map((start) => Buffer.from(bytes.subarray(start, start + 512))) as [Buffer, Buffer];
    second.copy(bytes, a);
    first.copy(bytes, b);
    return bytes;
  },
  'an old page': (bytes, random, older) => {
    const start = part(bytes, random, 4096);
    older?.subarray(start, start + 4096).copy(bytes, start);
    return bytes;
  },
  missing: (bytes) => bytes,
};

export interface Damaged {
  readonly file: string;
  readonly what: string;
  /** Nothing tells that there was more, so the newest revisions may be missing. */
  readonly mayEndEarly: boolean;
}

/** Makes a damaged copy. `undefined` where the damage changes nothing. */
export function damage(original: Original, to: string, random: Random): Damaged | undefined {
  const file = pick(random, original.files);
  const [what, change] = pick(random, Object.entries(DAMAGES));
  rmSync(to, { recursive: true, force: true });
  cpSync(original.path, to, { recursive: true });
  const path = join(to, file);
  const before = readFileSync(path);
  if (before.length === 0) return undefined;
  if (what === 'missing') rmSync(path);
  else {
    const older = join(original.older, file);
    const after = change(Buffer.from(before), random, existsSync(older) ? readFileSync(older) : undefined);
    if (after.equals(before)) return undefined;
    writeFileSync(path, after);
  }
  return { file, what, mayEndEarly: LOGS.test(file) };
}

const isTold = (error: unknown): error is QuadrilleError => error instanceof QuadrilleError;

/** Asks a damaged store: codes of what was found. @throws Error for a wrong answer, and for an error without a code */
export async function askDirectory(
  backend: Backend,
  path: string,
  states: readonly State[],
  mayEndEarly: boolean,
): Promise<string[]> {
  const found = await ask(OPEN[backend](path, false), states, { tells: isTold, mayEndEarly });
  return found.map(({ code }) => code);
}
