/** The solar system as it was known in six years: what a first visitor finds. */
import type { Database } from 'quadrille';
import { hostOf } from 'quadrille/host';
import { playgroundText } from '../messages/playground.js';

export const EXAMPLE = 'demo/solar-system';
/** Says that the example was loaded: whoever deletes it does not get it again. */
const LOADED = 'playground/example';

/**
 * Loads the documents that come with the page, each as a revision, where no earlier visit has done so. One that broke off is continued.
 * @returns whether anything was loaded
 * @throws QuadrilleError of the store; TypeError where a document cannot be read
 */
export async function loadExample(database: Database): Promise<boolean> {
  if ((await hostOf(database).records.get(LOADED)) !== undefined) return false;
  const metadata = { summary: playgroundText.exampleSummary };
  const repository = await database.repository(EXAMPLE, { create: true, metadata });
  await repository.namespaces.set('sol', 'http://example.org/solar-system/');
  for (const [year, file] of Object.entries(EXAMPLE_FILES)) {
    const tag = `year-${year}`;
    if ((await repository.tags.get(tag)) !== undefined) continue;
    const response = await fetch(new URL(file, import.meta.url));
    if (!response.ok) throw new TypeError(`${file} was answered with status ${String(response.status)}`);
    const bytes = new Uint8Array(await response.arrayBuffer());
    const revision = await repository.load(bytes, {
      format: 'ttl',
      replace: true,
      message: playgroundText.asKnownIn(year),
    });
    await repository.tags.set(tag, revision);
  }
  await hostOf(database).records.write([{ key: LOADED, value: { loaded: new Date().toISOString() } }]);
  return true;
}
