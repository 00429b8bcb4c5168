/** The solar system as it was known in six years: six revisions for whoever wants to see what a revision is. */
import { loadDocument } from '../api/assets.js';
import { setNamespace } from '../api/repositories.js';
import { setTag } from '../api/settings.js';
import { playgroundText } from '../messages/playground.js';
import { readNamespaces } from './repository.js';
import { readRevisions } from './revision.js';

/** Loads the documents into a repository, one revision each, tagged by their years. */
export async function loadExample(repository: string): Promise<void> {
  await setNamespace(repository, 'sol', 'http://example.org/solar-system/');
  for (const [year, file] of Object.entries(EXAMPLE_FILES)) {
    const revision = await loadDocument(repository, file, playgroundText.asKnownIn(year));
    await setTag(repository, `year-${year}`, revision);
  }
  await Promise.all([readNamespaces(), readRevisions()]);
}
