// The store of the page: opened by a name, filled once with the solar system as it was known from 1610 to 2015.
import { open } from 'quadrille';

const YEARS = [1610, 1787, 1846, 1930, 2006, 2015];
const FILES = import.meta.glob('../data/solar-system-*.ttl', { query: '?url', import: 'default', eager: true });

/** Opens what an earlier visit has left in IndexedDB, or makes it. `onStep` is told what is being done. */
export async function openSolarSystem(onStep) {
  const db = await open('solar-system', { lockTimeoutMs: 2000 });
  const repo = await db.repository('examples/solar-system', { create: true });
  if ((await repo.revision()).number > 1) return { repo, isNew: false };
  await repo.namespaces.set('sol', 'http://example.org/solar-system/');
  for (const year of YEARS) {
    onStep(`Loading the solar system of ${year} …`);
    const file = await fetch(FILES[`../data/solar-system-${year}.ttl`]);
    // Each file is the whole content; only what differs is stored.
    const revision = await repo.load(file.body, {
      format: 'ttl',
      replace: true,
      message: `as known in ${year}`,
    });
    await repo.tags.set(`year-${year}`, revision);
  }
  return { repo, isNew: true };
}
