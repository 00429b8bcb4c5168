/** Converts errors of LevelDB, whose codes are in the chain of causes. */

import { CorruptionError } from '@quadrille/model';

/** Whether the error or one of its causes has this code. */
export function hasCode(error: unknown, code: string): boolean {
  for (let current = error; current instanceof Error; current = current.cause) {
    if ((current as { code?: unknown }).code === code) return true;
  }
  return false;
}

/** Converts damage that LevelDB reports to CorruptionError `CHECKSUM`. Returns other errors unchanged. */
export function toReadError(error: unknown): unknown {
  if (!hasCode(error, 'LEVEL_CORRUPTION')) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new CorruptionError('CHECKSUM', `LevelDB cannot read a damaged file: ${reason}`, { cause: error });
}
