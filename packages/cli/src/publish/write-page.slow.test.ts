import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, open, publish } from 'quadrille';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writePage } from './write-page.js';

const EX = 'http://example.org/';
let root: string;
let out: string;
let database: Database;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'quadrille-page-'));
  out = join(root, 'site');
  database = await open(':memory:');
  const repository = await database.repository('acme/people', { create: true });
  await repository.update(
    `INSERT DATA { <${EX}ann> a <${EX}Person> ; <${EX}name> "Ann" . <${EX}bob> a <${EX}Person> }`,
  );
});
afterEach(async () => {
  await database.close();
  await rm(root, { recursive: true, force: true });
});

const SLOW = { timeout: 120_000 };
const text = (name: string): Promise<string> => readFile(join(out, name), 'utf8');

test(
  'the page stands beside the data; written again it is as it was, and files of other versions go',
  SLOW,
  async () => {
    const first = await writePage(await publish(database, out), database);
    expect(first).toMatchObject({ page: true });
    const page = await text('index.html');
    expect(page).toContain('<meta name="quadrille-repository" content="acme/people" />');
    for (const [, name] of page.matchAll(/(?:src|href)="([^"]+)"/g)) {
      expect(name).toMatch(/^page\/assets\//);
      expect((await readFile(join(out, name!))).length).toBeGreaterThan(20);
    }
    expect((await readdir(out)).filter((name) => !/^[0-9a-f]{32}\./.test(name))).toEqual([
      'index.html',
      'page',
      'quadrille.json',
      'sw.js',
      'void.ttl',
    ]);
    await writeFile(join(out, 'page/assets/earlier-ABCDEFGH.js'), 'of an earlier version');
    // The folder with its page is one for the next publication.
    const again = await writePage(await publish(database, out), database);
    expect(again).toEqual({ page: true, writtenFiles: 0, writtenBytes: 0 });
    expect(await readdir(join(out, 'page/assets'))).not.toContain('earlier-ABCDEFGH.js');
    await database.repository('acme/places', { create: true });
    const both = await writePage(await publish(database, out, { all: true }), database);
    // The page, its service worker and the description.
    expect(both.writtenFiles).toBe(3);
    expect(await text('index.html')).toContain('<meta name="quadrille-repository" content="" />');
  },
);

test('an index.html of somebody else stays, and no other file of the page is written', SLOW, async () => {
  const report = await publish(database, out);
  await writeFile(join(out, 'index.html'), '<h1>mine</h1>');
  expect(await writePage(report, database)).toMatchObject({ page: false, writtenFiles: 1 });
  expect(await text('index.html')).toBe('<h1>mine</h1>');
  expect(await readdir(out)).not.toContain('sw.js');
});

test('void.ttl tells what there is, in addresses that are right wherever it is', SLOW, async () => {
  const repository = await database.repository('acme/people');
  await repository.settings.metadata.set({ summary: 'People "we" know', homepage: 'https://acme.example/' });
  await repository.update(`INSERT DATA { GRAPH <${EX}g> { <${EX}eve> a <${EX}Person> } }`);
  await writePage(await publish(database, out), database);
  const described = await open(':memory:');
  const into = await described.repository('void', { create: true });
  await into.load({ text: await text('void.ttl') }, { format: 'ttl', baseIRI: 'https://host.example/site/void.ttl' });
  const rows = await into
    .select(
      `PREFIX void: <http://rdfs.org/ns/void#> PREFIX sd: <http://www.w3.org/ns/sparql-service-description#>
     PREFIX dcterms: <http://purl.org/dc/terms/>
     SELECT ?dataset ?triples ?about ?entities ?types ?graph {
       ?service a sd:Service ; sd:defaultDataset ?dataset . FILTER NOT EXISTS { ?service sd:endpoint ?endpoint }
       ?dataset a void:Dataset ; void:triples ?triples ; dcterms:description ?about ;
         void:classPartition [ void:class <${EX}Person> ; void:entities ?entities ] ;
         void:propertyPartition [ void:property <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> ; void:triples ?types ] ;
         sd:namedGraph [ sd:name ?graph ] }`,
      { values: 'js' },
    )
    .toArray();
  expect(rows).toEqual([
    {
      dataset: 'https://host.example/site/void.ttl#acme/people',
      triples: 4,
      about: 'People "we" know',
      entities: 3,
      types: 3,
      graph: `${EX}g`,
    },
  ]);
  await described.close();
});
