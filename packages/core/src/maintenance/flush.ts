/** Flushes memtables and the dictionary's tail from memory to runs and blocks. */
import { FOREVER } from '../format/layout.js';
import { Memtable } from '../index/index-version.js';
import type { IndexVersion } from '../index/index-version.js';
import type { RowTable } from '../index/memtable/row-table.js';
import { ORDERS } from '../index/orders.js';
import type { Order } from '../index/orders.js';
import type { Run, RunKind } from '../index/run/run.js';
import type { RunSession } from '../index/run/run-session.js';
import { RunWriter } from '../index/run/run-writer.js';
import { appendRows } from '../index/run/write-orders.js';
import { BatchWriter } from '../keyspace/batch-writer.js';
import type { Timeline } from '../timeline/timeline.js';
import type { StateChange } from '../timeline/state.js';
import type { Pacer } from '../runtime/env.js';
import { writeAndSwitch } from './switch-runs.js';

/** Flushes the dictionary's tail to term blocks and a hash run. */
export async function flushTail({ dictionary }: Timeline, pacer: Pacer): Promise<void> {
  const { flushTerms } = await import('../on-request.js');
  await dictionary.lock.run(async () => {
    if (dictionary.tail.size > 0) await flushTerms(dictionary, pacer);
  });
}

/** Memtables that take no more rows, and the newest revision that they contain. */
export interface Frozen {
  readonly index: IndexVersion;
  readonly number: number;
}

/** Starts a new memtable. The memtables before it take no more rows and are read like runs. */
export async function freezeMemtables(timeline: Timeline): Promise<Frozen> {
  let frozen!: Frozen;
  const publish = (): StateChange => {
    const { index, head } = timeline.state;
    frozen = { index, number: head.number };
    return { index: index.with(index.runs, [...index.memtables, new Memtable()]) };
  };
  await timeline.writeLock.run(() => timeline.switch(async () => ({ ops: [], publish })));
  return frozen;
}

/** Flushes the memtables to runs. */
export async function flushMemtable(timeline: Timeline, pacer: Pacer): Promise<void> {
  const { index, number } = await freezeMemtables(timeline);
  const { memtables } = index;
  await writeAndSwitch(timeline, async (session) => {
    const add: Run[] = [];
    for (const memtable of memtables) add.push(...(await writeMemtable(timeline, session, memtable, pacer)));
    return { add, drop: [], flushed: number, memtables };
  });
}

async function writeMemtable(
  timeline: Timeline,
  session: RunSession,
  { added, removed }: Memtable,
  pacer: Pacer,
): Promise<Run[]> {
  const runs: Run[] = [];
  for (const order of ORDERS) {
    for (const { kind, table, rows } of await partsOf(added, removed, order, pacer)) {
      if (rows.length === 0) continue;
      const batch = new BatchWriter(session);
      const writer = new RunWriter(timeline.keyspace, batch, await session.take(), order, kind);
      await appendRows(writer, batch, table.columns, order, rows, pacer);
      runs.push((await writer.finish({ revision: 0, logOwned: false })).run);
    }
  }
  return runs;
}

interface Part {
  readonly kind: RunKind;
  readonly table: RowTable;
  readonly rows: Uint32Array;
}

async function partsOf(added: RowTable, removed: RowTable, order: Order, pacer: Pacer): Promise<Part[]> {
  const rows = await added.allSorted(order, pacer);
  const tombstones: Part = { kind: 'tombstone', table: removed, rows: await removed.allSorted(order, pacer) };
  const to = added.columns[5];
  if (added.ended === 0) return [{ kind: 'live', table: added, rows }, tombstones];
  return [
    { kind: 'live', table: added, rows: rows.filter((row) => to[row] === FOREVER) },
    { kind: 'history', table: added, rows: rows.filter((row) => to[row] !== FOREVER) },
    tombstones,
  ];
}
