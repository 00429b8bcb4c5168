/** The revision log: one record per revision, chained by digests. */
import { CorruptionError } from '@quadrille/model';
import { equalBytes } from '../format/byte-codec.js';
import { Tag } from '../format/layout.js';
import type { Keyspace } from '../keyspace/keyspace.js';
import type { RevisionRecord } from './record.js';
import { decodeRecord } from './record.js';

/** Reads the record of a revision. @throws CorruptionError `LOG_BROKEN` if it is missing or damaged */
export async function readRecord(keyspace: Keyspace, number: number): Promise<RevisionRecord> {
  const bytes = await keyspace.at(number).get(Tag.log, number);
  if (bytes === undefined) throw brokenLog(keyspace, number, 'is missing');
  const record = decodeRecord(bytes);
  if (record.number !== number) throw brokenLog(keyspace, number, `has the number ${record.number}`);
  return record;
}

/**
 * Reads the records `first` to `last`. @throws CorruptionError `LOG_BROKEN` at a gap, at damage, and where the digest
 * chain is broken
 */
export async function* readRecords(keyspace: Keyspace, first: number, last: number): AsyncGenerator<RevisionRecord> {
  let previous: RevisionRecord | undefined;
  let number = first;
  while (number <= last) {
    // Only the records of one line follow one another in the storage.
    const line = keyspace.at(number);
    const end = Math.min(last, keyspace.endAt(number));
    const range = { gte: line.key(Tag.log, number), lt: line.key(Tag.log, end + 1) };
    for await (const chunk of line.range(range, { read: 'values' })) {
      for (const { value } of chunk) {
        const record = decodeRecord(value);
        if (record.number !== number) throw brokenLog(keyspace, number, 'is missing');
        checkLink(keyspace, previous, record);
        previous = record;
        number++;
        yield record;
      }
    }
    if (number <= end) break;
  }
  if (number <= last) throw brokenLog(keyspace, number, 'is missing');
}

export function checkLink(keyspace: Keyspace, previous: RevisionRecord | undefined, record: RevisionRecord): void {
  if (previous === undefined) return;
  if (!equalBytes(previous.digest, record.parentDigest)) {
    throw brokenLog(keyspace, record.number, `does not follow revision ${previous.number}: the digest chain is broken`);
  }
}

export function brokenLog(keyspace: Keyspace, number: number, problem: string): CorruptionError {
  return new CorruptionError('LOG_BROKEN', `repository ${keyspace.name}: the record of revision ${number} ${problem}`, {
    details: { repository: keyspace.name, revision: number },
  });
}
