// The releases of a vocabulary as revisions of a store, and the store as files for a web host: every release can be queried there.
//   node examples/publish-releases.mjs FOLDER-OF-RELEASES OUT
// FOLDER-OF-RELEASES has one file for each release, in the order of their names, such as the 52 releases of schema.org.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { open, publish } from 'quadrille';

const [folder, out] = process.argv.slice(2);
if (out === undefined) throw new Error('usage: publish-releases.mjs FOLDER-OF-RELEASES OUT');

const db = await open(':memory:');
const repo = await db.repository('vocabulary/releases', { create: true });
const files = (await readdir(folder)).filter((name) => /\.(nt|ttl|nq)(\.gz)?$/.test(name)).sort();
for (const file of files) await repo.load(join(folder, file), { replace: true, message: file });

const { bytes, repositories } = await publish(db, out, { history: 'all' });
const [{ revision, quads }] = repositories;
console.log(`${revision.number} revisions, ${quads} quads at the head, ${(bytes / 1e6).toFixed(1)} MB in ${out}`);
await db.close();
