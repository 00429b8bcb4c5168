// asStore gives a repository as an RDF/JS Store, which works with the libraries that know those interfaces; here with n3.
//   node examples/rdfjs.mjs
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { DataFactory, Store, StreamParser } from 'n3';
import { asStore, open } from 'quadrille';

const { namedNode, literal, quad } = DataFactory;
const SOL = 'http://example.org/solar-system/';

const db = await open(':memory:');
const repo = await db.repository('solar-system', { create: true });

// Sink: import a stream of quads from any parser.
const file = new URL('./data/solar-system-2015.ttl', import.meta.url);
await once(asStore(repo).import(createReadStream(file).pipe(new StreamParser())), 'end');
console.log('imported', await repo.size(), 'quads');

// Source: match gives a stream of quads, which another store imports.
const moons = new Store();
await once(moons.import(asStore(repo).match(null, namedNode(`${SOL}orbits`), namedNode(`${SOL}Jupiter`))), 'end');
console.log('moons of Jupiter:', moons.size);

// What was made elsewhere goes in as it is.
const local = new Store([quad(namedNode(`${SOL}Io`), namedNode(`${SOL}remark`), literal('has volcanoes', 'en'))]);
const revision = await repo.add(local, { message: 'a remark' });
console.log('revision', revision.number, 'added', revision.added);

// A DatasetCore in memory, for libraries such as SHACL validators.
const dataset = await asStore(repo).toDataset({ subject: namedNode(`${SOL}Io`) });
console.log('about Io:', dataset.size, 'quads;', [...dataset.match(null, namedNode(`${SOL}remark`))][0]?.object.value);

// The RDF/JS Query interface.
const bindings = await asStore(repo).queryBindings(`SELECT ?radius { <${SOL}Io> <${SOL}meanRadiusKm> ?radius }`);
for await (const row of bindings) console.log('radius of Io:', row.get('radius')?.value, 'km');

await db.close();
