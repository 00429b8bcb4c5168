/** The third step of a large change: writes its rows as runs that no reader sees yet. */
import { SPOG } from '../../index/orders.js';
import type { Run, RunKind } from '../../index/run/run.js';
import type { SortedRows, WrittenOrders } from '../../index/run/write-orders.js';
import { writeOrders } from '../../index/run/write-orders.js';
import type { ChangeJob } from './change-job.js';
import type { AddedChunk, Compared } from './compare.js';
import { compareAdded, compareRemoved } from './compare.js';
import { asIdQuads } from './sorted-quads.js';
import type { Tier } from '../../index/merge/run-tiers.js';
import { withChunk } from '../../index/merge/run-tiers.js';

/** Number of orders in which every row is written. The order of named graphs does not count. */
export const WRITTEN_ORDERS = 3;

/** The runs that a large change has written aside. Each step returns a new object. */
export interface WrittenAside {
  /** New rows. */
  readonly added: readonly Tier[];
  /** Tombstones. */
  readonly removed: readonly Tier[];
  /**
   * Rows to be added that the base has, some of them repeatedly. Written in SPOG order only, for comparison, and never
   * published.
   */
  readonly kept: readonly Tier[];
  /** Rows to be removed that the base lacks. A later commit may have added them. Written like `kept`. */
  readonly absent: readonly Tier[];
  /** Runs that other runs replace. */
  readonly dropped: readonly Run[];
}

export const NOTHING_ASIDE: WrittenAside = { added: [], removed: [], kept: [], absent: [], dropped: [] };

/** Compares rows to be added with the base and with earlier chunks, where that was not done before, and writes them aside. */
export async function writeAdded(
  job: ChangeJob,
  written: WrittenAside,
  chunk: AddedChunk,
  compared?: Compared,
): Promise<WrittenAside> {
  job.work.begin(chunk.rows.length);
  const { missing, found } = compared ?? (await compareWithOwn(job, written, chunk));
  job.work.end();
  return {
    ...written,
    added: await writeNew(job, written.added, missing, chunk.rows.length),
    kept: await writeForComparison(job, written.kept, found),
  };
}

async function compareWithOwn(
  { base, pacer }: ChangeJob,
  { added }: WrittenAside,
  chunk: AddedChunk,
): Promise<Compared> {
  const own = added.flatMap(({ runs }) => runs);
  const at = base.index.beside(own, base.number);
  try {
    return await compareAdded(chunk, at, pacer);
  } finally {
    at.index.supersede();
  }
}

/** Writes rows aside that the base is known to lack. */
export async function writeKnownAdded(job: ChangeJob, written: WrittenAside, rows: SortedRows): Promise<WrittenAside> {
  return { ...written, added: await writeNew(job, written.added, rows, rows.length) };
}

/** Compares rows to be removed with the base, where that was not done before, and writes them aside. */
export async function writeRemoved(
  job: ChangeJob,
  written: WrittenAside,
  rows: SortedRows,
  compared?: Compared,
): Promise<WrittenAside> {
  const { found, missing } = compared ?? (await compareRemoved(rows, job.base, job.pacer));
  return {
    ...written,
    removed: await writeEnded(job, written.removed, found),
    absent: await writeForComparison(job, written.absent, missing),
  };
}

/** Writes tombstones aside for rows whose intervals are known. */
export async function writeKnownRemoved(
  job: ChangeJob,
  written: WrittenAside,
  rows: SortedRows,
): Promise<WrittenAside> {
  return { ...written, removed: await writeEnded(job, written.removed, rows) };
}

async function writeNew(
  job: ChangeJob,
  tiers: readonly Tier[],
  rows: SortedRows,
  inputRows: number,
): Promise<readonly Tier[]> {
  const { work } = job;
  work.begin(WRITTEN_ORDERS * inputRows);
  let done = 0;
  const onRows = (count: number): void => work.reach((done += count) / (WRITTEN_ORDERS * inputRows));
  const chunk = await writeChunk(job, rows, 'live', onRows);
  await count(job, rows, 1);
  const written = await addTo(job, tiers, chunk, 'live');
  work.end();
  return written;
}

async function writeEnded(job: ChangeJob, tiers: readonly Tier[], rows: SortedRows): Promise<readonly Tier[]> {
  const chunk = await writeTombstones(job, rows);
  await count(job, rows, -1);
  return addTo(job, tiers, chunk, 'tombstone');
}

async function addTo(
  job: ChangeJob,
  tiers: readonly Tier[],
  chunk: WrittenOrders | undefined,
  kind: RunKind,
): Promise<readonly Tier[]> {
  return chunk === undefined ? tiers : withChunk(job, tiers, chunk, kind);
}

async function count({ counts, pacer }: ChangeJob, rows: SortedRows, sign: 1 | -1): Promise<void> {
  const quads = asIdQuads(rows);
  await pacer.rows(rows.length, (start, end) => counts.apply(quads, sign, start, end));
}

/** Writes tombstones aside; `undefined` if there are no rows. */
export async function writeTombstones(job: ChangeJob, rows: SortedRows): Promise<WrittenOrders | undefined> {
  await job.pacer.rows(rows.length, (start, end) => rows.columns[5].fill(0, start, end));
  return writeChunk(job, rows, 'tombstone');
}

export async function writeChunk(
  { session, pacer }: ChangeJob,
  rows: SortedRows,
  kind: RunKind,
  onRows: (rows: number) => void = () => undefined,
): Promise<WrittenOrders | undefined> {
  if (rows.length === 0) return undefined;
  return writeOrders(session, rows, { kind, logOwned: true, onRows }, pacer);
}

async function writeForComparison(job: ChangeJob, tiers: readonly Tier[], rows: SortedRows): Promise<readonly Tier[]> {
  if (rows.length === 0) return tiers;
  const { session, pacer } = job;
  const chunk = await writeOrders(session, rows, { kind: 'live', orders: [SPOG] }, pacer);
  return addTo(job, tiers, chunk, 'live');
}
