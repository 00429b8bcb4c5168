/** The errors of backups. */
import { CorruptionError } from '@quadrille/model';
import type { ErrorOptions } from '@quadrille/model';

/** A backup that cannot be read as it was written. */
export const damagedBackup = (what: string, options: ErrorOptions = {}): CorruptionError =>
  new CorruptionError('BACKUP_DAMAGED', `the backup is damaged: ${what}`, options);
