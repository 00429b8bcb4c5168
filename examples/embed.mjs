// Quadrille inside a program: a store on disk, a query with bound terms, an update, and a look back.
//   node examples/embed.mjs [directory]
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { iri, open } from 'quadrille';

const directory = process.argv[2] ?? (await mkdtemp(join(tmpdir(), 'quadrille-embed-')));

const db = await open(directory);
const repo = await db.repository('acme/people', { create: true });
await repo.namespaces.set('ex', 'http://example.org/');

await repo.load(
  {
    text: `
    @prefix ex: <http://example.org/> .
    @prefix foaf: <http://xmlns.com/foaf/0.1/> .
    ex:alice foaf:name "Alice" ; foaf:knows ex:bob .
    ex:bob foaf:name "Bob" ; foaf:knows ex:alice .
  `,
  },
  { format: 'turtle' },
);

// Values in the template are bound as terms: no quoting, no injection.
const alice = iri('http://example.org/alice');
for await (const { name } of repo.select`SELECT ?name { ${alice} foaf:knows/foaf:name ?name }`) {
  console.log('Alice knows', name.value);
}

// Every write is one revision.
const revision = await repo.update('INSERT DATA { ex:carol foaf:name "Carol" }', {
  message: 'add Carol',
  author: 'jo',
});
console.log(
  `revision ${revision.number} by ${revision.author}: ${revision.message}, +${revision.added} -${revision.removed}`,
);

// And every revision can be asked.
console.log('Carol is there now:', await repo.ask('ASK { ex:carol ?p ?o }'));
console.log('Carol was there before:', await repo.at('HEAD~1').ask('ASK { ex:carol ?p ?o }'));

await db.close();
