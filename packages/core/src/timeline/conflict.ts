import { ConflictError } from '@quadrille/model';

/** Whether the error says that other commits were made first. */
export const isConflict = (error: unknown): boolean =>
  error instanceof ConflictError && error.code === 'REVISION_CONFLICT';
