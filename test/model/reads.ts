/** Reads of any revision: all patterns of a quad, statistics, differences, snapshots that stay open. */
import type { Snapshot } from '@quadrille/core';
import { iterate, termToText } from '@quadrille/model';
import { check } from './check.js';
import {
  below,
  difference,
  differenceText,
  matching,
  pick,
  quadOf,
  randomQuad,
  readState,
  termsOf,
} from './operations.mjs';
import type { TextPattern } from './operations.mjs';
import { compareSnapshot } from './revisions.js';
import type { World } from './world.js';

/** Counts and reads of all sixteen patterns of one quad. */
export async function checkCounts(world: World): Promise<void> {
  const number = world.random() < 0.6 ? world.head : 1 + below(world.random, world.head);
  const snapshot = await world.repository.snapshotAt(number);
  try {
    await countAll(world, snapshot);
    await checkStatistics(world, snapshot);
  } finally {
    snapshot.close();
  }
}

async function countAll(world: World, snapshot: Snapshot): Promise<void> {
  const state = world.states[snapshot.number]!;
  const line =
    state.size > 0 && world.random() < 0.8 ? pick(world.random, [...state]) : randomQuad(world.random, world.words);
  const [s, p, o, g] = quadOf(line).texts;
  for (let mask = 0; mask < 16; mask++) {
    const pattern = patternOf(mask, { s, p, o, g });
    const expected = new Set(matching(pattern, state));
    const ids = await snapshot.ids(termsOf(pattern));
    const count = ids === undefined ? 0 : await snapshot.count(ids);
    const say = (): string =>
      `${JSON.stringify(pattern).slice(0, 300)} at revision ${snapshot.number} of ${world.head}`;
    check(count === expected.size, () => `counted ${count}, not ${expected.size}, for ${say()}`);
    const wrong = differenceText(ids === undefined ? new Set() : await readState(snapshot, ids), expected);
    check(wrong === undefined, () => `${say()}: ${wrong}`);
  }
}

async function checkStatistics(world: World, snapshot: Snapshot): Promise<void> {
  const { graphs } = await snapshot.statistics();
  const decoder = snapshot.timeline.decoder;
  const actual: string[] = [];
  for (const [id, count] of graphs) actual.push(`${termToText(await decoder.decode(id))} ${count}`);
  const expected = new Map<string, number>();
  for (const line of world.states[snapshot.number]!) {
    const graph = quadOf(line).texts[3];
    expected.set(graph, (expected.get(graph) ?? 0) + 1);
  }
  const texts = [...expected].map(([graph, count]) => `${graph} ${count}`);
  check(
    actual.sort().join() === texts.sort().join(),
    () => `statistics of graphs: ${actual.join()}, not ${texts.join()}`,
  );
}

export async function checkDiff(world: World): Promise<void> {
  const [from, to] = [1 + below(world.random, world.head), 1 + below(world.random, world.head)];
  const [before, after] = [world.states[from]!, world.states[to]!];
  const pattern = randomPattern(world, [...before, ...after]);
  const found: Record<'add' | 'remove', Set<string>> = { add: new Set(), remove: new Set() };
  for await (const entries of iterate(world.repository.history.diff(from, to, termsOf(pattern)))) {
    for (const { op, quad } of entries) {
      const { subject, predicate, object, graph } = quad;
      const texts = [subject, predicate, object, graph].map((term) => termToText(term));
      found[op].add(`${texts.join(' ').trimEnd()} .`);
    }
  }
  const wrong =
    differenceText(found.add, new Set(matching(pattern, new Set(difference(after, before))))) ??
    differenceText(found.remove, new Set(matching(pattern, new Set(difference(before, after)))));
  check(wrong === undefined, () => `diff of ${from} and ${to} by ${JSON.stringify(pattern)}: ${wrong}`);
}

/** Any of the sixteen patterns of one quad, often of one that is there. */
function randomPattern(world: World, lines: readonly string[]): TextPattern {
  const isThere = lines.length > 0 && world.random() < 0.8;
  const [s, p, o, g] = quadOf(isThere ? pick(world.random, lines) : randomQuad(world.random, world.words)).texts;
  return patternOf(below(world.random, 16), { s, p, o, g });
}

/** The terms of a quad at the positions that are bound: 1 = subject, 2 = predicate, 4 = object, 8 = graph. */
const patternOf = (mask: number, { s, p, o, g }: Required<TextPattern>): TextPattern => ({
  ...(mask & 1 ? { s } : {}),
  ...(mask & 2 ? { p } : {}),
  ...(mask & 4 ? { o } : {}),
  ...(mask & 8 ? { g } : {}),
});

export async function takeSnapshot(world: World): Promise<void> {
  const number = world.random() < 0.5 ? world.head : 1 + below(world.random, world.head);
  world.snapshots.push(await world.repository.snapshotAt(number));
  if (world.snapshots.length > 4) world.snapshots.shift()!.close();
}

export async function checkSnapshots(world: World): Promise<void> {
  for (const snapshot of world.snapshots) {
    await compareSnapshot(world, snapshot, 'open snapshot');
    await countAll(world, snapshot);
  }
}
