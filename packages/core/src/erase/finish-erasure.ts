/**
 * Does what is left of an erasure whose plan is in the storage: the records, the old runs, the terms, and then the files of the
 * storage. No byte of what was erased is left in them afterwards. It needs no state in memory.
 */
import { combinedRun, flushTerms, replaceHashRuns, sweepHashRuns } from '../dictionary/dictionary-flush.js';
import { Dictionary } from '../dictionary/dictionary.js';
import { dropInBlocks, dropInTail, findUnused, IdSet } from '../dictionary/drop-terms.js';
import { sweepTermBlocks } from '../dictionary/rebuild-hash-runs.js';
import { MAIN_LINE, termMarkOfLines } from '../timeline/line-record.js';
import { readU32, Tag } from '../format/layout.js';
import { SPOG } from '../index/orders.js';
import { batches, wholeRuns } from '../index/read/batches.js';
import { deleteGarbage } from '../index/run/run-session.js';
import { openRun } from '../index/run/run-writer.js';
import type { Keyspace } from '../keyspace/keyspace.js';
import type { FinishedErasure } from '../open/handle.js';
import { readManifest } from '../timeline/manifest.js';
import { readRecord } from '../revision/log.js';
import { decodeHead } from '../revision/record.js';
import type { Env } from '../runtime/env.js';
import { Pacer } from '../runtime/env.js';
import { readPlan, readProgress, withoutPlanOp } from './erase-plan.js';
import type { ErasePlan } from './erase-plan.js';
import { ownKeyspace, rewriteLog } from './rewrite-log.js';
import { dropEmbeddings, withoutValues } from '../values/no-values.js';
import { matcherOf } from './selection.js';

/** Returns `undefined` if no erasure is under way. Nothing else may use the repository meanwhile, and the storage can write. */
export async function finishErasure(keyspace: Keyspace, env: Env): Promise<FinishedErasure | undefined> {
  const plan = await readPlan(keyspace);
  if (plan === undefined) return undefined;
  const pacer = new Pacer(env);
  let bytesWritten = await rewriteLogs(keyspace, plan, pacer);
  const lines = [MAIN_LINE, ...(await lineNumbers(keyspace))];
  for (const line of lines) await deleteRetired(ownKeyspace(keyspace, line));
  const { terms, bytes } = await dropTerms(keyspace, lines, env, pacer);
  bytesWritten += bytes + (await keyspace.engine.purge());
  await keyspace.write([withoutPlanOp(keyspace)]);
  return { terms, bytesWritten };
}

async function rewriteLogs(keyspace: Keyspace, plan: ErasePlan, pacer: Pacer): Promise<number> {
  const matches = matcherOf(plan.selection);
  const reached = await readProgress(keyspace);
  let bytes = 0;
  for (let place = reached?.place ?? 0; place < plan.lines.length; place++) {
    const line = plan.lines[place]!;
    const isBegun = reached?.place === place && reached.number > 0;
    const progress = isBegun ? reached : { place, number: line.first, alive: line.alive };
    bytes += await rewriteLog(keyspace, line, progress, matches, pacer);
  }
  return bytes;
}

async function lineNumbers(keyspace: Keyspace): Promise<number[]> {
  const found: number[] = [];
  for await (const { rest } of keyspace.entries(Tag.line)) found.push(readU32(rest, 0));
  return found;
}

// Neither the manifest nor the log names these runs. Readers that could use them were ended.
async function deleteRetired(line: Keyspace): Promise<void> {
  const runs: number[] = [];
  for await (const { rest } of line.entries(Tag.garbage)) runs.push(readU32(rest, 0));
  for (const run of runs) await deleteGarbage(line, run);
}

async function dropTerms(
  keyspace: Keyspace,
  lines: readonly number[],
  env: Env,
  pacer: Pacer,
): Promise<{ terms: number; bytes: number }> {
  const head = await keyspace.get(Tag.head);
  if (head === undefined) throw keyspace.missing('the head');
  const { termMark } = await readRecord(keyspace, decodeHead(head).number);
  const dictionary = await Dictionary.open(keyspace, 0, Math.max(termMark, await termMarkOfLines(keyspace)));
  if (dictionary.tail.size > 0) await flushTerms(dictionary, pacer);
  const used = new IdSet(dictionary.nextId);
  for (const line of lines) await addUsed(ownKeyspace(keyspace, line), used, pacer);
  // A process that ended here may have left texts without hashes: they are among these.
  const { count: terms, blocks } = await findUnused(dictionary, used, pacer);
  const { runs } = dictionary.root;
  if (terms > 0) {
    // As everywhere, a term leaves the hash runs before its text goes.
    await replaceHashRuns(dictionary, runs, await combinedRun(dictionary, runs, pacer, used));
    await dropInTail(dictionary, used);
  }
  // A process that ended while it wrote a run may have left values, too.
  await keyspace.write(withoutValues(keyspace));
  await dropEmbeddings(dictionary, used);
  const bytes = await dropInBlocks(dictionary, blocks, used, { env, pacer });
  await sweepHashRuns(dictionary);
  await sweepTermBlocks(dictionary);
  return { terms, bytes };
}

async function addUsed(line: Keyspace, used: IdSet, pacer: Pacer): Promise<void> {
  const entries = (await readManifest(line)).runs.filter(({ order }) => order === SPOG);
  for (const entry of entries)
    for await (const { columns, start, end } of batches(wholeRuns([await openRun(line, entry)]), pacer))
      for (const ids of columns.slice(0, 4)) used.addTerms(ids, start, end);
}
