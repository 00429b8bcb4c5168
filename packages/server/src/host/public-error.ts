/** The code and message of an error for clients. Messages that may name files or processes of the machine are replaced. */
import { type ErrorCode, QuadrilleError } from '@quadrille/model';
import type { JobError } from './jobs/job.js';

const HIDDEN: Partial<Record<ErrorCode, string>> = {
  INPUT_NOT_FOUND: 'the input was not found',
  STORE_NOT_FOUND: 'the store is not available',
  STORE_NOT_OPEN: 'the store is not open',
  STORE_LOCKED: 'the store is not available',
  NOT_A_STORE: 'the store is not available',
  STORAGE_IO: 'the storage failed',
  STORAGE_FULL: 'the storage is full',
  STORAGE_LIMIT: 'a limit of the storage was reached',
  CHECKSUM: 'stored data are damaged',
  INDEX_DISAGREES: 'stored data are damaged',
  UNKNOWN_ID: 'stored data are damaged',
  LOG_BROKEN: 'stored data are damaged',
  FORMAT_VERSION: 'the store has a format that this version cannot read',
  REPOSITORY_MOVING: 'the repository is being moved to another store, and takes no changes: try again later',
};

/** An error that is no QuadrilleError becomes `INTERNAL` without its message. */
export function publicError(error: unknown): JobError {
  if (!(error instanceof QuadrilleError)) return { code: 'INTERNAL', message: 'internal error' };
  const code = error.code as ErrorCode;
  return { code, message: code === 'REPOSITORY_MOVED' ? newPlace(error) : (HIDDEN[code] ?? error.message) };
}

/** Where the other store is stays with the operator. */
function newPlace({ details: { repository, location } }: QuadrilleError): string {
  return `repository ${String(repository)} has moved to ${location === undefined ? 'another store' : String(location)}`;
}
