// The same question to every revision: what was called a planet in 1846, in 1930, in 2006?
//   node examples/time-travel.mjs
import { fileURLToPath } from 'node:url';
import { open } from 'quadrille';

const YEARS = [1610, 1787, 1846, 1930, 2006, 2015];
const db = await open(':memory:');
const repo = await db.repository('solar-system', { create: true });
await repo.namespaces.set('sol', 'http://example.org/solar-system/');

// Each file is the whole content; only what differs is stored.
for (const year of YEARS) {
  const file = fileURLToPath(new URL(`./data/solar-system-${year}.ttl`, import.meta.url));
  const revision = await repo.load(file, { replace: true, message: `as known in ${year}` });
  await repo.tags.set(`year-${year}`, revision);
}

const planets = 'SELECT (COUNT(*) AS ?count) { ?planet a sol:Planet }';
for await (const revision of repo.log()) {
  const row = await repo.at(revision).select(planets).first();
  console.log(
    `#${revision.number} ${revision.message ?? 'created'}: ${row?.count.value} planets, +${revision.added} -${revision.removed}`,
  );
}

// What happened to Pluto between two tags.
for await (const { op, quad } of repo.diff('year-1930', 'year-2006')) {
  if (quad.subject.value.endsWith('/Pluto')) console.log(op, quad.predicate.value, quad.object.value);
}

// Undo the last revision by a new one.
const undone = await repo.revert('HEAD', { message: 'back to 2006' });
console.log(`#${undone.number} ${undone.message}: ${undone.size} quads`);

await db.close();
