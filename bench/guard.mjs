/**
 * Measures the check of changes against shapes: `node bench/guard.mjs [quads]`, by default 1,000,000. Commits without shapes, with
 * shapes of SHACL Core, and with five queries are made in turn. Needs the built packages.
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

/** What one query says each. */
const RULES = [
  '$this e:knows $this',
  '$this e:age ?age ; e:knows ?friend . ?friend e:age ?other . FILTER (?age > ?other + 100)',
  'FILTER NOT EXISTS { $this e:name ?name }',
  '$this e:name ?name . FILTER (STRLEN(?name) < 2)',
  '?friend e:knows $this ; e:name ?name . $this e:name ?name',
];
const QUERIES = `
  @prefix sh: <http://www.w3.org/ns/shacl#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> . @prefix e: <http://e/> .
  e: sh:declare [ sh:prefix "e" ; sh:namespace "http://e/"^^xsd:anyURI ] .
  e:RuleShape sh:targetClass e:Person ;
    ${RULES.map((rule) => `sh:sparql [ sh:prefixes e: ; sh:select "SELECT $this { ${rule} }" ]`).join(' ;\n    ')} .`;

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

const cpuMs = (since) => {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
};
const median = (times) => times.toSorted((x, y) => x - y)[Math.floor(times.length / 2)];
const tell = (what, value) => console.log(`${what.padEnd(62)} ${value}`);
const folder = await mkdtemp(join(tmpdir(), 'quadrille-guard-'));

try {
  const db = await open(join(folder, 'store'), { durability: 'process' });
  const made = {};
  for (const [kind, shapes] of Object.entries({ bare: undefined, core: SHAPES, queries: QUERIES })) {
    const repository = (made[kind] = await db.repository(`a/${kind}`, { create: true }));
    await repository.load(Readable.from(people()), { format: 'application/n-triples' });
    if (shapes === undefined) continue;
    await repository.load({ text: shapes }, { format: 'turtle', graph: iri('urn:shapes') });
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    const [begun, cpu] = [performance.now(), process.cpuUsage()];
    await repository.settings.set({ shapes: 'urn:shapes' });
    const seconds = `${((performance.now() - begun) / 1000).toFixed(2)} ${(cpuMs(cpu) / 1000).toFixed(2)}`;
    tell(`validation of everything, ${kind}: time, CPU time (s)`, seconds);
    tell('longest turn of the event loop meanwhile (ms)', (delay.max / 1e6).toFixed(1));
    delay.disable();
  }
  tell('quads', await made.core.size());

  const times = { bare: [], core: [], queries: [] };
  const cpuTimes = { bare: [], core: [], queries: [] };
  for (let round = 0; round < ROUNDS; round++) {
    for (const [kind, repository] of Object.entries(made)) {
      const cpu = process.cpuUsage();
      for (let i = 0; i < COMMITS; i++) {
        const quads = tenQuads(round * COMMITS + i);
        const start = performance.now();
        await repository.add(quads);
        times[kind].push(performance.now() - start);
      }
      cpuTimes[kind].push(cpuMs(cpu) / COMMITS);
    }
  }
  for (const kind of Object.keys(made)) {
    const late = times[kind].toSorted((x, y) => x - y)[Math.floor(times[kind].length * 0.99)];
    const told = `${median(times[kind]).toFixed(3)} ${late.toFixed(3)} ${median(cpuTimes[kind]).toFixed(3)}`;
    tell(`commit of ten quads, ${kind}: median, 99 %, CPU time (ms)`, told);
  }
  const guarded = made.core;
  const refused = performance.now();
  const error = await guarded.add(quad(name('x'), TYPE, name('Person'))).catch((thrown) => thrown);
  tell('a refused commit (ms)', `${(performance.now() - refused).toFixed(2)} ${error.code}`);
  await db.close();
} finally {
  await rm(folder, { recursive: true, force: true });
}
