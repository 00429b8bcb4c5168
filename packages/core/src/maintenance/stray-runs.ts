/** Runs that stand in the storage though neither the root, the log, a job under way nor the list of garbage names them. */
import { ByteReader } from '../format/byte-codec.js';
import { readU32, Tag, tagRange } from '../format/layout.js';
import type { Generation } from '../open/generation.js';
import { readRecords } from '../revision/log.js';

/**
 * Their numbers, while others read and write. `inLog` are the runs that the log names up to revision `number`; the
 * records since are looked at here.
 */
export async function findStrayRuns(
  generation: Generation,
  inLog: ReadonlySet<number>,
  number: number,
): Promise<readonly number[]> {
  const suspects = await unnamedRuns(generation);
  for (const run of inLog) suspects.delete(run);
  if (suspects.size === 0) return [];
  // A batch may be seen in the storage before the job that wrote it is told so, and says in memory which runs are used
  // now. Under the write lock no such batch is under way.
  return generation.committer.writeLock.run(async () => {
    await generation.committer.drain();
    const still = await unnamedRuns(generation);
    for (const run of await runsInLog(generation, number + 1, generation.published.number)) still.delete(run);
    return [...suspects].filter((run) => still.has(run));
  });
}

/** Runs that only the log may name; beside them, some whose job ended while this looked. */
async function unnamedRuns(generation: Generation): Promise<Set<number>> {
  const { keyspace } = generation;
  const unnamed = new Set<number>();
  for await (const chunk of keyspace.range(tagRange(keyspace.id, Tag.runMeta), { read: 'keys' }))
    for (const { key } of chunk) unnamed.add(readU32(key, 6));
  for (const { entry } of generation.index.runs) unnamed.delete(entry.id);
  for await (const { rest } of keyspace.entries(Tag.garbage)) unnamed.delete(readU32(rest, 0));
  for await (const { rest, value } of keyspace.entries(Tag.session)) {
    const first = readU32(rest, 0);
    const end = first + new ByteReader(value).varint();
    for (let run = first; run < end; run++) unnamed.delete(run);
  }
  return unnamed;
}

/** The runs that the log names from one revision to another. */
export async function runsInLog(generation: Generation, first: number, last: number): Promise<Set<number>> {
  const runs = new Set<number>();
  for await (const { payload } of readRecords(generation.keyspace, first, last))
    for (const { run } of [...(payload?.added ?? []), ...(payload?.removed ?? [])]) runs.add(run);
  return runs;
}
