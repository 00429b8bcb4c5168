/** Gives the first revision of an empty repository the id and time of the first one of a history file. */
import { Tag } from '../format/layout.js';
import type { Generation } from '../open/generation.js';
import { encodeHead, encodeRecord } from '../revision/record.js';
import type { ImportedTransaction } from './imported-revision.js';
import { describeAs } from './imported-revision.js';
import type { HistoryFaults } from './imported-revision.js';

/**
 * Replaces the record of revision 1 and the head, in one batch. Returns false, and changes nothing, if the repository is not empty.
 */
export function replaceFirst(
  generation: Generation,
  transaction: ImportedTransaction,
  faults: HistoryFaults,
): Promise<boolean> {
  const { committer, keyspace } = generation;
  return committer.writeLock.run(async () => {
    await committer.drain();
    generation.checkWritable();
    const { staged } = generation;
    // A branch begins with a revision that other lines have too.
    if (staged.number !== 1 || generation.base !== undefined) return false;
    const body = describeAs(transaction, faults)(staged);
    const { bytes, digest } = encodeRecord(body);
    const record = { ...body, digest };
    await keyspace.format.raise();
    await keyspace.write([
      { type: 'put', key: keyspace.key(Tag.log, 1), value: bytes },
      { type: 'put', key: keyspace.key(Tag.head), value: encodeHead(record) },
    ]);
    generation.staged = generation.published = record;
    generation.recentRecords.clear();
    generation.recentNumbers.clear();
    generation.onPublished?.();
    return true;
  });
}
