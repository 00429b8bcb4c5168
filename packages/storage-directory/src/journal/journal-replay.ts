/** What a crash left in the journal: which of its records are taken over, and when they are a damage. */

import { CorruptionError } from '@quadrille/model';
import type { Bytes, Checksum } from '@quadrille/storage';
import { findRecords, type JournalRecord, type PlainOp } from './journal-record.js';
import type { JournalPosition } from './journal-position.js';

export interface Replay {
  readonly ops: readonly PlainOp[];
  /** The last number that is taken over. */
  readonly number: number;
  /** What was lost, for people. */
  readonly warnings: readonly string[];
}

/**
 * The records that follow `position` without a gap. What comes after a gap is dropped when the power may have failed since,
 * because a disk writes what was not synced in any order: then the store goes back to an earlier state.
 * @param boot of the machine now; empty where it cannot be told
 * @param name of the files, for messages
 * @throws CorruptionError `LOG_BROKEN` when what is missing had reached the disk, or nothing but damage explains the gap.
 */
export function replayJournal(
  files: readonly Bytes[],
  position: JournalPosition,
  boot: string,
  checksum: Checksum,
  name: string,
): Replay {
  const records = files
    .flatMap((file) => findRecords(file, position.session, checksum))
    .filter(({ number }) => number > position.number)
    .sort((a, b) => a.number - b.number);
  let taken = 0;
  while (records[taken]?.number === position.number + taken + 1) taken++;
  const number = position.number + taken;
  const dropped = records.slice(taken);
  const sameBoot = boot !== '' && boot === position.boot;
  if (dropped.length > 0 && (sameBoot || dropped.some(({ synced }) => synced > number)))
    throw broken(name, number, dropped);
  const warnings =
    dropped.length === 0 ? [] : [`dropping ${describe(dropped)} of the journal: record ${number + 1} is gone`];
  return { ops: records.slice(0, taken).flatMap(({ ops }) => ops), number, warnings };
}

function broken(name: string, number: number, later: readonly JournalRecord[]): CorruptionError {
  const record = number + 1;
  return new CorruptionError(
    'LOG_BROKEN',
    `${name}: record ${record} is damaged, or the storage below lost the end of what it had: ${describe(later)} after it ` +
      'are whole. Nothing was changed. Without these files the store opens as it was some records earlier.',
    { details: { record, later: later.length } },
  );
}

const describe = (records: readonly JournalRecord[]): string =>
  `${records.length} records (${records[0]!.number} to ${records.at(-1)!.number})`;
