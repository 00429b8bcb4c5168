// Choosing what keeps the data: memory, LevelDB (the default on disk) or LMDB. docs/reference/backends.md says what each is best for.
//   node examples/choose-backend.mjs [directory]
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { open } from 'quadrille';

const directory = process.argv[2] ?? (await mkdtemp(join(tmpdir(), 'quadrille-backends-')));
const places = {
  memory: [':memory:', {}],
  leveldb: [join(directory, 'leveldb'), {}],
  // A package of its own: npm install @quadrille/lmdb
  lmdb: [join(directory, 'lmdb'), { backend: 'lmdb' }],
};

for (const [name, [location, options]] of Object.entries(places)) {
  const db = await open(location, options);
  const repo = await db.repository('sky', { create: true });
  await repo.load(join(import.meta.dirname, 'data/solar-system-2015.ttl'));
  const size = await repo.size();
  await db.close();
  // Without options: a store knows what keeps it.
  const again = await open(location);
  const left = await (await again.repository('sky', { create: true })).size();
  console.log(`${name}: ${size} quads, and ${left} at the next open`);
  await again.close();
}

// LMDB lets others read while one writes; each sees the state of when it was opened.
const writer = await open(join(directory, 'lmdb'));
const reader = await open(join(directory, 'lmdb'), { readOnly: true });
await (await writer.repository('sky')).update('INSERT DATA { <urn:note> rdfs:comment "seen" }');
console.log('reader:', await (await reader.repository('sky')).size(), 'quads');
console.log('writer:', await (await writer.repository('sky')).size(), 'quads');
await reader.close();
await writer.close();
