/** Revisions that another copy names. */
import { NotFoundError } from '@quadrille/model';
import type { Repository, Revision } from '../api/index.js';

/** The revision with this UUID; `undefined` if it is not in the history of this branch. A UUID alone finds revisions of all branches. */
export async function knownRevision(repository: Repository, uuid: string): Promise<Revision | undefined> {
  try {
    const { number } = await repository.at(uuid).revision();
    const own = await repository.at(number).revision();
    return own.id === uuid ? own : undefined;
  } catch (error) {
    if (error instanceof NotFoundError && error.code.startsWith('REVISION_')) return undefined;
    throw error;
  }
}
