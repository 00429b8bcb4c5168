/** Converts errors of PostgreSQL and of its connections to errors of Quadrille. */

import { QuadrilleError, StateError, StorageError } from '@quadrille/model';

/**
 * The connection was refused, cut, or silent for too long; or the server is starting, stopping or a standby. 40001 and
 * 40P01: the statement met another one, and may be repeated.
 */
const AWAY =
  /^(?:ECONN|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|08...|57P0[1-5]|53300$|40001$|40P01$)/;
const AWAY_TEXT = /connection terminated|timeout|connection error|not queryable|client was closed/i;

/** The database does not encrypt, or its certificate is not trusted. */
const TLS = /^(?:ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO_SELF|SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET_ISSUER))/;
const TLS_TEXT = /does not support SSL connections/;

const codeOf = (error: unknown): string => {
  const code = (error as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' ? code : '';
};

/** Whether the statement may have had its effect although it failed. */
export function isUncertain(error: unknown): boolean {
  // What was said in words of Quadrille is certain.
  if (error instanceof QuadrilleError) return false;
  return AWAY.test(codeOf(error)) || (error instanceof Error && AWAY_TEXT.test(error.message));
}

/**
 * Whether the connection lacks a prepared statement, has another one of its name, or one for tables that have changed. Nothing was
 * done.
 */
export const isNotPrepared = (error: unknown): boolean => /^(?:26000|42P05|0A000)$/.test(codeOf(error));

/**
 * Whether the server only reads: a standby, also one that was the primary before, or a role without writes. It has done nothing.
 * A standby answers 55000 to a barrier.
 */
export const onlyReads = (error: unknown): boolean =>
  codeOf(error) === '25006' || (codeOf(error) === '55000' && /during recovery/.test((error as Error).message));

/** The answer of a standby, which lacks what the primary may have. Another server is asked. 57P03: it does not serve. */
export const standby = (): Error => Object.assign(new Error('it is a standby'), { code: '57P03' });

/** @param action completes "Cannot …" */
export function toSharedError(action: string, error: unknown): QuadrilleError {
  if (error instanceof QuadrilleError) return error;
  const code = codeOf(error);
  const reason = error instanceof Error ? error.message : String(error);
  const text = `Cannot ${action}: ${reason}.`;
  const options = { cause: error };
  // 28: wrong user or password; 42501: no right; 3D000: no such database.
  if (/^28|^42501$|^3D000$/.test(code)) {
    return new StorageError('STORE_ACCESS', `${text} Check user, password, database and rights of the URL.`, options);
  }
  if (TLS.test(code) || TLS_TEXT.test(reason)) {
    return new StorageError(
      'STORE_ACCESS',
      `${text} Give the database a certificate that this machine trusts (sslrootcert=FILE in the URL), or write sslmode=disable where the network is trusted.`,
      options,
    );
  }
  if (onlyReads(error)) return new StateError('READ_ONLY', `${text} The database, or the role, only reads.`, options);
  if (code === '53100') return new StorageError('STORAGE_FULL', `${text} Free some space in the database.`, options);
  if (isUncertain(error)) {
    return new StorageError('STORE_UNAVAILABLE', `${text} Try again when the database is back.`, options);
  }
  return new StorageError('STORAGE_IO', text, options);
}
