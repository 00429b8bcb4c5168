/** The revision log: one record a revision, chained by digests. */
import { CorruptionError } from '@quadrille/model';
import { equalBytes } from '../format/byte-codec.js';
import { Tag } from '../format/layout.js';
import type { Space } from '../keyspace/keyspace.js';
import type { RevisionRecord } from './record.js';
import { decodeRecord } from './record.js';

/** The record of a revision that must exist. */
export async function readRecord(space: Space, number: number): Promise<RevisionRecord> {
  const key = space.key(Tag.log, number);
  const bytes = space.engine.canGetSync ? space.engine.getSync(key) : await space.engine.get(key);
  if (bytes === undefined) throw brokenLog(space, number, 'is missing');
  const record = decodeRecord(bytes);
  if (record.number !== number) throw brokenLog(space, number, `says it is ${record.number}`);
  return record;
}

/** Records `first … last`, checked to follow one another. */
export async function* readRecords(space: Space, first: number, last: number): AsyncGenerator<RevisionRecord> {
  let previous: RevisionRecord | undefined;
  const range = { gte: space.key(Tag.log, first), lt: space.key(Tag.log, last + 1) };
  let number = first;
  for await (const chunk of space.engine.range(range, { read: 'values' })) {
    for (const { value } of chunk) {
      const record = decodeRecord(value);
      if (record.number !== number) throw brokenLog(space, number, 'is missing');
      checkLink(space, previous, record);
      previous = record;
      number++;
      yield record;
    }
  }
  if (number <= last) throw brokenLog(space, number, 'is missing');
}

export function checkLink(space: Space, previous: RevisionRecord | undefined, record: RevisionRecord): void {
  if (previous === undefined) return;
  if (!equalBytes(previous.digest, record.parentDigest)) {
    throw brokenLog(space, record.number, `does not follow revision ${previous.number}: the digest chain is broken`);
  }
}

export function brokenLog(space: Space, number: number, problem: string): CorruptionError {
  return new CorruptionError('LOG_BROKEN', `repository ${space.name}: the record of revision ${number} ${problem}`, {
    details: { repository: space.name, revision: number },
  });
}
