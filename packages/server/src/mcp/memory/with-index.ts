/** The index of words that a memory has from its beginning. */
import type { Repository } from 'quadrille';

/** The repository of a memory, with an index of words. One that the user has set stays as it is. */
export async function withIndex(repository: Repository): Promise<Repository> {
  const { search } = await repository.settings.get();
  if (search === undefined) await repository.settings.set({ search: { text: true } });
  return repository;
}
