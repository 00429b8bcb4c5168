/** Finds runs in the storage that neither the manifest, the log, a running job nor the garbage marks name. */
import { ByteReader } from '../format/byte-codec.js';
import { readU32, Tag } from '../format/layout.js';
import type { Keyspace } from '../keyspace/keyspace.js';
import type { Timeline } from '../timeline/timeline.js';
import { readRecords } from '../revision/log.js';

/**
 * The numbers of stray runs. Reads and writes go on meanwhile. `inLog` has the runs that the log names up to revision
 * `number`; this function reads the later records.
 */
export async function findStrayRuns(
  timeline: Timeline,
  inLog: ReadonlySet<number>,
  number: number,
): Promise<readonly number[]> {
  const { keyspace } = timeline;
  const suspects = await unnamedRuns(timeline);
  for (const run of inLog) suspects.delete(run);
  if (suspects.size === 0) return [];
  // The storage may show a batch before the job that wrote it updates the index version in memory. Under the write
  // lock no such batch is under way.
  return timeline.writeLock.run(async () => {
    await timeline.drain();
    const still = await unnamedRuns(timeline);
    // After a failed write the repository is read again, and its runs are those of a timeline that this one does not know.
    if (timeline.failure !== undefined) return [];
    for (const run of await runsInLog(timeline, number + 1, timeline.published.number)) still.delete(run);
    const stray: number[] = [];
    // A job that abandons its session deletes its runs and their mark in one batch, without this lock. So runs that
    // are gone by now belonged to such a job.
    for (const run of suspects) if (still.has(run) && (await isThere(keyspace, run))) stray.push(run);
    return stray;
  });
}

async function isThere(keyspace: Keyspace, run: number): Promise<boolean> {
  const range = { gte: keyspace.key(Tag.runMeta, run), lt: keyspace.key(Tag.runMeta, run + 1), limit: 1 };
  for await (const chunk of keyspace.range(range, { read: 'keys' })) if (chunk.length > 0) return true;
  return false;
}

/** Runs that nothing but the log may name. May include runs of a job that ended during the search. */
async function unnamedRuns(timeline: Timeline): Promise<Set<number>> {
  const { keyspace } = timeline;
  const unnamed = new Set<number>();
  for await (const chunk of keyspace.range(keyspace.tagRange(Tag.runMeta), { read: 'keys' }))
    for (const { key } of chunk) unnamed.add(keyspace.numberIn(key));
  for (const { entry } of timeline.index.runs) unnamed.delete(entry.id);
  for await (const { rest } of keyspace.entries(Tag.garbage)) unnamed.delete(readU32(rest, 0));
  for await (const { rest, value } of keyspace.entries(Tag.session)) {
    const first = readU32(rest, 0);
    const end = first + new ByteReader(value).varint();
    for (let run = first; run < end; run++) unnamed.delete(run);
  }
  return unnamed;
}

/** The runs that the records of the revisions `first` to `last` name. */
export async function runsInLog(timeline: Timeline, first: number, last: number): Promise<Set<number>> {
  const runs = new Set<number>();
  for await (const { payload } of readRecords(timeline.keyspace, first, last, true))
    for (const { run } of [...(payload?.added ?? []), ...(payload?.removed ?? [])]) runs.add(run);
  return runs;
}
