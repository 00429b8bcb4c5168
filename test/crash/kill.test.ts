/**
 * A process that commits, loads, compacts and rebuilds is killed with SIGKILL at random moments, also while it opens
 * what the one before it left. Nothing that it was told is lost, nothing is there in part.
 *
 * Runs the compiled packages (`npx tsc -b` first). QUADRILLE_KILL_CYCLES: more of them; QUADRILLE_SEED repeats the
 * operations, not the moments.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { platformEnv, Store } from '@quadrille/core';
import { StorageEngine } from '@quadrille/storage';
import type { StorageDriver } from '@quadrille/storage';
import { LevelDirectory } from '@quadrille/storage-level';
import { LmdbDirectory } from '@quadrille/storage-lmdb';
import { seededRandom } from '@quadrille/storage/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SEED } from '../model/environment.js';
import { applied, differenceText, stateAt } from '../model/operations.mjs';
import type { State } from '../model/operations.mjs';
import { digestOf, operationsOf, REPOSITORY, TUNING } from './kill-operations.mjs';

const CYCLES = Number(process.env['QUADRILLE_KILL_CYCLES'] ?? 10);
const CHILD = join(import.meta.dirname, 'kill-child.mjs');

type OpenDriver = (path: string) => StorageDriver;
const options = { create: true, lockTimeoutMs: 2000 };
const BACKENDS: Readonly<Record<string, OpenDriver>> = {
  leveldb: (path) => new LevelDirectory(path, options),
  lmdb: (path) => new LmdbDirectory(path, options),
};

interface Told {
  readonly event: 'opening' | 'open' | 'begin' | 'done';
  readonly index?: number;
  readonly kind?: string;
  readonly number?: number;
  readonly digest?: string;
}

/** The states of all revisions after so many operations. */
class Model {
  readonly states: State[] = [new Set(), new Set()];
  /** Operations that were followed. */
  done = 0;

  constructor(private readonly seed: number) {}

  get head(): number {
    return this.states.length - 1;
  }

  /** The state after the next operation. */
  next(): State {
    return applied(this.states, operationsOf(this.seed, this.done, this.head), `o${this.done}x`);
  }

  follow(): void {
    const next = this.next();
    if (next !== this.states.at(-1)) this.states.push(next);
    this.done++;
  }
}

/** Lets the child work for a while, kills it and answers what it told. */
async function cycle(
  backend: string,
  directory: string,
  sideFile: string,
  seed: number,
  first: number,
  durable: boolean,
  delay: number,
  fromOpen: boolean,
): Promise<Told[]> {
  writeFileSync(sideFile, '');
  const args = [directory, sideFile, `${seed}`, `${first}`, durable ? '1' : '0', backend];
  const child = spawn(process.execPath, [CHILD, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const ended = new Promise<{ code: number | null }>((resolve) => child.on('close', (code) => resolve({ code })));
  // Starting Node takes longer than all the rest: the time counts from where the store is being opened, or is open.
  const mark = fromOpen ? '"opening"' : '"open"';
  const since = Date.now();
  while (!readFileSync(sideFile, 'utf8').includes(mark) && child.exitCode === null && Date.now() - since < 20_000) {
    await new Promise((resolve) => setTimeout(resolve, fromOpen ? 1 : 5));
  }
  await new Promise((resolve) => setTimeout(resolve, delay));
  child.kill('SIGKILL');
  const { code } = await ended;
  if (code !== null) throw new Error(`the child ended by itself with ${code}: ${said.slice(0, 4000)}`);
  const lines = readFileSync(sideFile, 'utf8').split('\n');
  return lines.slice(0, -1).map((line) => JSON.parse(line) as Told);
}

describe(`SIGKILL (QUADRILLE_SEED=${SEED})`, () => {
  let directory = '';
  beforeAll(() => {
    if (!existsSync(join(import.meta.dirname, '../../packages/storage-lmdb/dist/index.js')))
      throw new Error('run npx tsc -b first');
    directory = mkdtempSync(join(tmpdir(), 'quadrille-kill-'));
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  it.each(Object.entries(BACKENDS))(
    `%s loses nothing acknowledged and keeps nothing half done in ${CYCLES} kills`,
    async (backend, openDriver) => {
      const random = seededRandom(SEED);
      const seen: Record<string, number> = {};
      let operations = 0;
      let run = 0;
      let model = new Model(0);
      for (let n = 0; n < CYCLES; n++) {
        // A new store every few kills: states grow.
        if (n % 5 === 0) model = new Model(SEED + ++run);
        const seed = SEED + run;
        const path = join(directory, `${backend}${run}`);
        const durable = run % 2 === 0;
        const fromOpen = random() < 0.3;
        const delay = Math.floor(random() * (fromOpen ? 40 : 250));
        const told = await cycle(backend, path, join(directory, 'side'), seed, model.done, durable, delay, fromOpen);
        const last = told.at(-1)!;
        const killedIn = last.event === 'begin' ? last.kind! : last.event;
        seen[killedIn] = (seen[killedIn] ?? 0) + 1;
        for (const { index, number, digest } of told.filter(({ event }) => event === 'done')) {
          expect(index).toBe(model.done);
          model.follow();
          operations++;
          expect(number).toBe(model.head);
          if (digest !== undefined) expect(digest).toBe(digestOf(model.states.at(-1)!));
        }
        await inspect(openDriver(path), model, `${backend}, kill ${n + 1} in ${killedIn}, seed ${SEED}`);
      }
      console.log(
        `${backend}: ${CYCLES} kills, ${operations} acknowledged operations; killed in ${JSON.stringify(seen)}`,
      );
    },
    30_000 + CYCLES * 4000,
  );
});

/** Opens what is left: it is the state after the last acknowledged operation, or after the one that was under way. */
async function inspect(driver: StorageDriver, model: Model, when: string): Promise<void> {
  const engine = await StorageEngine.open(driver);
  const store = await Store.open(engine, { env: platformEnv(), tuning: TUNING });
  try {
    const repository = await store.repository(REPOSITORY, true);
    const report = await store.verify();
    expect(report.problems, when).toEqual([]);
    const head = repository.head.number;
    const next = model.next();
    if (head > model.head) {
      expect(head, when).toBe(model.head + 1);
      expect(next, `${when}: revision ${head} comes from nowhere`).not.toBe(model.states.at(-1));
      model.follow();
    } else {
      expect(head, `${when}: acknowledged revisions are lost`).toBe(model.head);
      // Compacting and what changed nothing may have been done or not: the child begins again with it.
    }
    for (let number = 1; number <= head; number++) {
      expect(
        differenceText(await stateAt(repository, number), model.states[number]!),
        `${when}, revision ${number}`,
      ).toBeUndefined();
    }
  } finally {
    await store.close();
  }
}
