/**
 * The stamps of backups in a store. A backup writes a random stamp into the store after it has begun to read a state,
 * durably. So a store that has a stamp comes from that state: not a store that was restored, copied or set back to an
 * earlier state. Only such a store may build on the backup.
 */
import { StateError } from '@quadrille/model';
import type { StorageEngine } from '@quadrille/storage';
import type { Env } from '../runtime/env.js';
import { ServiceRecords } from '../catalogue/service-records.js';
import type { RecordChange } from '../catalogue/service-records.js';
import { Area } from '../format/layout.js';
import type { Bytes } from '@quadrille/storage';
import type { Attempt, Manifest } from './manifest.js';

/** Records `backup/` and the name of the set. */
const PREFIX = 'backup/';
const PREFIX_BYTES = new TextEncoder().encode(PREFIX);
/** Number of stamps that are kept of a set, and of sets. The oldest are dropped. */
const KEPT_STAMPS = 32;
const KEPT_SETS = 64;

interface StampRecord {
  /** The oldest first. */
  readonly stamps: readonly string[];
  /** Time of the last backup, milliseconds since 1970. */
  readonly time: number;
}

/** Whether the key is that of stamps, which are no part of a backup. */
export const isStampKey = (key: Bytes): boolean =>
  key[0] === Area.service && PREFIX_BYTES.every((byte, i) => key[i + 1] === byte);

/** The stamps of a set that the store has. */
export async function readStamps(engine: StorageEngine, set: string): Promise<readonly string[]> {
  const record = (await new ServiceRecords(engine, true).get(PREFIX + set)) as StampRecord | undefined;
  return record?.stamps ?? [];
}

/** Writes a stamp durably, so that everything that was read before is durable too. */
export async function writeStamp(engine: StorageEngine, set: string, stamp: string, env: Env): Promise<void> {
  const records = new ServiceRecords(engine, true);
  const changes: RecordChange[] = [];
  const all = [...(await records.list(PREFIX))] as [string, StampRecord][];
  const others = all.filter(([key]) => key !== PREFIX + set).toSorted((a, b) => b[1].time - a[1].time);
  for (const [key] of others.slice(KEPT_SETS - 1)) changes.push({ key });
  const stamps = [...(await readStamps(engine, set)), stamp].slice(-KEPT_STAMPS);
  changes.push({ key: PREFIX + set, value: { stamps, time: env.now() } satisfies StampRecord });
  await records.write(changes);
}

/**
 * Checks that the store comes from the state of a backup. A backup without a stamp is only checked for the id of the
 * store. @throws StateError `BACKUP_MISMATCH`
 */
export function checkBase(
  base: Pick<Manifest, 'store' | 'stamp'> | Attempt,
  store: string | undefined,
  stamps: readonly string[],
): void {
  if (base.store !== store)
    throw mismatch('it is a backup of another store, or of this one before it was restored', { base, store });
  if (base.stamp !== undefined && !stamps.includes(base.stamp))
    throw mismatch('the store is a copy, or was set back to a state before this backup', { base, store });
}

function mismatch(
  why: string,
  { base, store }: { readonly base: Pick<Manifest, 'store'>; readonly store: string | undefined },
): StateError {
  return new StateError(
    'BACKUP_MISMATCH',
    `This backup cannot be continued: ${why}. Nothing was changed. Back up to another place.`,
    { details: { backupOf: base.store, store } },
  );
}
