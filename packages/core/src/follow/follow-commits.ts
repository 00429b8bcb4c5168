/**
 * Adds the commits of another process to a timeline in memory. It does what a commit does there: rows into the
 * memtable, terms into the tail, the newest revision. Everything else makes a new timeline.
 */
import type { Bytes, StorageEngine } from '@quadrille/storage';
import { readU32 } from '../format/layout.js';
import type { Timeline } from '../timeline/timeline.js';
import { readHead } from '../open/replay.js';
import { checkLink, readRecords } from '../revision/log.js';
import type { RevisionRecord } from '../revision/record.js';
import { applyDelta } from '../timeline/change.js';
import type { TouchedRepository } from './touched.js';

/** Rows and terms that are added without a pause. More are read as a new timeline, which pauses. */
const MOST_ROWS = 4096;

/**
 * Reads the new commits of `main`. Returns the step that publishes them, or `undefined` if the timeline cannot take
 * them.
 */
export async function followCommits(
  timeline: Timeline,
  view: StorageEngine,
  { pieces }: TouchedRepository,
): Promise<(() => void) | undefined> {
  const { dictionary, published } = timeline;
  const keyspace = timeline.keyspace.on(view);
  const texts: { readonly first: number; readonly texts: readonly Uint8Array[] }[] = [];
  let rows = 0;
  for (const key of pieces) {
    const first = readU32(key, keyspace.tagEnd);
    const value = await keyspace.getKey(key);
    // The ids of a failed load are given again. A piece that is gone was moved into blocks.
    if (value === undefined || first < dictionary.nextId) return undefined;
    texts.push({ first, texts: await dictionary.readPiece(first, value, keyspace) });
    rows += texts.at(-1)!.texts.length;
  }
  texts.sort((a, b) => a.first - b.first);
  const head = await readHead(keyspace);
  if (head.number < published.number) return undefined;
  const records: RevisionRecord[] = [];
  for await (const record of readRecords(keyspace, published.number + 1, head.number)) {
    if (record.payload !== undefined) return undefined;
    records.push(record);
    rows += record.added.length + record.removed.length;
    if (rows > MOST_ROWS) return undefined;
  }
  if (records[0] !== undefined) checkLink(keyspace, published, records[0]);
  return () => publish(timeline, view, texts, records);
}

function publish(
  timeline: Timeline,
  view: StorageEngine,
  pieces: readonly { readonly first: number; readonly texts: readonly Bytes[] }[],
  records: readonly RevisionRecord[],
): void {
  const { dictionary, index, statistics, keyspace } = timeline;
  keyspace.engine.moveTo(view);
  for (const { first, texts } of pieces) dictionary.addPiece(first, texts);
  for (const record of records) {
    applyDelta(index.active, record);
    statistics.apply(record.added, 1);
    statistics.apply(record.removed, -1);
  }
  const newest = records.at(-1);
  if (newest === undefined) return;
  timeline.publish({ head: newest });
  timeline.announce();
}
