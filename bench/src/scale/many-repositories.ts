/** A store with very many small repositories. */
import { iri, literal, open, quad } from 'quadrille';

/** Creates repositories with one quad each, which contains the name of the repository. */
export async function createRepositories(path: string, count: number): Promise<void> {
  const db = await open(path, { durability: 'process' });
  for (let n = 0; n < count; n++) {
    const repository = await db.repository(repositoryName(n), { create: true });
    await repository.add(
      quad(iri('http://example.org/this'), iri('http://example.org/name'), literal(repositoryName(n))),
    );
  }
  await db.close();
}

/** The name of the n-th repository. An account has a hundred. */
export const repositoryName = (n: number): string => `account${Math.floor(n / 100)}/repository${n}`;
