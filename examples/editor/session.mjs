// A session of the editor: two changes, a change by somebody else, undo and redo.
//   node examples/editor/session.mjs
import { DataFactory } from 'n3';
import { iri, open } from 'quadrille';
import { Editor } from './editor.mjs';

const { literal, namedNode, quad } = DataFactory;
const FOAF = 'http://xmlns.com/foaf/0.1/';
const ann = namedNode('urn:ann');
const [name, nick] = [`${FOAF}name`, `${FOAF}nick`].map((value) => namedNode(value));

const db = await open(':memory:');
const repo = await db.repository('acme/people', { create: true });
await repo.update('INSERT DATA { <urn:ann> foaf:name "Ann" . <urn:bob> foaf:name "Bob" }');

const editor = await Editor.open(repo, { subject: iri(ann.value) });
const show = (what) =>
  console.log(
    `${what}: ${[...editor.dataset]
      .map(({ object }) => object.value)
      .sort()
      .join(', ')}`,
  );
show('opened');

editor.dataset.delete(quad(ann, name, literal('Ann')));
editor.dataset.add(quad(ann, name, literal('Anne')));
await editor.save('rename');
show('renamed');

editor.dataset.add(quad(ann, nick, literal('annie')));
await editor.save('nickname');
show('with a nickname');

await repo.update('INSERT DATA { <urn:bob> foaf:nick "bobby" }', { message: 'somebody else' });

await editor.undo();
show('undone once');
await editor.undo();
show('undone twice');
await editor.redo();
show('redone');

console.log('Bob has his nickname:', await repo.ask('ASK { <urn:bob> foaf:nick "bobby" }'));
for await (const { number, message } of repo.log()) console.log(`${number}. ${message ?? ''}`);
await db.close();
