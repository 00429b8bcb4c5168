/** Questions to a damaged store: each answer is right, or a CorruptionError. */
import type { Repository } from '@quadrille/core';
import { CorruptionError, iterate, type QuadrilleError, termToText } from '@quadrille/model';
import type { StorageDriver } from '@quadrille/storage';
import { check } from '../model/check.js';
import { differenceText, stateAt, termsOf } from '../model/operations.mjs';
import type { State } from '../model/operations.mjs';
import { NAME, open } from './sample-store.js';

interface Asking {
  /** Whether an error is a right answer. Default: a CorruptionError is. */
  readonly tells?: (error: unknown) => error is QuadrilleError;
  /** Whether the newest revisions may be missing: the end of a log that was cut off tells nobody that there was more. */
  readonly mayEndEarly?: boolean;
}

const isCorruption = (error: unknown): error is QuadrilleError => error instanceof CorruptionError;

/** Everything that can be asked; what is answered is right, or the question fails with a CorruptionError. */
export async function ask(
  driver: StorageDriver,
  states: readonly State[],
  { tells = isCorruption, mayEndEarly = false }: Asking = {},
): Promise<QuadrilleError[]> {
  const found: QuadrilleError[] = [];
  const attempt = async (question: () => Promise<void>): Promise<void> => {
    try {
      await question();
    } catch (error) {
      if (!tells(error)) throw error;
      found.push(error);
    }
  };
  const store = await open(driver).catch((error: unknown) => {
    if (!tells(error)) throw error;
    found.push(error);
    return undefined;
  });
  if (store === undefined) return found;
  try {
    if (!mayEndEarly) await attempt(async () => same([...(await store.repositories()).keys()], [NAME]));
    let repository: Repository | undefined;
    await attempt(async () => void (repository = await store.repository(NAME)));
    if (repository !== undefined) {
      const head = repository.head.number;
      if (mayEndEarly && head < states.length - 1) await askRevisions(repository, states.slice(0, head + 1), attempt);
      else await askRepository(repository, states, attempt);
    }
    await attempt(async () => {
      const report = await store.verify();
      for (const { code, message } of report.problems)
        found.push(new CorruptionError(code as 'CHECKSUM', `verify: ${message}`));
    });
  } finally {
    await store.close();
  }
  return found;
}

const predicateCounts = new WeakMap<State, Map<string, number>>();

/** Quads of a state by predicate. The same states are asked thousands of times. */
function countsOf(state: State): ReadonlyMap<string, number> {
  let counts = predicateCounts.get(state);
  if (counts === undefined) {
    counts = new Map();
    for (const line of state) {
      const predicate = line.split(' ')[1]!;
      counts.set(predicate, (counts.get(predicate) ?? 0) + 1);
    }
    predicateCounts.set(state, counts);
  }
  return counts;
}

type Attempt = (question: () => Promise<void>) => Promise<void>;

async function askRevisions(repository: Repository, states: readonly State[], attempt: Attempt): Promise<void> {
  const head = states.length - 1;
  for (let number = 1; number <= head; number++) {
    await attempt(async () => same(differenceText(await stateAt(repository, number), states[number]!), undefined));
    await attempt(async () => {
      const snapshot = await repository.snapshotAt(number);
      try {
        for (const predicate of ['<a:p0>', '<a:p2>']) {
          const ids = await snapshot.ids(termsOf({ p: predicate }));
          const count = ids === undefined ? 0 : await snapshot.count(ids);
          same(count, countsOf(states[number]!).get(predicate) ?? 0);
        }
      } finally {
        snapshot.close();
      }
    });
  }
}

async function askRepository(repository: Repository, states: readonly State[], attempt: Attempt): Promise<void> {
  const head = states.length - 1;
  await askRevisions(repository, states, attempt);
  await attempt(async () => {
    let [added, removed] = [0, 0];
    for await (const entries of iterate(repository.history.diff(2, head)))
      for (const { op } of entries) {
        if (op === 'add') added++;
        else removed++;
      }
    const [first, last] = [states[2]!, states[head]!];
    same(
      [added, removed],
      [[...last].filter((line) => !first.has(line)).length, [...first].filter((line) => !last.has(line)).length],
    );
  });
  await attempt(async () => {
    const snapshot = repository.snapshot();
    try {
      const ids = await snapshot.ids(termsOf({ s: '<a:new>' }));
      const quads = ids === undefined ? [] : await snapshot.read(ids).next();
      same(quads?.map((quad) => termToText(quad.object)).sort(), ['"in the tail too"', '"in the tail"']);
    } finally {
      snapshot.close();
    }
  });
  await attempt(async () => same((await repository.resolve('v1')).number, 3));
  await attempt(async () =>
    same(
      [...(await repository.namespaces.list()).values()].map((iri) => new TextDecoder().decode(iri)),
      ['http://example.org/'],
    ),
  );
}

function same(actual: unknown, expected: unknown): void {
  const [found, wanted] = [JSON.stringify(actual), JSON.stringify(expected)];
  check(found === wanted, () => `a wrong answer: ${found?.slice(0, 300)}, not ${wanted?.slice(0, 300)}`);
}
