// A database over a storage backend of one's own: any object with the methods of StorageDriver will do.
//   node examples/own-backend.mjs [directory]
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { open } from 'quadrille';
import { FileDriver } from './file-backend.mjs';

const directory = process.argv[2] ?? (await mkdtemp(join(tmpdir(), 'quadrille-own-backend-')));

const db = await open({ storage: new FileDriver(directory) });
const repo = await db.repository('people', { create: true });
await repo.update('INSERT DATA { <urn:alice> foaf:name "Alice" }');
await repo.update('DELETE WHERE { ?person foaf:name ?name }');
await db.close();

// Everything is there again, history included, and checked.
const again = await open({ storage: new FileDriver(directory) });
const people = await again.repository('people');
console.log('now:', await people.size(), 'quads; before:', await people.at('HEAD~1').size());
console.log('in order:', (await again.verify()).ok);
await again.close();
