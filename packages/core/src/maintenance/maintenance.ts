/**
 * Work behind the commits: memtables become runs, runs of like size are merged, intervals that ended move to history. All of
 * it is cut into slices, and each switch of runs is one atomic write under the write lock.
 */
import type { WriteOp } from '@quadrille/storage';
import { flushTerms, mergeHashRuns } from '../dictionary/dictionary-flush.js';
import { Pacer } from '../runtime/env.js';
import { FOREVER, Tag } from '../format/layout.js';
import { IndexVersion, Memtable, runsOf } from '../index/index-version.js';
import { mergeRuns } from '../index/merge/merge-runs.js';
import { ORDERS } from '../index/orders.js';
import type { Order } from '../index/orders.js';
import type { Run, RunKind } from '../index/run/run.js';
import { RunWriter } from '../index/run/run-writer.js';
import type { RowTable } from '../index/memtable/row-table.js';
import { appendRows } from '../index/run/write-orders.js';
import type { Generation } from '../open/generation.js';
import type { RepositoryHandle } from '../open/handle.js';
import { deltaRows } from '../revision/delta.js';
import { readRecords } from '../revision/log.js';
import type { Statistics } from '../revision/statistics.js';
import { deleteWhenUnused, retireOps, RunSession } from '../index/run/run-session.js';
import { BatchWriter } from '../keyspace/batch-writer.js';

/** Starts what is due, in the background; failures stop writes through the storage's own fail-stop. */
export function maintain(handle: RepositoryHandle): void {
  if (!handle.inMemory) return;
  const { generation } = handle;
  const { memtableRows } = generation.keyspace.tuning;
  if (generation.index.active.rows < memtableRows && !generation.dictionary.tailDue && !needsMerge(generation)) return;
  if (handle.maintaining) return;
  handle.maintaining = true;
  handle.users.enter();
  void handle.maintenance
    .run(() => maintainNow(handle.generation))
    .catch((error: unknown) => {
      handle.maintenanceError = error;
    })
    .finally(() => {
      handle.maintaining = false;
      handle.users.leave();
    });
}

async function maintainNow(generation: Generation): Promise<void> {
  const { memtableRows } = generation.keyspace.tuning;
  const pacer = new Pacer(generation.env);
  // Tombstones of intervals that are still in the memtable can only be merged with them.
  const together = generation.index.active.rows > 0 && ORDERS.some((order) => manyTombstones(generation, order));
  if (generation.index.active.rows >= memtableRows || together) await flushMemtable(generation, pacer);
  if (generation.dictionary.tailDue) await flushDictionary(generation, pacer);
  await mergeTiers(generation, pacer);
}

async function flushDictionary(generation: Generation, pacer: Pacer): Promise<void> {
  await generation.dictionary.lock.run(async () => {
    if (generation.dictionary.tail.size > 0) await flushTerms(generation.dictionary, pacer);
  });
  await mergeHashRuns(generation.dictionary, pacer);
}

/** Writes the memtable out as runs. Under the maintenance lock. */
export async function flushMemtable(generation: Generation, pacer: Pacer): Promise<void> {
  const { committer } = generation;
  // From here on new rows go to a new memtable; the frozen one is read like a run.
  const frozen = await committer.writeLock.run(async () => {
    await committer.drain();
    if (generation.failure !== undefined) throw generation.failure;
    const { index: state } = generation;
    generation.replaceIndex(new IndexVersion(state.runs, [...state.memtables, new Memtable()]));
    return { memtables: state.memtables, number: generation.published.number };
  });
  await flushDictionary(generation, pacer);
  const session = new RunSession(generation.keyspace, generation.numbers);
  const written: Run[] = [];
  for (const memtable of frozen.memtables) written.push(...(await writeMemtable(generation, session, memtable, pacer)));
  await switchRuns(generation, {
    add: written,
    drop: [],
    session,
    flushed: frozen.number,
    memtables: frozen.memtables,
  });
}

const NO_ROWS = new Uint32Array(0);

async function writeMemtable(
  generation: Generation,
  session: RunSession,
  memtable: Memtable,
  pacer: Pacer,
): Promise<Run[]> {
  const runs: Run[] = [];
  const { added, removed } = memtable;
  for (const order of ORDERS) {
    const rows = added.sortedRows(order);
    const to = added.columns[5];
    const noneEnded = added.ended === 0;
    const parts: [RunKind, RowTable, Uint32Array][] = [
      ['live', added, noneEnded ? rows : rows.filter((row) => to[row] === FOREVER)],
      ['history', added, noneEnded ? NO_ROWS : rows.filter((row) => to[row] !== FOREVER)],
      ['tombstone', removed, removed.sortedRows(order)],
    ];
    for (const [kind, table, sorted] of parts) {
      if (sorted.length === 0) continue;
      const batch = new BatchWriter(generation.keyspace);
      const writer = new RunWriter(generation.keyspace, batch, await session.take(), order, kind);
      await appendRows(writer, batch, table.columns, order, sorted, pacer);
      runs.push((await writer.finish({ revision: 0, logOwned: false })).run);
    }
  }
  return runs;
}

interface Switch {
  readonly add: readonly Run[];
  readonly drop: readonly Run[];
  readonly session: RunSession;
  /** Memtables that the added runs take the place of, and the revision up to which they reach. */
  readonly memtables?: readonly Memtable[];
  readonly flushed?: number;
  /** Counts made anew, as of a revision. */
  readonly statistics?: { readonly counts: Statistics; readonly number: number };
}

/** Puts runs in the place of others, in one atomic write. */
export async function switchRuns(generation: Generation, change: Switch): Promise<void> {
  const { committer } = generation;
  await committer.writeLock.run(async () => {
    await committer.drain();
    if (generation.failure !== undefined) throw generation.failure;
    const { index: state } = generation;
    const runs = replaceRuns(state.runs, change);
    const memtables = state.memtables.filter((memtable) => !change.memtables?.includes(memtable));
    const flushed = change.flushed ?? generation.flushed;
    const counts =
      change.statistics === undefined
        ? []
        : await recountOps(generation, change.statistics.counts, change.statistics.number);
    const ops: WriteOp[] = [
      ...counts,
      {
        type: 'put',
        key: generation.keyspace.key(Tag.root),
        value: generation.encodeRoot(
          runs.map((run) => run.entry),
          { flushed },
        ),
      },
      ...retireOps(generation.keyspace, change.drop),
      ...change.session.finish(),
    ];
    await generation.keyspace.write(ops);
    generation.flushed = flushed;
    for (const run of change.drop) deleteWhenUnused(generation.keyspace, generation.retiring, run);
    generation.replaceIndex(new IndexVersion(runs, memtables.length > 0 ? memtables : [new Memtable()]));
  });
}

// Statistics made anew as of a revision, brought up to the present one.
async function recountOps(generation: Generation, counts: Statistics, number: number): Promise<WriteOp[]> {
  const pacer = new Pacer(generation.env);
  for await (const record of readRecords(generation.keyspace, number + 1, generation.published.number)) {
    for (const side of ['added', 'removed'] as const) {
      for await (const { columns, start, end } of deltaRows(generation.keyspace, record, side)) {
        counts.apply({ p: columns[1], g: columns[3], length: end }, side === 'added' ? 1 : -1, start, end);
        if (pacer.due()) await pacer.pause();
      }
    }
  }
  generation.statistics = counts;
  const { number: present } = generation.published;
  const encoded = await counts.encode(pacer);
  return generation.committer.checkpointOps({ number: present, encoded }, generation.index.runs);
}

// New runs stand where the oldest of the dropped ones stood, so that runs stay ordered by age.
function replaceRuns(runs: readonly Run[], { add, drop }: Switch): Run[] {
  const first = runs.findIndex((run) => drop.includes(run));
  const kept = runs.filter((run) => !drop.includes(run));
  if (first === -1) return [...kept, ...add];
  const before = runs.slice(0, first).filter((run) => !drop.includes(run)).length;
  return [...kept.slice(0, before), ...add, ...kept.slice(before)];
}

const rowsOf = (runs: readonly Run[]): number => runs.reduce((sum, run) => sum + run.entry.rows, 0);

// The newest runs of which each older one is not much larger than all newer ones together.
function tier(runs: readonly Run[], tierRuns: number): readonly Run[] {
  if (runs.length < tierRuns) return [];
  let first = runs.length - 1;
  while (first > 0 && runs[first - 1]!.entry.rows <= rowsOf(runs.slice(first)) * tierRuns) first--;
  return runs.length - first >= 2 ? runs.slice(first) : [];
}

/** Which live and tombstone runs, and which history runs, of an order are to be merged now. */
function due(generation: Generation, order: Order): { live: readonly Run[]; history: readonly Run[] } {
  const { tierRuns } = generation.keyspace.tuning;
  const live = runsOf(generation.index.runs, order, 'live');
  const history = runsOf(generation.index.runs, order, 'history');
  return { live: manyTombstones(generation, order) ? live : tier(live, tierRuns), history: tier(history, tierRuns) };
}

function manyTombstones(generation: Generation, order: Order): boolean {
  const { memtableRows, tierRuns } = generation.keyspace.tuning;
  const tombstones = runsOf(generation.index.runs, order, 'tombstone');
  const live = runsOf(generation.index.runs, order, 'live');
  return tombstones.length >= tierRuns || rowsOf(tombstones) * tierRuns > rowsOf(live) + memtableRows;
}

function needsMerge(generation: Generation): boolean {
  return ORDERS.some((order) => {
    const { live, history } = due(generation, order);
    return live.length > 0 || history.length > 0;
  });
}

async function mergeTiers(generation: Generation, pacer: Pacer): Promise<void> {
  for (const order of ORDERS) {
    const { live, history } = due(generation, order);
    if (live.length > 0) await mergeLive(generation, order, live, pacer);
    if (history.length > 0) await mergeHistory(generation, order, history, pacer);
  }
}

/** Merges everything, whatever its size: one live run an order, no tombstones, one history run. Under the lock. */
export async function mergeAll(generation: Generation, pacer: Pacer): Promise<void> {
  for (const order of ORDERS) {
    const live = runsOf(generation.index.runs, order, 'live');
    if (live.length > 1 || runsOf(generation.index.runs, order, 'tombstone').length > 0)
      await mergeLive(generation, order, live, pacer);
    const history = runsOf(generation.index.runs, order, 'history');
    if (history.length > 1) await mergeHistory(generation, order, history, pacer);
  }
}

async function mergeLive(generation: Generation, order: Order, live: readonly Run[], pacer: Pacer): Promise<void> {
  const tombstones = runsOf(generation.index.runs, order, 'tombstone');
  const session = new RunSession(generation.keyspace, generation.numbers);
  const add = await mergeRuns(generation.keyspace, session, order, live, tombstones, pacer);
  await switchRuns(generation, { add, drop: [...live, ...tombstones], session });
}

async function mergeHistory(
  generation: Generation,
  order: Order,
  history: readonly Run[],
  pacer: Pacer,
): Promise<void> {
  const session = new RunSession(generation.keyspace, generation.numbers);
  const add = await mergeRuns(generation.keyspace, session, order, history, [], pacer, 'history');
  await switchRuns(generation, { add, drop: history, session });
}
