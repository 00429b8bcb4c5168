/**
 * A process that ends at any write of an operation that makes or rewrites histories: all of it is there, or nothing that is seen. Of an import
 * there are whole revisions. Done again, it comes to the same end.
 */
import type * as RDF from '@rdfjs/types';
import { expect, test } from 'vitest';
import { iri, termToText } from '@quadrille/model';
import { MemoryDriver } from '@quadrille/storage';
import { FaultDriver } from '@quadrille/storage/testing';
import type { Repository } from '../repository.js';
import type { Store } from '../store.js';
import { contents, many, openRepository, q, SMALL } from '../testing/fixture.js';

interface Opened {
  readonly store: Store;
  readonly main: Repository;
}

async function create(main: Repository, name: string): Promise<void> {
  const record = await main.resolve('HEAD');
  await (await main.branches()).create(name, { keyspace: main.handle.keyspace, record });
}

const branchOf = async (main: Repository, name: string): Promise<Repository> => (await main.lines()).branch(name);

type State = Record<string, unknown>;

/** What the store shows: the heads of all branches of all repositories, and what is wrong. */
async function shown({ store }: Opened): Promise<State> {
  const found: State = {};
  for (const name of (await store.repositories()).keys()) {
    const repository = await store.repository(name);
    for (const { name: branch } of await (await repository.branches()).list()) {
      const each = await branchOf(repository, branch);
      const numbers: number[] = [];
      for await (const { number } of each.history.log()) numbers.push(number);
      found[`${name} ${branch}`] = [numbers, await contents(each)];
    }
    const { problems } = await repository.maintenance.verify();
    if (problems.length > 0) found[`${name} problems`] = problems;
  }
  return found;
}

const open = async (driver: MemoryDriver | FaultDriver): Promise<Opened> => {
  const { store, repository } = await openRepository(driver, { tuning: SMALL });
  return { store, main: repository };
};

interface Operation {
  /** Makes what the operation needs. */
  prepare(opened: Opened): Promise<void>;
  run(opened: Opened): Promise<unknown>;
  /** Whether a write fails in one way only, by turns, because there are many. */
  readonly byTurns?: boolean;
  /** Whether there may also be a state between that before and that after. */
  isBetween?(state: State, after: State): boolean;
}

const OPERATIONS: Record<string, Operation> = {
  'the creation of a branch': {
    prepare: async ({ main }) => void (await main.commit([q('a p o')], [])),
    run: ({ main }) => create(main, 'dev'),
  },
  'a merge': {
    prepare: async ({ main }) => {
      await main.commit(many('a', 30), []);
      await create(main, 'dev');
      await (await branchOf(main, 'dev')).commit(many('b', 30), many('a', 10));
      await main.commit([q('c p o')], []);
    },
    run: ({ main }) => main.merge('dev', {}),
  },
  'a fast-forward': {
    prepare: async ({ main }) => {
      await main.commit([q('a p o')], []);
      await create(main, 'dev');
      const dev = await branchOf(main, 'dev');
      for (let i = 0; i < 4; i++) await dev.commit([q(`b${i} p o`)], []);
      await dev.commit(many('c', 30), []);
      await dev.commit([q('d p o')], [q('c3 p o3')]);
    },
    run: ({ main }) => main.merge('dev', { fastForward: true }),
  },
  'an import of a history': {
    prepare: async () => undefined,
    run: async ({ main }) => {
      await importInto(main, (await sourceOfImport).repository);
    },
    byTurns: true,
    isBetween(state, after) {
      const [numbers] = state['a/r main'] as [number[], string[]];
      const [all] = after['a/r main'] as [number[], string[]];
      return (
        Object.keys(state).length === 1 &&
        numbers.every((number, at) => number === all[all.length - numbers.length + at])
      );
    },
  },
  'a fork': {
    prepare: async ({ main }) => {
      await main.commit(many('a', 30), []);
      await create(main, 'dev');
      await (await branchOf(main, 'dev')).commit([q('b p o')], []);
      await main.commit([q('c p o')], []);
    },
    run: ({ store }) => store.fork('a/r', 'a/copy', { at: 2 }),
  },
  'a trim': {
    prepare: async ({ main }) => {
      await main.commit(many('a', 30), []);
      await main.commit([q('b p o')], many('a', 20));
      await create(main, 'dev');
      await (await branchOf(main, 'dev')).commit([q('c p o')], []);
      for (let i = 0; i < 6; i++) await main.commit([q(`d${i} p o`), q('e p o')], [q(`d${i - 1} p o`)]);
    },
    run: ({ main }) =>
      main.maintenance.trim({ last: 2, deleteHistory: false, dryRun: false, attest: async () => new Map() }),
  },
  'an erasure': {
    prepare: async ({ main }) => {
      await main.commit([...many('a', 30), q('gone p o')], []);
      await create(main, 'dev');
      await (await branchOf(main, 'dev')).commit([q('b p gone')], many('a', 20));
      await main.commit([q('c p o')], [q('gone p o')]);
    },
    run: ({ main }) =>
      main.maintenance.erase({
        target: { term: iri('http://e/gone') },
        message: () => 'erased',
        attest: async () => new Map(),
      }),
    byTurns: true,
  },
};

/** A history with small and large revisions. */
const sourceOfImport = (async () => {
  const { store, repository } = await openRepository(new MemoryDriver(), { tuning: SMALL });
  for (let i = 0; i < 8; i++) await repository.commit([q(`a${i} p o`)], [q(`a${i - 2} p o`)]);
  await repository.commit(many('b', 60), []);
  await repository.commit([q('c p o')], many('b', 40));
  await repository.commit([q('d p o')], [q('c p o')]);
  return { store, repository };
})();

async function importInto(main: Repository, from: Repository): Promise<void> {
  const { HistoryImport, HistoryFaults, exportRevisions } = await main.history.files();
  const snapshot = await from.snapshotAt('HEAD');
  const to = await HistoryImport.begin(main, new HistoryFaults(undefined), undefined);
  const utf8 = new TextEncoder();
  const handle = (term: RDF.Term): number => {
    if (term.termType === 'DefaultGraph') return 1;
    const bytes = utf8.encode(termToText(term));
    return to.term(bytes, 0, bytes.length);
  };
  try {
    for await (const { record, changes } of exportRevisions(snapshot, 1, snapshot.number, undefined)) {
      for await (const { op, quads } of changes()) {
        for (const { subject, predicate, object, graph } of quads) {
          to.change(op === 'add', handle(subject), handle(predicate), handle(object), handle(graph), 1);
          if (to.full) await to.makeRoom(record.number, 1);
        }
      }
      await to.commit(record, 1);
      // So that each revision has a write of its own.
      await to.flush();
    }
  } finally {
    snapshot.close();
    await to.close();
  }
}

/** Prepares, runs with all writes from one on failing, and opens the store again. */
async function attempt(
  { prepare, run }: Operation,
  at: number,
  effect: 'fail' | 'throwAfterApply',
): Promise<{ ended: boolean; before: State; again: Opened }> {
  const memory = new MemoryDriver();
  const faulty = new FaultDriver(memory);
  const opened = await open(faulty);
  await prepare(opened);
  const before = await shown(opened);
  faulty.setFault({ effect, operations: ['write'], at, repeat: 'forever' });
  const ended = await run(opened).then(
    () => true,
    () => false,
  );
  faulty.setFault();
  await opened.store.close().catch(() => undefined);
  return { ended, before, again: await open(memory) };
}

test.each(Object.entries(OPERATIONS))('%s', async (_, operation) => {
  const whole = await attempt(operation, Number.POSITIVE_INFINITY, 'fail');
  const after = await shown(whole.again);
  expect(whole.ended).toBe(true);
  expect(after).not.toEqual(whole.before);
  await whole.again.store.close();
  const seen = new Set<string>();
  for (let at = 1, all = false; !all; at++) {
    expect(at).toBeLessThan(100);
    const effects = ['fail', 'throwAfterApply'] as const;
    for (const effect of operation.byTurns === true ? [effects[at % 2]!] : effects) {
      const { ended, before, again } = await attempt(operation, at, effect);
      const state = await shown(again);
      const [isBefore, isAfter] = [before, after].map((each) => JSON.stringify(each) === JSON.stringify(state));
      const isBetween = !isBefore && !isAfter && operation.isBetween?.(state, after) === true;
      expect(isBefore || isAfter || isBetween, `write ${at}`).toBe(true);
      const kind = isAfter ? 'after' : isBetween ? 'between' : 'before';
      seen.add(kind);
      if (ended) expect(kind, `write ${at}`).toBe('after');
      // What was cut off can be done again.
      if (kind !== 'after') await operation.run(again);
      expect(await shown(again)).toEqual(after);
      await again.store.close();
      all = ended;
    }
  }
  expect(seen).toContain('before');
});
