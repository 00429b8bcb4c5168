import { ConflictError, NotFoundError } from '@quadrille/model';
import type { Database } from 'quadrille';

/**
 * Frees the name of a repository that has moved. Never deletes one that is there.
 * @throws ConflictError `PRECONDITION_FAILED` if the repository is there; NotFoundError `REPOSITORY_NOT_FOUND`
 */
export async function forgetMoved(database: Database, name: string): Promise<void> {
  try {
    await database.repository(name);
  } catch (error) {
    if (!(error instanceof NotFoundError) || error.code !== 'REPOSITORY_MOVED') throw error;
    await database.deleteRepository(name);
    return;
  }
  throw new ConflictError('PRECONDITION_FAILED', `repository ${name} has not moved: it is here`, {
    details: { repository: name },
  });
}
