/** A life of a store that takes every way through the engine, step by step, with what each step makes of it. */
import type { Env, Repository, Tuning } from '@quadrille/core';
import { Store } from '@quadrille/core';
import { StorageEngine } from '@quadrille/storage';
import type { StorageDriver } from '@quadrille/storage';
import { applied, lineOf, perform, quadOf, stateAt } from '../model/operations.mjs';
import type { Operation, State } from '../model/operations.mjs';

/** All that is to be seen of a store. */
export interface Seen {
  /** By revision number; `undefined` where there is no repository. */
  readonly states: readonly State[] | undefined;
  readonly tags: ReadonlyMap<string, number>;
  readonly namespaces: ReadonlyMap<string, string>;
}

export interface Step {
  readonly name: string;
  readonly run: (life: Life) => Promise<unknown>;
  readonly expect: (seen: Seen) => Seen;
  /** What else may be there where it failed in part. */
  readonly partly?: (seen: Seen) => readonly Seen[];
}

export const TUNING: Partial<Tuning> = {
  memtableRows: 24,
  tailTerms: 24,
  tierRuns: 3,
  deltaBytes: 30,
  chunkRows: 20,
  loadTailTerms: 5,
  arenaBytes: 500,
  checkpointRevisions: 4,
  wholeStatistics: 3,
};
export const NAME = 'crash/scenario';

/** Background work ends in its own time: nothing here depends on a clock, so that calls can be counted. */
export function countingEnv(): Env {
  let now = Date.parse('2026-01-01T00:00:00Z');
  let random = 1;
  return {
    now: () => (now += 1000),
    ticks: () => 0,
    random: (bytes) => bytes.map(() => (random = (random * 1103515245 + 12345) & 0x7fffffff) >> 8),
    yieldTurn: () => new Promise((resolve) => setImmediate(resolve)),
  };
}

export class Life {
  store!: Store;

  constructor(
    readonly driver: StorageDriver,
    private readonly tuning: Partial<Tuning> = TUNING,
  ) {}

  async open(): Promise<void> {
    const engine = await StorageEngine.open(this.driver);
    try {
      this.store = await Store.open(engine, { env: countingEnv(), tuning: this.tuning, cacheBytes: 1 });
    } catch (error) {
      await engine.close().catch(() => undefined);
      throw error;
    }
  }

  repository(): Promise<Repository> {
    return this.store.repository(NAME);
  }

  /** Waits for work in the background, so that the next step begins at the same place every time. */
  async settle(): Promise<void> {
    if (this.store.engine.state === 'closed') return;
    const repository = await this.store.repository(NAME).catch(() => undefined);
    if (repository !== undefined) {
      const { handle } = repository;
      for (let turns = 0; turns < 3; turns++) {
        await handle.maintenance.run(async () => undefined);
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
  }
}

export const NOTHING: Seen = { states: undefined, tags: new Map(), namespaces: new Map() };

export function operation(name: string, what: Operation): Step {
  return {
    name,
    run: async (life) => perform(await life.repository(), what, { message: name }, name.replaceAll(' ', '-')),
    expect: (seen) => {
      const states = seen.states!;
      const next = applied(states, what, name.replaceAll(' ', '-'));
      return next === states.at(-1) ? seen : { ...seen, states: [...states, next] };
    },
  };
}

const reopen: Step = {
  name: 'reopen',
  run: async (life) => {
    await life.store.close();
    await life.open();
  },
  expect: (seen) => seen,
};

const same = (seen: Seen): Seen => seen;
const line = (n: number, graph = ''): string =>
  lineOf(`<a:s${n % 7}>`, `<a:p${n % 3}>`, n % 4 === 0 ? `"text ${n}"` : `<a:o${n % 5}>`, graph);
const lines = (from: number, to: number, graph = ''): string[] =>
  Array.from({ length: to - from }, (_, i) => line(from + i, graph));
const long = `<a:long> <a:p0> "${'long '.repeat(14_000)}" .`;

export const STEPS: readonly Step[] = [
  {
    name: 'create',
    run: (life) => life.store.repository(NAME, true),
    // After a fault it is there already.
    expect: (seen) => (seen.states === undefined ? { ...NOTHING, states: [new Set(), new Set()] } : seen),
  },
  operation('add one', { kind: 'change', added: [line(0)], removed: [] }),
  operation('add a few', { kind: 'change', added: lines(1, 5), removed: [line(0)] }),
  operation('add many', { kind: 'change', added: lines(3, 14, '<a:g>'), removed: [line(1)] }),
  {
    name: 'add two at once',
    run: async (life) => {
      const repository = await life.repository();
      const results = await Promise.allSettled([
        repository.commit([quadOf('<a:once> <a:p> "1" .').quad], []),
        repository.commit([quadOf('<a:once> <a:p> "2" .').quad], []),
      ]);
      for (const result of results) if (result.status === 'rejected') throw result.reason;
    },
    expect: (seen) => {
      const first = new Set(seen.states!.at(-1)).add('<a:once> <a:p> "1" .');
      return { ...seen, states: [...seen.states!, first, new Set(first).add('<a:once> <a:p> "2" .')] };
    },
    // One of them failed, or the first was published alone.
    partly: (seen) =>
      [1, 2].map((n) => ({
        ...seen,
        states: [...seen.states!, new Set(seen.states!.at(-1)).add(`<a:once> <a:p> "${n}" .`)],
      })),
  },
  operation('load', { kind: 'load', lines: [...lines(10, 34), '_:b <a:p0> _:c .', long], replace: false }),
  operation('load small', { kind: 'load', lines: lines(33, 36), replace: false }),
  reopen,
  {
    name: 'tag',
    run: async (life) => {
      const repository = await life.repository();
      await repository.tags.set('v1', (await repository.resolve(3)).id);
    },
    expect: (seen) => ({ ...seen, tags: new Map([...seen.tags, ['v1', 3]]) }),
  },
  {
    name: 'namespace',
    run: async (life) =>
      (await life.repository()).namespaces.set('ex', new TextEncoder().encode('http://example.org/')),
    expect: (seen) => ({ ...seen, namespaces: new Map([...seen.namespaces, ['ex', 'http://example.org/']]) }),
  },
  operation('replace', { kind: 'load', lines: [...lines(25, 50), '_:b <a:p1> "new" .'], replace: true }),
  operation('replace a graph', { kind: 'load', lines: lines(50, 58), replace: true, graph: '<a:g>' }),
  operation('remove by pattern', { kind: 'removeMatches', pattern: { p: '<a:p1>' } }),
  {
    name: 'transaction',
    run: async (life) => {
      const repository = await life.repository();
      const transaction = await repository.begin();
      try {
        await transaction.add([quadOf('<a:t> <a:p> "new in a transaction" .').quad]);
        await transaction.removeMatches({
          predicate: quadOf(line(0)).quad.predicate,
          object: quadOf(line(45)).quad.object,
        });
        await repository.commitTransaction(transaction, {});
      } finally {
        transaction.close();
      }
    },
    expect: (seen) => {
      const before = seen.states!.at(-1)!;
      const next = new Set(before);
      for (const present of before)
        if (quadOf(present).texts[1] === '<a:p0>' && quadOf(present).texts[2] === quadOf(line(45)).texts[2])
          next.delete(present);
      return { ...seen, states: [...seen.states!, next.add('<a:t> <a:p> "new in a transaction" .')] };
    },
  },
  operation('revert', { kind: 'revert', number: 7 }),
  { name: 'compact', run: async (life) => (await life.repository()).maintenance.compact(), expect: same },
  operation('add after compact', { kind: 'change', added: lines(60, 63), removed: [line(30)] }),
  reopen,
  {
    name: 'read',
    run: async (life) => {
      const repository = await life.repository();
      for (let number = 1; number <= repository.head.number; number++) await stateAt(repository, number);
    },
    expect: same,
  },
  { name: 'rebuild', run: async (life) => (await life.repository()).maintenance.rebuild(), expect: same },
  operation('revert the first load', { kind: 'revert', number: 4 }),
  {
    name: 'delete',
    run: (life) => life.store.deleteRepository(NAME),
    expect: () => NOTHING,
  },
  reopen,
  { name: 'close', run: (life) => life.store.close(), expect: same },
];

/** Everything that can be seen of the store now. States before the last `most` ones are those of `known`. */
export async function look(life: Life, most = Number.POSITIVE_INFINITY, known: readonly State[] = []): Promise<Seen> {
  if ((await life.store.record(NAME)) === undefined) return NOTHING;
  const repository = await life.repository();
  const states: State[] = [new Set()];
  for (let number = 1; number <= repository.head.number; number++) {
    const isKnown = number <= repository.head.number - most && known[number] !== undefined;
    states.push(isKnown ? known[number]! : await stateAt(repository, number));
  }
  const tags = new Map<string, number>();
  for (const name of (await repository.tags.list()).keys()) tags.set(name, (await repository.resolve(name)).number);
  const namespaces = new Map(
    [...(await repository.namespaces.list())].map(([name, iri]) => [name, new TextDecoder().decode(iri)]),
  );
  return { states, tags, namespaces };
}

/** First byte of the keys of all repositories, whose number follows. */
const DATA = 0x10;

/** Numbers under which keys are stored, though no repository has them. */
export async function strayRepositories({ store }: Life): Promise<number[]> {
  const known = new Set(Array.from((await store.repositories()).values(), ({ id }) => id));
  const stray = new Set<number>();
  for await (const chunk of store.engine.range(
    { gte: Uint8Array.of(DATA), lt: Uint8Array.of(DATA + 1) },
    { read: 'keys' },
  )) {
    for (const { key } of chunk) {
      const id = new DataView(key.buffer, key.byteOffset).getUint32(1);
      if (!known.has(id)) stray.add(id);
    }
  }
  return [...stray];
}
