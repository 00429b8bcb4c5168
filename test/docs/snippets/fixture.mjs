// What the snippets of a page find: files, a store, repositories for queries and requests.
import { cp, mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';

const ROOT = resolve(import.meta.dirname, '../../..');
const PEOPLE = `@prefix ex: <http://example.org/> .
@prefix foaf: <http://xmlns.com/foaf/0.1/> .
ex:alice foaf:name "Alice" ; foaf:knows ex:bob .
ex:bob foaf:name "Bob" ; foaf:knows ex:alice .
`;
/** The people of the guides, in four revisions. */
const ANN = [
  ['INSERT DATA { ex:ann foaf:name "Ann" ; foaf:knows ex:bob }', { message: 'first import', author: 'jo' }],
  ['INSERT DATA { ex:bob foaf:name "Bob" }', { message: 'Bob has a name', author: 'kim' }],
  ['DELETE DATA { ex:ann foaf:knows ex:bob }', { message: 'they parted', author: 'kim' }],
];

/** `folder/node_modules` has the packages; what is made here is removed with `folder`. */
export async function createFixture(folder) {
  const load = async (name) => import(join(folder, 'node_modules', name, 'dist/index.js'));
  const { open } = await load('quadrille');
  const { createHandler } = await load('@quadrille/server');
  const database = await open(':memory:');
  await fill(database);
  const handler = createHandler({ database, open: true });
  await makeStore(open, join(folder, 'fixture'));

  return {
    /** `files`: people.ttl, people.ttl.gz, people.nq; `store`: the store ./data too; `examples`: the folder of the repository. */
    async prepare(target, needs) {
      await mkdir(target, { recursive: true });
      await mkdir(join(target, 'node_modules'), { recursive: true });
      if (needs.includes('files') || needs.includes('store')) {
        await writeFile(join(target, 'people.ttl'), PEOPLE);
        await writeFile(join(target, 'people.ttl.gz'), gzipSync(PEOPLE));
      }
      if (needs.includes('store')) await cp(join(folder, 'fixture'), join(target, 'data'), { recursive: true });
      if (needs.includes('examples')) await symlink(join(ROOT, 'examples'), join(target, 'examples'));
    },
    async sparql(name, text) {
      const repo = await database.repository(name);
      const prepared = await repo.prepare(text);
      if (prepared.kind === 'update') return String((await prepared.update()).number);
      const type = prepared.kind === 'select' || prepared.kind === 'ask' ? 'text/csv' : 'text/turtle';
      const answer =
        prepared.kind === 'ask' ? [String(await prepared.ask())] : await prepared.serialize(type).toArray();
      return answer.join('');
    },
    /** The answer to a request as text: status, the headers that say something, and the body. */
    async http(text) {
      const [head = '', ...body] = text.split('\n\n');
      const [start = '', ...lines] = head.split('\n');
      const [, method = 'GET', path = '/'] = /^(\w+) (\S+)/.exec(start) ?? [];
      const headers = lines.map((line) => line.split(/: (.*)/, 2));
      const sent = body.length === 0 ? {} : { body: body.join('\n\n') };
      const answer = await handler(new Request(`http://localhost${path}`, { method, headers, ...sent }));
      const shown = ['content-type', 'etag', 'location'].flatMap((name) => {
        const value = answer.headers.get(name);
        return value === null ? [] : `${name}: ${value}`;
      });
      return [`HTTP/1.1 ${answer.status}`, ...shown, '', await answer.text()].join('\n');
    },
  };
}

async function fill(database) {
  const solar = await database.repository('demo/solar-system', { create: true });
  await solar.namespaces.set('sol', 'http://example.org/solar-system/');
  const data = join(ROOT, 'examples/data');
  for (const name of (await readdir(data)).filter((one) => one.endsWith('.ttl')).sort())
    await solar.load(join(data, name), { replace: true, message: name });
  for (const name of ['acme/people', 'acme/places']) {
    const repo = await database.repository(name, { create: true });
    await repo.namespaces.set('ex', 'http://example.org/');
    await repo.load({ text: PEOPLE }, { format: 'ttl' });
  }
}

async function makeStore(open, place) {
  await mkdir(dirname(place), { recursive: true });
  const db = await open(place);
  for (const name of ['default/default', 'acme/people']) {
    const repo = await db.repository(name, { create: true });
    await repo.namespaces.set('ex', 'http://example.org/');
    for (const [text, options] of ANN) await repo.update(text, options);
  }
  await db.close();
}
