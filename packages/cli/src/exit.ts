/** The exit code for an error, from sysexits if one fits. Only this file maps codes to exit codes. */
import type { ErrorCode } from '@quadrille/model';
import { isOfQuadrille } from './failure.js';

export const EXIT = { ok: 0, failed: 1, usage: 2, syntax: 65, noInput: 66, corrupt: 70, io: 74 } as const;
/** As shells do: 128 plus the number of the signal. */
export const SIGNAL_EXIT = { SIGINT: 130, SIGTERM: 143 } as const;

const CODES: Partial<Record<ErrorCode, number>> = {
  INVALID_TERM: EXIT.usage,
  INVALID_OPTION: EXIT.usage,
  INVALID_PATTERN: EXIT.usage,
  INVALID_NAME: EXIT.usage,
  INVALID_REF: EXIT.usage,
  INVALID_VECTOR: EXIT.syntax,
  NOT_A_QUERY: EXIT.usage,
  NOT_AN_UPDATE: EXIT.usage,
  UNSUPPORTED_FORMAT: EXIT.usage,
  INVALID_RECORD: EXIT.usage,
  RDF_SYNTAX: EXIT.syntax,
  SPARQL_SYNTAX: EXIT.syntax,
  TEXT_SYNTAX: EXIT.syntax,
  SHAPES_VIOLATED: EXIT.syntax,
  SHAPES_INVALID: EXIT.syntax,
  INPUT_NOT_FOUND: EXIT.noInput,
  STORAGE_IO: EXIT.io,
  STORAGE_FULL: EXIT.io,
  STORAGE_LIMIT: EXIT.io,
  CHECKSUM: EXIT.corrupt,
  INDEX_DISAGREES: EXIT.corrupt,
  UNKNOWN_ID: EXIT.corrupt,
  LOG_BROKEN: EXIT.corrupt,
  FORMAT_VERSION: EXIT.corrupt,
  BACKUP_DAMAGED: EXIT.corrupt,
};

/** The exit code of the command for an error. The table of codes is in docs/reference/errors.md. */
export function exitCodeOf(error: unknown): number {
  if (!isOfQuadrille(error)) return EXIT.failed;
  // A line of a history file, not the log of a store.
  if (error.code === 'LOG_BROKEN' && 'line' in error.details) return EXIT.syntax;
  return CODES[error.code as ErrorCode] ?? EXIT.failed;
}
