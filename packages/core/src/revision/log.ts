/** The revision log: one record per revision, chained by digests. */
import { CorruptionError } from '@quadrille/model';
import { equalBytes } from '../format/byte-codec.js';
import { Tag } from '../format/layout.js';
import { erasuresSince } from '../keyspace/erased-at.js';
import type { Keyspace } from '../keyspace/keyspace.js';
import type { RevisionRecord } from './record.js';
import { baseOf, decodeRecord } from './record.js';

/**
 * Reads the record of a revision. @throws NotFoundError `REVISION_TRIMMED`, CorruptionError `LOG_BROKEN` if it is missing or damaged
 */
export async function readRecord(keyspace: Keyspace, number: number): Promise<RevisionRecord> {
  const bytes = await keyspace.at(number).get(Tag.log, number);
  if (bytes === undefined) throw await missingRecord(keyspace, number);
  return recordIn(keyspace, number, bytes);
}

/** Like {@link readRecord}, without waiting. Returns `undefined` if the record is missing, or only {@link readRecord} can read it. */
export function tryReadRecord(keyspace: Keyspace, number: number): RevisionRecord | undefined {
  const line = keyspace.at(number);
  const bytes = line.tryGetKey(line.key(Tag.log, number));
  return bytes === undefined ? undefined : recordIn(keyspace, number, bytes);
}

function recordIn(keyspace: Keyspace, number: number, bytes: Uint8Array): RevisionRecord {
  const record = decodeRecord(bytes);
  if (record.number !== number) throw brokenLog(keyspace, number, `has the number ${record.number}`);
  return withErasures(keyspace, record);
}

// Nearly all records are as they were written.
function withErasures({ erasedAt }: Keyspace, record: RevisionRecord): RevisionRecord {
  if (erasedAt.times.length === 0) return record;
  const erasures = erasuresSince(erasedAt, record.time);
  return erasures === 0 ? record : { ...record, erasures };
}

async function missingRecord(keyspace: Keyspace, number: number): Promise<Error> {
  const { trimmedError } = await import('../on-request.js');
  return (await trimmedError(keyspace, number)) ?? brokenLog(keyspace, number, 'is missing');
}

/**
 * Reads the records `first` to `last`, without those that were trimmed. The changes of the first one begin at revision `first` - 1,
 * unless the reader is `loose`: then it reads no changes. @throws CorruptionError `LOG_BROKEN` at a gap, at damage, and where the
 * digest chain is broken; NotFoundError `REVISION_TRIMMED` if history is trimmed meanwhile
 */
export async function* readRecords(
  keyspace: Keyspace,
  first: number,
  last: number,
  loose = false,
): AsyncGenerator<RevisionRecord> {
  let previous: RevisionRecord | undefined;
  let number = first;
  while (number <= last) {
    // Only the records of one line follow one another in the storage.
    const line = keyspace.at(number);
    const end = Math.min(last, keyspace.endAt(number));
    const range = { gte: line.key(Tag.log, number), lt: line.key(Tag.log, end + 1) };
    for await (const chunk of line.range(range, { read: 'values' })) {
      for (const { value } of chunk) {
        const record = withErasures(keyspace, decodeRecord(value));
        // The loop has an own view of the storage or not: a trim may come between two records.
        if (baseOf(record) !== number - 1 && !(loose && previous === undefined))
          throw await missingRecord(keyspace, number);
        checkLink(keyspace, previous, record);
        previous = record;
        ({ number } = record);
        number++;
        yield record;
      }
    }
    if (number <= end) break;
  }
  if (number <= last) throw await missingRecord(keyspace, number);
}

export function checkLink(keyspace: Keyspace, previous: RevisionRecord | undefined, record: RevisionRecord): void {
  if (previous === undefined) return;
  const { digest, id, rewritten } = previous;
  // A record that was rewritten has another digest than the one that the next record names.
  const isSameId = rewritten && record.parentId !== undefined && equalBytes(id, record.parentId);
  if (!isSameId && !equalBytes(digest, record.parentDigest)) {
    throw brokenLog(keyspace, record.number, `does not follow revision ${previous.number}: the digest chain is broken`);
  }
}

export function brokenLog(keyspace: Keyspace, number: number, problem: string): CorruptionError {
  return new CorruptionError('LOG_BROKEN', `repository ${keyspace.name}: the record of revision ${number} ${problem}`, {
    details: { repository: keyspace.name, revision: number },
  });
}
