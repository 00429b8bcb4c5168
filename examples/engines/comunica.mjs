// Comunica on top: a repository is an RDF/JS source beside others, at HEAD or at an earlier revision.
//   node examples/engines/comunica.mjs
import { fileURLToPath } from 'node:url';
import { QueryEngine } from '@comunica/query-sparql-rdfjs';
import { DataFactory, Store } from 'n3';
import { asStore, open } from 'quadrille';

const { literal, namedNode, quad } = DataFactory;
const SOL = 'http://example.org/solar-system/';

const db = await open(':memory:');
const repo = await db.repository('solar-system', { create: true });
for (const year of [1930, 2006]) {
  const file = fileURLToPath(new URL(`../data/solar-system-${year}.ttl`, import.meta.url));
  await repo.load(file, { replace: true, message: String(year) });
}
// Data of another source, which the query joins.
const notes = new Store([quad(namedNode(`${SOL}Pluto`), namedNode(`${SOL}note`), literal('found by Clyde Tombaugh'))]);

const engine = new QueryEngine();
const query = `PREFIX sol: <${SOL}> SELECT ?planet ?note { ?planet a sol:Planet ; sol:note ?note }`;
for (const [name, view] of [
  ['1930', repo.at('HEAD~1')],
  ['2006', repo],
]) {
  const bindings = await engine.queryBindings(query, { sources: [asStore(view), notes] });
  const rows = await bindings.toArray();
  console.log(`${name}:`, rows.map((row) => row.get('note').value).join() || 'no planet has a note');
}
await db.close();
