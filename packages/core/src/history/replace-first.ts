/** Gives the first revision of an empty repository the id and time of the first one of a history file. */
import type { WriteOp } from '@quadrille/storage';
import { Tag } from '../format/layout.js';
import type { Timeline } from '../timeline/timeline.js';
import type { StateChange } from '../timeline/state.js';
import { rewrittenOp } from '../keyspace/rewritten.js';
import { encodeHead, encodeRecord } from '../revision/record.js';
import type { ImportedTransaction } from './imported-revision.js';
import { describeAs } from './imported-revision.js';
import type { HistoryFaults } from './imported-revision.js';
import type { Switch } from '../timeline/change.js';

/**
 * Replaces the record of revision 1 and the head, in one batch. Returns false, and changes nothing, if the repository is not empty.
 */
export function replaceFirst(
  timeline: Timeline,
  transaction: ImportedTransaction,
  faults: HistoryFaults,
): Promise<boolean> {
  const { keyspace } = timeline;
  const prepare = async (): Promise<Switch | undefined> => {
    const { staged } = timeline;
    // A branch begins with a revision that other lines have too.
    if (staged.number !== 1 || timeline.base !== undefined) return undefined;
    const body = describeAs(transaction, faults)(staged);
    const { bytes, digest } = encodeRecord(body);
    const record = { ...body, digest };
    await keyspace.format.raise();
    const ops: WriteOp[] = [
      rewrittenOp(keyspace, timeline.env),
      { type: 'put', key: keyspace.key(Tag.log, 1), value: bytes },
      { type: 'put', key: keyspace.key(Tag.head), value: encodeHead(record) },
    ];
    const publish = (): StateChange => {
      timeline.recentRecords.clear();
      timeline.recentNumbers.clear();
      return { head: record };
    };
    return { ops, publish };
  };
  return timeline.writeLock.run(async () => {
    const isReplaced = await timeline.switch(prepare);
    if (isReplaced) timeline.announce();
    return isReplaced;
  });
}
