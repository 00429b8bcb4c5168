/** Decides which records of the journal are replayed after a crash, and whether the journal is damaged. */

import { CorruptionError } from '@quadrille/model';
import type { Bytes, Checksum, OnDamage } from '@quadrille/storage';
import { findRecords, hasTornRecord, type JournalRecord, type PlainOp } from './journal-record.js';
import type { JournalPosition } from './journal-position.js';

export interface Replay {
  readonly ops: readonly PlainOp[];
  /** Number of the last record that is replayed. */
  readonly number: number;
  /** Descriptions of lost data. */
  readonly warnings: readonly string[];
}

export interface ReplayOptions {
  /** The boot id of the machine now; empty if it is unknown. */
  readonly boot: string;
  /** Names of the files, for error messages. */
  readonly name: string;
  /** Called with descriptions of damage. With it, all intact records are replayed, also those after a gap. */
  readonly onDamage?: OnDamage | undefined;
}

/**
 * The records that follow `position` without a gap. Records after a gap are dropped if the power may have failed: a
 * disk can write unsynced data in any order. The store then returns to the state before the gap.
 * @throws CorruptionError `LOG_BROKEN` if the missing records had been synced, or if only damage can explain the gap
 */
export function replayJournal(
  files: readonly Bytes[],
  position: JournalPosition,
  checksum: Checksum,
  { boot, name, onDamage }: ReplayOptions,
): Replay {
  const records = files
    .flatMap((file) => findRecords(file, position.session, checksum))
    .filter(({ number }) => number > position.number)
    .sort((a, b) => a.number - b.number);
  let taken = 0;
  while (records[taken]?.number === position.number + taken + 1) taken++;
  const number = position.number + taken;
  const dropped = records.slice(taken);
  if (onDamage !== undefined) {
    const last = records.at(-1)?.number ?? number;
    const lost = (what: string): void => onDamage({ message: `${name}: ${what}.`, missing: 'anywhere' });
    if (dropped.length > 0) lost(`${gone(number + 1)}; ${describe(dropped)} after it are intact`);
    else if (files.some((file) => hasTornRecord(file, position.session, last, checksum)))
      lost(`record ${last + 1} is incomplete: it is damaged, or its write was interrupted`);
    return { ops: records.flatMap(({ ops }) => ops), number: last, warnings: [] };
  }
  const sameBoot = boot !== '' && boot === position.boot;
  if (dropped.length > 0 && (sameBoot || dropped.some(({ synced }) => synced > number)))
    throw broken(name, number, dropped);
  const warnings =
    dropped.length === 0 ? [] : [`dropped ${describe(dropped)} of the journal, because ${gone(number + 1)}`];
  return { ops: records.slice(0, taken).flatMap(({ ops }) => ops), number, warnings };
}

const gone = (record: number): string => `record ${record} is missing`;

function broken(name: string, number: number, later: readonly JournalRecord[]): CorruptionError {
  const record = number + 1;
  return new CorruptionError(
    'LOG_BROKEN',
    `${name}: record ${record} is missing or damaged, but ${describe(later)} after it are intact. These files or the ` +
      'data of the backend are damaged. Nothing was changed. Without these files the store opens in an earlier state.',
    { details: { record, later: later.length } },
  );
}

const describe = (records: readonly JournalRecord[]): string =>
  `${records.length} records (${records[0]!.number} to ${records.at(-1)!.number})`;
