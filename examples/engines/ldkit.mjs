// LDkit on top: typed objects by a schema, over the queries of a repository.
//   node examples/engines/ldkit.mjs
import { createLens } from 'ldkit';
import { foaf, xsd } from 'ldkit/namespaces';
import { asStore, open } from 'quadrille';

const db = await open(':memory:');
const repo = await db.repository('acme/people', { create: true });

const Person = {
  '@type': foaf.Person,
  name: foaf.name,
  age: { '@id': foaf.age, '@type': xsd.integer, '@optional': true },
  friends: { '@id': foaf.knows, '@array': true, '@optional': true, '@schema': { name: foaf.name } },
};
// The adapter has the query interface of RDF/JS that LDkit asks for.
const engine = asStore(repo);
const people = createLens(Person, { engine, sources: [engine] });

await people.insert({ $id: 'urn:ann', name: 'Ann', age: 30 });
await people.insert({ $id: 'urn:bob', name: 'Bob', friends: [{ $id: 'urn:ann', name: 'Ann' }] });
const found = await people.find();
for (const { name, age, friends } of found.sort((one, other) => one.name.localeCompare(other.name))) {
  console.log(`${name}, ${age ?? 'no age'}, knows ${friends.map((friend) => friend.name).join() || 'nobody'}`);
}

await people.update({ $id: 'urn:ann', age: 31 });
const { age } = await people.findByIri('urn:ann');
console.log('Ann is', age);
console.log(
  'before:',
  (await repo.at('HEAD~1').select('SELECT ?age { <urn:ann> foaf:age ?age }', { values: 'js' }).first()).age,
);
await db.close();
