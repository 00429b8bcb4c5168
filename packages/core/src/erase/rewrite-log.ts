/** Writes the records of a line without the erased quads. A process that ends meanwhile goes on where the last batch ended. */
import type { PayloadRun } from '../index/run/run.js';
import { LineKeyspace } from '../keyspace/line-keyspace.js';
import type { Keyspace } from '../keyspace/keyspace.js';
import { BatchWriter } from '../keyspace/batch-writer.js';
import { MAIN_LINE } from '../timeline/line-record.js';
import { Tag } from '../format/layout.js';
import { readRecords } from '../revision/log.js';
import type { RevisionBody, RevisionRecord } from '../revision/record.js';
import { encodeRecord, rewritten } from '../revision/record.js';
import type { IntegrityPart } from '../revision/record-fields.js';
import type { Pacer } from '../runtime/env.js';
import type { EraseProgress, LinePlan, ReplacedRun } from './erase-plan.js';
import { progressOp, readIntegrity } from './erase-plan.js';
import type { RecordMatches } from './record-matches.js';
import { matchesIn, without } from './record-matches.js';
import type { Matches } from './selection.js';

/** The keyspace of a line, for its own keys only. */
export const ownKeyspace = (root: Keyspace, line: number): Keyspace =>
  line === MAIN_LINE ? root : new LineKeyspace(root, root, line, 0);

/** Rewrites the records of a line from where `progress` stands. Returns the number of written bytes. */
export async function rewriteLog(
  root: Keyspace,
  { line, last, runs }: LinePlan,
  progress: EraseProgress,
  matches: Matches,
  pacer: Pacer,
): Promise<number> {
  const keyspace = ownKeyspace(root, line);
  const replaced = new Map(runs.map((run) => [run.run, run]));
  const batch = new BatchWriter(root);
  let { alive } = progress;
  for await (const record of readRecords(keyspace, progress.number, last, true)) {
    const found = await matchesIn(keyspace, record, matches, pacer);
    alive += found.begun - found.ended;
    const { number } = record;
    if (found.begun + found.ended + alive > 0) {
      const integrity = await readIntegrity(root, line, number);
      const { bytes } = encodeRecord(withoutErased(record, found, alive, { integrity, replaced, matches }));
      batch.add([{ type: 'put', key: keyspace.key(Tag.log, number), value: bytes }]);
    }
    if (batch.full) {
      batch.add([progressOp(root, { ...progress, number: number + 1, alive })]);
      // A record must not be read again before it is written: its rows would not be found any more.
      await batch.flush();
    }
    if (pacer.due()) await pacer.pause();
  }
  batch.add([progressOp(root, { place: progress.place + 1, number: 0, alive: 0 })]);
  await batch.flush();
  return batch.writtenBytes;
}

interface Parts {
  readonly integrity: IntegrityPart | undefined;
  readonly replaced: ReadonlyMap<number, ReplacedRun>;
  readonly matches: Matches;
}

function withoutErased(
  record: RevisionRecord,
  { begun, ended, both }: RecordMatches,
  alive: number,
  { integrity, replaced, matches }: Parts,
): RevisionBody {
  const { payload } = record;
  const left = (runs: readonly PayloadRun[]): PayloadRun[] =>
    runs.flatMap((run) => {
      const other = replaced.get(run.run);
      return other === undefined ? [run] : other.by === undefined ? [] : [other.by];
    });
  const runs = payload && { added: left(payload.added), removed: left(payload.removed) };
  return rewritten(record, {
    // By the digest of its content somebody could test a guess of what was erased.
    nonce: undefined,
    integrity: integrity ?? record.integrity,
    addedCount: record.addedCount - begun + both,
    removedCount: record.removedCount - ended + both,
    size: record.size - alive,
    added: without(record.added, matches),
    removed: without(record.removed, matches),
    payload: runs && runs.added.length + runs.removed.length > 0 ? runs : undefined,
  });
}
