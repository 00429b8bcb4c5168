/**
 * Measures the check of changes against shapes: `node bench/guard.mjs [quads]`, by default 1,000,000. Commits with and without shapes
 * are made in turn. Needs the built packages.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Readable } from 'node:stream';
import { iri, literal, open, quad } from '../packages/quadrille/dist/index.js';

const PEOPLE = Math.round(Number(process.argv[2] ?? 1_000_000) / 5);
const COMMITS = 200;
const ROUNDS = 5;

const SHAPES = `
  @prefix sh: <http://www.w3.org/ns/shacl#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> . @prefix e: <http://e/> .
  e:PersonShape sh:targetClass e:Person ;
    sh:property [ sh:path e:name ; sh:minCount 1 ; sh:maxCount 1 ; sh:datatype xsd:string ; sh:minLength 2 ] ,
      [ sh:path e:age ; sh:maxCount 1 ; sh:datatype xsd:integer ; sh:minInclusive 0 ] ,
      [ sh:path e:knows ; sh:class e:Person ; sh:nodeKind sh:IRI ] ,
      [ sh:path ( e:home e:street ) ; sh:maxCount 3 ] ,
      [ sh:path [ sh:inversePath e:knows ] ; sh:maxCount 50 ] .`;

function* people() {
  for (let i = 0; i < PEOPLE; i++) {
    const person = `<http://e/person${i}>`;
    yield `${person} <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://e/Person> .\n${person} <http://e/name> "Name ${i}" .\n`;
    yield `${person} <http://e/age> "${i % 100}"^^<http://www.w3.org/2001/XMLSchema#integer> .\n`;
    yield `${person} <http://e/knows> <http://e/person${(i * 7919 + 1) % PEOPLE}> .\n${person} <http://e/home> <http://e/home${i % 997}> .\n`;
  }
}

const name = (text) => iri(`http://e/${text}`);
const TYPE = iri('http://www.w3.org/1999/02/22-rdf-syntax-ns#type');
/** Two new people with a name and somebody whom they know, and four changes of those who were there: ten quads. */
const tenQuads = (n) => [
  ...[0, 1].flatMap((i) => [
    quad(name(`new${n}-${i}`), TYPE, name('Person')),
    quad(name(`new${n}-${i}`), name('name'), literal(`New ${n}`)),
    quad(name(`new${n}-${i}`), name('knows'), name(`person${(n * 31 + i) % PEOPLE}`)),
  ]),
  ...[0, 1, 2, 3].map((i) => quad(name(`person${(n * 17 + i) % PEOPLE}`), name('home'), name(`home${n % 997}`))),
];

const median = (times) => times.toSorted((x, y) => x - y)[Math.floor(times.length / 2)];
const tell = (what, value) => console.log(`${what.padEnd(62)} ${value}`);
const folder = await mkdtemp(join(tmpdir(), 'quadrille-guard-'));

try {
  const db = await open(join(folder, 'store'), { durability: 'process' });
  const load = async (repository) => repository.load(Readable.from(people()), { format: 'application/n-triples' });
  const bare = await db.repository('a/bare', { create: true });
  const guarded = await db.repository('a/guarded', { create: true });
  await load(bare);
  await load(guarded);
  tell('quads', await guarded.size());
  await guarded.load({ text: SHAPES }, { format: 'turtle', graph: iri('urn:shapes') });
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const begun = performance.now();
  await guarded.settings.set({ shapes: 'urn:shapes' });
  tell('validation of everything (s)', ((performance.now() - begun) / 1000).toFixed(2));
  tell('longest turn of the event loop meanwhile (ms)', (delay.max / 1e6).toFixed(1));
  delay.disable();

  const times = { bare: [], guarded: [] };
  for (let round = 0; round < ROUNDS; round++) {
    for (const [kind, repository] of Object.entries({ bare, guarded })) {
      for (let i = 0; i < COMMITS; i++) {
        const quads = tenQuads(round * COMMITS + i);
        const start = performance.now();
        await repository.add(quads);
        times[kind].push(performance.now() - start);
      }
    }
  }
  tell('commit of ten quads without shapes, median (ms)', median(times.bare).toFixed(3));
  tell(
    'commit of ten quads with shapes, median, 99 % (ms)',
    `${median(times.guarded).toFixed(3)} ${times.guarded.toSorted((x, y) => x - y)[Math.floor(times.guarded.length * 0.99)].toFixed(3)}`,
  );
  const refused = performance.now();
  const error = await guarded.add(quad(name('x'), TYPE, name('Person'))).catch((thrown) => thrown);
  tell('a refused commit (ms)', `${(performance.now() - refused).toFixed(2)} ${error.code}`);
  await db.close();
} finally {
  await rm(folder, { recursive: true, force: true });
}
