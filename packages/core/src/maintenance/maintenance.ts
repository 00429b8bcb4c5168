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
import type { RepositoryCore } from '../open/repository-core.js';
import { deltaRows } from '../revision/delta.js';
import { readRecords } from '../revision/log.js';
import type { Statistics } from '../revision/statistics.js';
import { deleteWhenUnused, retireOps, RunSession } from '../index/run/run-session.js';
import { BatchWriter } from '../keyspace/keyspace.js';

/** Starts what is due, in the background; failures stop writes through the storage's own fail-stop. */
export function maintain(core: RepositoryCore): void {
  if (!core.inMemory) return;
  const { memtableRows, tailTerms } = core.keyspace.tuning;
  if (core.state.active.rows < memtableRows && core.dictionary.tail.size < tailTerms && !needsMerge(core)) return;
  if (core.maintaining) return;
  core.maintaining = true;
  core.enter();
  void core.maintenance
    .run(async () => {
      const pacer = new Pacer(core.env);
      // Tombstones of intervals that are still in the memtable can only be merged with them.
      const together = core.state.active.rows > 0 && ORDERS.some((order) => manyTombstones(core, order));
      if (core.state.active.rows >= memtableRows || together) await flushMemtable(core, pacer);
      if (core.dictionary.tail.size >= tailTerms) await flushDictionary(core, pacer);
      await mergeTiers(core, pacer);
    })
    .catch((error: unknown) => {
      core.maintenanceError = error;
    })
    .finally(() => {
      core.maintaining = false;
      core.leave();
    });
}

async function flushDictionary(core: RepositoryCore, pacer: Pacer): Promise<void> {
  await core.dictionary.lock.run(async () => {
    if (core.dictionary.tail.size > 0) await flushTerms(core.dictionary, pacer);
  });
  await mergeHashRuns(core.dictionary, pacer);
}

/** Writes the memtable out as runs. Under the maintenance lock. */
export async function flushMemtable(core: RepositoryCore, pacer: Pacer): Promise<void> {
  const { committer } = core;
  // From here on new rows go to a new memtable; the frozen one is read like a run.
  const frozen = await committer.writeLock.run(async () => {
    await committer.drain();
    if (core.broken !== undefined) throw core.broken;
    const { state } = core;
    core.replaceState(new IndexVersion(state.runs, [...state.memtables, new Memtable()]));
    return { memtables: state.memtables, number: core.published.number };
  });
  await flushDictionary(core, pacer);
  const session = new RunSession(core.keyspace, core.numbers);
  const written: Run[] = [];
  for (const memtable of frozen.memtables) written.push(...(await writeMemtable(core, session, memtable, pacer)));
  await switchRuns(core, { add: written, drop: [], session, flushed: frozen.number, memtables: frozen.memtables });
}

const NO_ROWS = new Uint32Array(0);

async function writeMemtable(
  core: RepositoryCore,
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
      const batch = new BatchWriter(core.keyspace);
      const writer = new RunWriter(core.keyspace, batch, await session.take(), order, kind);
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
export async function switchRuns(core: RepositoryCore, change: Switch): Promise<void> {
  const { committer } = core;
  await committer.writeLock.run(async () => {
    await committer.drain();
    if (core.broken !== undefined) throw core.broken;
    const { state } = core;
    const runs = replaceRuns(state.runs, change);
    const memtables = state.memtables.filter((memtable) => !change.memtables?.includes(memtable));
    const flushed = change.flushed ?? core.flushed;
    const counts =
      change.statistics === undefined ? [] : await recountOps(core, change.statistics.counts, change.statistics.number);
    const ops: WriteOp[] = [
      ...counts,
      {
        type: 'put',
        key: core.keyspace.key(Tag.root),
        value: core.encodeRoot(
          runs.map((run) => run.entry),
          { flushed },
        ),
      },
      ...retireOps(core.keyspace, change.drop),
      ...change.session.finish(),
    ];
    await core.keyspace.write(ops);
    core.flushed = flushed;
    for (const run of change.drop) deleteWhenUnused(core.keyspace, core.retiring, run);
    core.replaceState(new IndexVersion(runs, memtables.length > 0 ? memtables : [new Memtable()]));
  });
}

// Statistics made anew as of a revision, brought up to the present one.
async function recountOps(core: RepositoryCore, counts: Statistics, number: number): Promise<WriteOp[]> {
  for await (const record of readRecords(core.keyspace, number + 1, core.published.number)) {
    for (const side of ['added', 'removed'] as const) {
      for await (const { columns, start, end } of deltaRows(core.keyspace, record, side)) {
        counts.apply({ p: columns[1], g: columns[3], length: end }, side === 'added' ? 1 : -1, start, end);
      }
    }
  }
  core.statistics = counts;
  return core.committer.writeCheckpoint(core.published.number, core.state.runs);
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
function due(core: RepositoryCore, order: Order): { live: readonly Run[]; history: readonly Run[] } {
  const { tierRuns } = core.keyspace.tuning;
  const live = runsOf(core.state.runs, order, 'live');
  const history = runsOf(core.state.runs, order, 'history');
  return { live: manyTombstones(core, order) ? live : tier(live, tierRuns), history: tier(history, tierRuns) };
}

function manyTombstones(core: RepositoryCore, order: Order): boolean {
  const { memtableRows, tierRuns } = core.keyspace.tuning;
  const tombstones = runsOf(core.state.runs, order, 'tombstone');
  const live = runsOf(core.state.runs, order, 'live');
  return tombstones.length >= tierRuns || rowsOf(tombstones) * tierRuns > rowsOf(live) + memtableRows;
}

function needsMerge(core: RepositoryCore): boolean {
  return ORDERS.some((order) => {
    const { live, history } = due(core, order);
    return live.length > 0 || history.length > 0;
  });
}

async function mergeTiers(core: RepositoryCore, pacer: Pacer): Promise<void> {
  for (const order of ORDERS) {
    const { live, history } = due(core, order);
    if (live.length > 0) await mergeLive(core, order, live, pacer);
    if (history.length > 0) await mergeHistory(core, order, history, pacer);
  }
}

/** Merges everything, whatever its size: one live run an order, no tombstones, one history run. Under the lock. */
export async function mergeAll(core: RepositoryCore, pacer: Pacer): Promise<void> {
  for (const order of ORDERS) {
    const live = runsOf(core.state.runs, order, 'live');
    if (live.length > 1 || runsOf(core.state.runs, order, 'tombstone').length > 0)
      await mergeLive(core, order, live, pacer);
    const history = runsOf(core.state.runs, order, 'history');
    if (history.length > 1) await mergeHistory(core, order, history, pacer);
  }
}

async function mergeLive(core: RepositoryCore, order: Order, live: readonly Run[], pacer: Pacer): Promise<void> {
  const tombstones = runsOf(core.state.runs, order, 'tombstone');
  const session = new RunSession(core.keyspace, core.numbers);
  const add = await mergeRuns(core.keyspace, session, order, live, tombstones, pacer);
  await switchRuns(core, { add, drop: [...live, ...tombstones], session });
}

async function mergeHistory(core: RepositoryCore, order: Order, history: readonly Run[], pacer: Pacer): Promise<void> {
  const session = new RunSession(core.keyspace, core.numbers);
  const add = await mergeRuns(core.keyspace, session, order, history, [], pacer, 'history');
  await switchRuns(core, { add, drop: history, session });
}
