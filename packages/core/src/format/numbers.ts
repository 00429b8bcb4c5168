/** The greatest numbers that keys and rows can hold. A number is checked where it is taken, before anything depends on it. */
import { StorageError } from '@quadrille/model';

/** Of revisions, runs, branches and repositories. They have 32 bits; the rest is for ends of ranges and for marks. */
export const LAST_NUMBER = 0xffff_fff0;

/** @throws StorageError `STORAGE_LIMIT` if the numbers of `what` are used up; `remedy` says what to do */
export function checkNumber(number: number, what: string, remedy: string): void {
  if (number <= LAST_NUMBER) return;
  throw new StorageError(
    'STORAGE_LIMIT',
    `there are no numbers left for ${what}: the last one is ${LAST_NUMBER}; ${remedy}`,
    { details: { limit: LAST_NUMBER } },
  );
}

/** What to do where the numbers of one repository are used up. */
export const NEW_REPOSITORY = 'load the data, or import the history, into a new repository';
