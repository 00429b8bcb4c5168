/** The third step of a large change: writes its rows as runs that no reader sees yet. */
import { SPOG } from '../../index/orders.js';
import type { Run, RunKind } from '../../index/run/run.js';
import type { SortedRows, WrittenOrders } from '../../index/run/write-orders.js';
import { writeOrders } from '../../index/run/write-orders.js';
import { Statistics } from '../../index/statistics.js';
import type { ChangeJob } from './change-job.js';
import type { AddedChunk, Compared } from './compare.js';
import { compareAdded, compareRemoved } from './compare.js';
import { asIdQuads } from './sorted-quads.js';

/** Number of orders in which every row is written. The order of named graphs does not count. */
export const WRITTEN_ORDERS = 3;

/** The runs of one chunk, and the statistics of their rows. */
export interface WrittenChunk extends WrittenOrders {
  readonly statistics: Statistics;
}

/** The runs that a large change has written aside. Each step returns a new object. */
export interface WrittenAside {
  /** New rows. */
  readonly added: readonly WrittenChunk[];
  /** Tombstones. */
  readonly removed: readonly WrittenChunk[];
  /** Rows to be added that the base has. Written in SPOG order only, for comparison, and never published. */
  readonly kept: readonly WrittenOrders[];
  /** Rows to be removed that the base lacks. A later commit may have added them. Written like `kept`. */
  readonly absent: readonly WrittenOrders[];
  /** Runs that other runs replace. */
  readonly dropped: readonly Run[];
}

export const NOTHING_ASIDE: WrittenAside = { added: [], removed: [], kept: [], absent: [], dropped: [] };

/** Compares rows to be added with the base and with earlier chunks, and writes them aside. */
export async function writeAdded(job: ChangeJob, written: WrittenAside, chunk: AddedChunk): Promise<WrittenAside> {
  job.work.begin(chunk.rows.length);
  const { missing, found } = await compareWithOwn(job, written, chunk);
  job.work.end();
  return {
    ...written,
    added: [...written.added, ...(await writeNew(job, missing, chunk.rows.length))],
    kept: [...written.kept, ...(await writeForComparison(job, found))],
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
  return { ...written, added: [...written.added, ...(await writeNew(job, rows, rows.length))] };
}

/** Compares rows to be removed with the base, and writes them aside. */
export async function writeRemoved(job: ChangeJob, written: WrittenAside, rows: SortedRows): Promise<WrittenAside> {
  const { found, missing } = await compareRemoved(rows, job.base, job.pacer);
  return {
    ...written,
    removed: [...written.removed, ...(await writeTombstones(job, found))],
    absent: [...written.absent, ...(await writeForComparison(job, missing))],
  };
}

/** Writes tombstones aside for rows whose intervals are known. */
export async function writeKnownRemoved(
  job: ChangeJob,
  written: WrittenAside,
  rows: SortedRows,
): Promise<WrittenAside> {
  return { ...written, removed: [...written.removed, ...(await writeTombstones(job, rows))] };
}

async function writeNew(job: ChangeJob, rows: SortedRows, inputRows: number): Promise<WrittenChunk[]> {
  const { work } = job;
  work.begin(WRITTEN_ORDERS * inputRows);
  let done = 0;
  const onRows = (count: number): void => work.reach((done += count) / (WRITTEN_ORDERS * inputRows));
  const chunks = await writeChunk(job, rows, 'live', onRows);
  work.end();
  return chunks;
}

/** Writes tombstones aside. Returns no chunk if there are no rows. */
export async function writeTombstones(job: ChangeJob, rows: SortedRows): Promise<WrittenChunk[]> {
  await job.pacer.rows(rows.length, (start, end) => rows.columns[5].fill(0, start, end));
  return writeChunk(job, rows, 'tombstone');
}

export async function writeChunk(
  { timeline, session, pacer }: ChangeJob,
  rows: SortedRows,
  kind: RunKind,
  onRows: (rows: number) => void = () => undefined,
): Promise<WrittenChunk[]> {
  if (rows.length === 0) return [];
  const statistics = new Statistics();
  const quads = asIdQuads(rows);
  await pacer.rows(rows.length, (start, end) => statistics.apply(quads, 1, start, end));
  const orders = await writeOrders(timeline.keyspace, session, rows, { kind, logOwned: true, onRows }, pacer);
  return [{ ...orders, statistics }];
}

async function writeForComparison({ timeline, session, pacer }: ChangeJob, rows: SortedRows): Promise<WrittenOrders[]> {
  if (rows.length === 0) return [];
  return [await writeOrders(timeline.keyspace, session, rows, { kind: 'live', orders: [SPOG] }, pacer)];
}
