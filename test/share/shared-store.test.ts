/** `open(dir, { share: true })`: a guest has the calls of the library, and goes on when its holder has ended. */
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  answerDiff,
  type Database,
  iri,
  literal,
  open,
  quad,
  type Repository,
  restore,
  sparql,
  unpackBackup,
} from 'quadrille';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

let folder: string;
let store: string;
let holder: Database;
let guest: Database;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quadrille-share-'));
  store = join(folder, 'store');
  holder = await open(store, { share: true });
  guest = await open(store, { share: true });
});
afterEach(async () => {
  await guest.close();
  await holder.close();
  await rm(folder, { recursive: true, force: true });
});

const ann = iri('urn:ann');
const name = iri('http://xmlns.com/foaf/0.1/name');

test('the first one holds, the others ask it, over a socket of this user alone', async () => {
  expect([holder.role, guest.role, guest.location, guest.state]).toEqual(['holder', 'guest', store, 'open']);
  if (process.platform !== 'win32') expect((await stat(join(store, 'share.sock'))).mode & 0o777).toBe(0o600);
  await guest.close();
  expect(() => guest.queries()).not.toThrow();
  await expect(guest.repository('acme/people')).rejects.toMatchObject({ code: 'STORE_NOT_OPEN' });
  await expect(open(store, { share: false })).rejects.toMatchObject({ code: 'STORE_LOCKED' });
});

test('a process that says nothing of share joins a holder that shares, and no other one', async () => {
  const other = await open(store);
  expect(other.role).toBe('guest');
  await other.close();
  const alone = await open(join(folder, 'alone'));
  expect(alone.role).toBeUndefined();
  await expect(open(join(folder, 'alone'))).rejects.toMatchObject({ code: 'STORE_LOCKED' });
  await alone.close();
});

test('a guest that only reads', async () => {
  await (await holder.repository('acme/people', { create: true })).update('INSERT DATA { <urn:ann> <urn:p> 1 }');
  const reader = await open(store, { readOnly: true });
  const repository = await reader.repository('acme/people');
  expect(await repository.size()).toBe(1);
  await expect(repository.update('CLEAR ALL')).rejects.toMatchObject({ code: 'READ_ONLY' });
  await reader.close();
});

/** The same steps over both: what they tell must be the same, but for ids and times. */
async function told(database: Database): Promise<unknown[]> {
  const found: unknown[] = [];
  const made = await database.repository('acme/people', { create: true, metadata: { summary: 'all' } });
  const plain = ({ number, author, message, added, removed, size }: Awaited<ReturnType<Repository['revision']>>) => ({
    number,
    author,
    message,
    added,
    removed,
    size,
  });
  found.push(made.name, made.branch, plain(await made.revision()));
  found.push(plain(await made.add([quad(ann, name, literal('Ann')), quad(ann, name, literal('Änn', 'de'))])));
  found.push(
    plain(await made.update('INSERT DATA { <urn:bob> foaf:name "Bob" }', { author: 'Ann Ö', message: 'x y' })),
  );
  const first = await made.revision();
  found.push(await made.update('CLEAR ALL', { dryRun: true }));
  found.push(plain(await made.load({ text: '<urn:a> <urn:b> <urn:c> .' }, { format: 'ttl', graph: iri('urn:g') })));
  found.push(plain(await made.remove({ subject: iri('urn:bob') }, { ifRevision: 'HEAD' })));
  found.push(await made.select('SELECT ?n { ?s foaf:name ?n } ORDER BY ?n', { values: 'js' }).toArray());
  found.push(await made.select`SELECT ?s { ?s foaf:name ${'Ann'} }`.toArray());
  found.push(await made.select(sparql`SELECT ?s { VALUES ?n { ${['Ann', 'Bob']} } ?s foaf:name ?n }`).toArray());
  found.push(await made.select('SELECT * { ?s ?p ?o }').variables, await made.ask('ASK { <urn:ann> ?p ?o }'));
  found.push(await made.at(first).select('SELECT ?o { <urn:bob> ?p ?o }').first(), await made.at(first).size());
  found.push(await made.count({ subject: ann }), await made.has({ subject: iri('urn:x') }));
  found.push((await made.quads({ graph: iri('urn:g') }).toArray()).map(({ subject }) => subject.value));
  found.push(
    (await made.graphs().toArray()).map(({ value }) => value),
    (await made.dump('nq').toArray()).join(''),
  );
  found.push((await made.log().toArray()).map(plain));
  found.push((await made.diff(first).toArray()).map(({ op, quad: { subject } }) => [op, subject.value]));
  found.push(
    (await made.history({ subject: iri('urn:bob') }).toArray()).map(({ op, revision }) => [op, plain(revision)]),
  );
  found.push((await made.blame({ subject: ann }).toArray()).map(({ revision }) => plain(revision)));
  const dev = await made.branches.open('dev', { create: true });
  found.push(dev.branch, plain(await dev.update('INSERT DATA { <urn:dev> <urn:p> 1 }', { author: 'Eve' })));
  found.push(plain(await made.branches.merge('dev', { author: 'Ann', message: 'm' })));
  found.push((await made.branches.list().toArray()).map((each) => each.name));
  found.push(
    plain(
      await made.transaction(
        async (transaction) => {
          await transaction.add([quad(ann, name, literal('staged'))]);
          found.push(await transaction.size(), await transaction.ask('ASK { ?s ?p "staged" }'));
          await transaction.update`DELETE DATA { ${ann} ${name} ${'Ann'} }`;
        },
        { author: 'Tom', message: 't' },
      ),
    ),
  );
  found.push(plain(await made.revert('HEAD', { message: 'back' })));
  await made.tags.set('one', first);
  found.push((await made.tags.get('one'))?.number);
  await made.namespaces.set('ex', 'urn:ex:');
  found.push(await made.namespaces.list(), (await made.namespaces.effective())['foaf']);
  await made.settings.set({ functional: ['urn:f'] });
  found.push((await made.settings.get()).functional);
  const prepared = await made.prepare('SELECT ?o { <urn:ann> ?p ?o }');
  found.push(prepared.kind, (await prepared.select({ values: 'js' }).toArray()).length);
  const { added: came, removed: went } = await answerDiff(made, 'SELECT ?o { <urn:ann> ?p ?o }', first);
  found.push(came, went.length);
  const answer = await made.query('ASK {}');
  found.push(answer.type === 'boolean' && answer.value);
  for (const fails of [
    () => made.select('SELEKT').toArray(),
    () => made.at('HEAD~99').size(),
    () => database.repository('acme/nobody'),
    () => database.repository('No Name'),
    () => made.update('CLEAR ALL', { ifRevision: first }),
    () => made.branches.open('nothing'),
    () => made.select('SELECT * {}', { signal: AbortSignal.abort() }).toArray(),
  ])
    found.push(
      await fails().then(
        () => 'no error',
        (error: unknown) => [(error as Error).name, (error as { code?: unknown }).code],
      ),
    );
  const fork = await database.fork('acme/people', 'acme/copy');
  found.push(
    await fork.size(),
    (await database.repositories('acme').toArray()).map((each) => [each.name, each.metadata.summary]),
  );
  found.push(await database.accounts.list().toArray(), await database.deleteRepository('acme/copy'));
  found.push(await database.deleteRepository('acme/copy'), await database.account('acme').namespaces.get('foaf'));
  return found;
}

test('a guest tells what the holder tells', async () => {
  const alone = await open(':memory:');
  expect(await told(guest)).toEqual(await told(alone));
  await alone.close();
});

test('what only the holder has is refused, with what to do', async () => {
  const repository = await guest.repository('acme/people', { create: true });
  const refused = { name: 'EvaluationError', code: 'UNSUPPORTED', message: expect.stringContaining('share: false') };
  for (const call of [
    () => repository.quadsSync(),
    () => guest.metrics(),
    () => repository.select('SELECT * {}', { maxRows: 1 }),
  ])
    expect(call).toThrow(expect.objectContaining(refused));
});

test('figures, checks and metadata are those that the holder tells', async () => {
  const own = await holder.repository('acme/people', { create: true, metadata: { summary: 'all' } });
  await own.update('INSERT DATA { <urn:ann> <urn:p> 1, 2 . <urn:bob> <urn:q> "b" }');
  const repository = await guest.repository('acme/people');
  expect(await repository.maintenance.stats()).toEqual(await own.maintenance.stats());
  expect(await repository.maintenance.verify()).toEqual(await own.maintenance.verify());
  expect(await guest.verify()).toEqual(await holder.verify());
  expect(await repository.proof.verify()).toEqual(await own.proof.verify());
  expect(await repository.settings.metadata.get()).toEqual(await own.settings.metadata.get());
  const changed = await repository.settings.metadata.set({ description: 'd', summary: null });
  expect(changed).toEqual(await own.settings.metadata.get());
  expect(changed.created).toBeInstanceOf(Date);
  await expect(repository.settings.metadata.set({ description: 1 } as never)).rejects.toMatchObject({
    name: 'InvalidArgumentError',
    code: 'INVALID_OPTION',
  });
  const branch = await repository.branches.open('dev', { create: true });
  await branch.update('INSERT DATA { <urn:dev> <urn:p> 1 }');
  expect((await branch.maintenance.stats()).quads).toBe(4);
  expect(await repository.maintenance.rebuild()).toMatchObject({ bytesAfter: expect.any(Number) as number });
  expect(await guest.rebuild('acme/people')).toMatchObject({ bytesAfter: expect.any(Number) as number });
  expect(await guest.accounts.created('acme')).toEqual(await holder.accounts.created('acme'));
  expect(await guest.accounts.created('nobody')).toBeUndefined();
  const reader = await open(store, { readOnly: true });
  const read = await reader.repository('acme/people');
  expect((await read.maintenance.stats()).quads).toBe(3);
  await expect(read.settings.metadata.set({ description: 'x' })).rejects.toMatchObject({ code: 'READ_ONLY' });
  await reader.close();
});

test('a guest backs the store up, into a directory and as a stream', async () => {
  const repository = await guest.repository('acme/people', { create: true });
  const lines = Array.from({ length: 5000 }, (_, i) => `<urn:s${String(i)}> <urn:q> "${'x'.repeat(80)}" .`);
  await repository.load({ text: lines.join('\n') }, { format: 'nt' });
  const target = join(folder, 'backup');
  let told = 0;
  const first = await guest.backup(target, { onProgress: ({ bytesWritten }) => (told = bytesWritten) });
  expect(first).toMatchObject({
    full: true,
    heads: [{ name: 'acme/people', number: 2, time: expect.any(Date) as Date }],
  });
  expect(told).toBe(first.bytesWritten);
  await repository.update('INSERT DATA { <urn:ann> <urn:p> 1 }');
  expect(await guest.backup(target)).toMatchObject({ full: false, heads: [{ number: 3 }] });
  expect((await restore(target, join(folder, 'restored'))).heads).toMatchObject([{ number: 3 }]);
  const archive: Uint8Array[] = [];
  const report = await guest.backup(new WritableStream({ write: (bytes) => void archive.push(bytes) }));
  const unpacked = await unpackBackup(new Blob(archive as BlobPart[]).stream(), join(folder, 'unpacked'));
  expect(unpacked.heads).toEqual(report.heads);
  await expect(guest.backup(join(store, 'inside'))).rejects.toMatchObject({ code: 'INVALID_OPTION' });
  await expect(guest.backup(join(folder, 'no'), { signal: AbortSignal.abort() })).rejects.toMatchObject({
    code: 'ABORTED',
  });
  const ending = new AbortController();
  const failed = new WritableStream({ write: () => ending.abort(new Error('enough')) });
  await expect(guest.backup(failed, { signal: ending.signal })).rejects.toMatchObject({ code: 'ABORTED' });
  const broken = new WritableStream({ write: () => Promise.reject(new Error('no room')) });
  await expect(guest.backup(broken)).rejects.toThrow('no room');
  expect((await repository.update('INSERT DATA { <urn:bob> <urn:p> 1 }')).number).toBe(4);
});

test('functions of a guest are those of the holder', async () => {
  const iris = ['urn:f', 'urn:g'] as const;
  const functions = Object.fromEntries(iris.map((each) => [each, () => literal('mine')]));
  const other = await open(store, { share: true, functions });
  const repository = await other.repository('acme/people', { create: true });
  const refused = repository.select('SELECT (<urn:f>() AS ?x) {}').toArray();
  await expect(refused).rejects.toMatchObject({ code: 'UNSUPPORTED', message: expect.stringContaining('urn:f') });
  await expect(repository.select('SELECT (<urn:h>() AS ?x) {}').toArray()).rejects.toMatchObject({
    code: 'UNKNOWN_FUNCTION',
  });
  await other.close();
});

describe('when the holder ends', () => {
  let repository: Repository;
  beforeEach(async () => {
    repository = await guest.repository('acme/people', { create: true });
    await repository.update('INSERT DATA { <urn:ann> <urn:p> 1 }');
  });

  test('the guest takes over by itself, and what it has opened goes on', async () => {
    await holder.close();
    await expect.poll(() => guest.role, { timeout: 1000, interval: 5 }).toBe('holder');
    expect((await repository.update('INSERT DATA { <urn:bob> <urn:p> 1 }')).number).toBe(3);
    const third = await open(store, { share: true });
    expect([third.role, await (await third.repository('acme/people')).size()]).toEqual(['guest', 2]);
    // Now it has all calls, also the others.
    expect((await guest.repository('acme/people')).quadsSync()).toHaveLength(2);
    await third.close();
  });

  test('a write that comes in between waits for it', async () => {
    const [revision] = await Promise.all([repository.update('INSERT DATA { <urn:bob> <urn:p> 1 }'), holder.close()]);
    expect([revision.size, await repository.size()]).toEqual([2, 2]);
  });

  test('a transaction begins again', async () => {
    let runs = 0;
    const { size } = await repository.transaction(async (transaction) => {
      await transaction.update('INSERT DATA { <urn:bob> <urn:p> 1 }');
      if (runs++ === 0) await holder.close();
    });
    expect([size, runs]).toEqual([2, 2]);
  });

  test('watch and live go on without a gap', async () => {
    const watched = repository.watch();
    const live = repository.live('SELECT ?o { ?s <urn:p> ?o }');
    expect((await live.next()).value?.added).toHaveLength(1);
    const next = watched.next();
    await holder.close();
    await repository.update('INSERT DATA { <urn:bob> <urn:p> 2 }');
    await repository.update('INSERT DATA { <urn:eve> <urn:p> 3 }');
    const numbers = [(await next).value?.revision.number, (await watched.next()).value?.revision.number];
    expect(numbers).toEqual([3, 4]);
    let added = 0;
    while (added < 2) added += (await live.next()).value!.added.length;
    const waiting = watched.next();
    await guest.close();
    expect((await waiting).done).toBe(true);
  });

  test('results that are being read end with STORE_UNAVAILABLE', async () => {
    const lines = Array.from({ length: 20_000 }, (_, i) => `<urn:s${String(i)}> <urn:q> "${'x'.repeat(200)}" .`);
    await repository.load({ text: lines.join('\n') }, { format: 'nt' });
    const reading = repository.quads({ predicate: iri('urn:q') })[Symbol.asyncIterator]();
    await reading.next();
    const closing = holder.close();
    const rest = (async () => {
      for (;;) if ((await reading.next()).done === true) return 'all';
    })();
    // The holder lets answers end for two seconds.
    await closing;
    const end = await rest.catch((error: unknown) => (error as { code?: unknown }).code);
    expect(['all', 'STORE_UNAVAILABLE']).toContain(end);
  });
});
