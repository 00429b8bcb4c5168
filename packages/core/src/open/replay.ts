/** Reads a timeline of a repository from the storage. The manifest names its runs; the log has the later changes. */
import { CorruptionError } from '@quadrille/model';
import { termMarkOfLines } from '../timeline/line-record.js';
import { Dictionary } from '../dictionary/dictionary.js';
import { equalBytes } from '../format/byte-codec.js';
import { Tag } from '../format/layout.js';
import { IndexVersion, Memtable } from '../index/index-version.js';
import { firstFreeRun, sweepSessions } from '../index/run/run-session.js';
import { openRun } from '../index/run/run-writer.js';
import { readErasedAt } from '../keyspace/erased-at.js';
import type { Keyspace } from '../keyspace/keyspace.js';
import { brokenLog, readRecord, readRecords } from '../revision/log.js';
import type { RevisionRecord } from '../revision/record.js';
import { decodeHead } from '../revision/record.js';
import { Checkpoints, readCheckpoints } from '../revision/checkpoints.js';
import { Statistics } from '../index/statistics.js';
import { applyDelta } from '../timeline/change.js';
import { Timeline } from '../timeline/timeline.js';
import type { LineBase, RepositoryParts } from '../timeline/timeline.js';
import type { Manifest } from '../timeline/manifest.js';
import { readManifest } from '../timeline/manifest.js';

/** Reads a timeline. `sweep` also deletes the runs that a crash or a failed write left, if the storage can write. */
export async function readTimeline(parts: RepositoryParts, sweep: boolean, base?: LineBase): Promise<Timeline> {
  const { keyspace, numbers, retiring, erasureRests = false } = parts;
  keyspace.erasedAt = base?.timeline.keyspace.erasedAt ?? (await readErasedAt(keyspace));
  const published = await readHead(keyspace);
  const root = await readManifest(keyspace);
  const kept = new Set(root.runs.map((run) => run.id));
  const swept = sweep ? await sweepSessions(keyspace, kept, retiring, erasureRests) : 0;
  numbers.next = Math.max(root.nextRun, swept, numbers.next);
  const termMark = Math.max(published.termMark, base === undefined ? await termMarkOfLines(keyspace) : 0);
  const dictionary = base?.timeline.dictionary ?? (await openDictionary(parts, termMark, false));
  const runs = await Promise.all(root.runs.map((entry) => openRun(keyspace, entry)));
  const memtable = new Memtable();
  const ofBase = base?.fork === root.checkpoint;
  const checkpoints = ofBase ? new Checkpoints(root.checkpoint) : await readCheckpoints(keyspace, root.checkpoint);
  const found = checkpoints.newest ?? (await base!.timeline.revisionStatistics.of(root.checkpoint));
  const statistics = found.copy();
  await replay(keyspace, root, published, memtable, statistics);
  const { flushed } = root;
  const index = base?.over({ runs, memtables: [memtable] }, base.timeline.index) ?? new IndexVersion(runs, [memtable]);
  const { manifestParts } = root;
  return new Timeline(parts, {
    dictionary,
    termMark,
    base,
    index,
    statistics,
    published,
    flushed,
    checkpoints,
    manifestParts,
  });
}

/**
 * Reads a timeline from the log and the terms alone, because the indexes cannot be read. Its only use is to rebuild
 * the indexes.
 */
export async function readTimelineFromLog(parts: RepositoryParts): Promise<Timeline> {
  const { keyspace, numbers } = parts;
  const published = await readHead(keyspace);
  numbers.next = await firstFreeRun(keyspace);
  const termMark = Math.max(published.termMark, await termMarkOfLines(keyspace));
  const dictionary = await openDictionary(parts, termMark, true);
  return new Timeline(parts, {
    dictionary,
    termMark,
    index: new IndexVersion([], [new Memtable()]),
    statistics: new Statistics(),
    published,
    flushed: published.number,
    checkpoints: new Checkpoints(published.number),
  });
}

/** The newest revision. */
export async function readHead(keyspace: Keyspace): Promise<RevisionRecord> {
  const head = await readValue(keyspace, Tag.head, 'head', decodeHead);
  const record = await readRecord(keyspace, head.number);
  // The head of a line may be the revision on which it begins, whose record was rewritten since.
  if (equalBytes(head.digest, record.digest) || record.rewritten) return record;
  throw brokenLog(keyspace, head.number, 'has another digest than the head');
}

async function readValue<T>(
  keyspace: Keyspace,
  tag: number,
  what: string,
  decode: (bytes: Uint8Array) => T,
): Promise<T> {
  const bytes = await keyspace.get(tag);
  if (bytes === undefined) throw keyspace.missing(`the ${what}`);
  return decode(bytes);
}

function openDictionary({ keyspace, env }: RepositoryParts, mark: number, withoutRuns: boolean): Promise<Dictionary> {
  const seed = new DataView(env.random(new Uint8Array(4)).buffer).getUint32(0);
  return Dictionary.open(keyspace, seed, mark, withoutRuns);
}

/**
 * Applies the log to the memtable and the statistics, from the manifest's revisions up to the published revision. Begins with the
 * record of the revision that the manifest names, to check its link. Revision 1 is empty, so the first squash of an imported history may replace it.
 */
async function replay(
  keyspace: Keyspace,
  root: Manifest,
  published: RevisionRecord,
  memtable: Memtable,
  statistics: Statistics,
): Promise<void> {
  if (root.flushed > published.number || root.checkpoint > published.number) {
    throw new CorruptionError('LOG_BROKEN', `repository ${keyspace.name}: the indexes are ahead of the log`);
  }
  const first = Math.min(root.flushed, root.checkpoint);
  if (first === published.number) return;
  let previous: RevisionRecord | undefined;
  for await (const record of readRecords(keyspace, first, published.number, first > 1)) {
    if (previous === undefined && record.number !== first && first > 1) throw brokenLog(keyspace, first, 'is missing');
    if (record.number > root.checkpoint) {
      statistics.apply(record.added, 1);
      statistics.apply(record.removed, -1);
    }
    if (record.number > root.flushed) applyDelta(memtable, record);
    previous = record;
  }
  if (previous?.number !== published.number) throw brokenLog(keyspace, published.number, 'cannot be reached');
}
