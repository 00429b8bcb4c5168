/** A signal ends every call with `ABORTED`, in the library and over a server, and the call has changed nothing. */
import { connect, type RemoteRepository } from '@quadrille/client';
import { serve } from '@quadrille/server';
import { answerDiff, iri, open, quad, type Repository } from 'quadrille';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const signal = AbortSignal.abort();
const TEXT = 'SELECT * { ?s ?p ?o }';
const one = quad(iri('urn:z'), iri('urn:p'), iri('urn:o'));

type Drained = AsyncIterable<unknown>;
/** All of a sequence, or the result of a promise. */
async function result(call: Drained | Promise<unknown>): Promise<unknown> {
  if (call instanceof Promise) return call;
  const all: unknown[] = [];
  for await (const each of call) all.push(each);
  return all;
}

type Both = Repository & RemoteRepository;
type Row = readonly [name: string, call: (repo: Both) => Drained | Promise<unknown>];

/** What both have. */
const CALLS: readonly Row[] = [
  ['count', (repo) => repo.count({ predicate: iri('urn:p') }, { signal })],
  ['has', (repo) => repo.has({ predicate: iri('urn:p') }, { signal })],
  ['quads', (repo) => repo.quads({}, { signal })],
  ['graphs', (repo) => repo.graphs({ signal })],
  ['dump', (repo) => repo.dump('application/n-quads', { signal })],
  ['blame', (repo) => repo.blame({}, { signal })],
  ['select', (repo) => repo.select(TEXT, { signal })],
  ['ask', (repo) => repo.ask('ASK { ?s ?p ?o }', { signal })],
  ['construct', (repo) => repo.construct('CONSTRUCT WHERE { ?s ?p ?o }', { signal })],
  ['describe', (repo) => repo.describe('DESCRIBE <urn:a>', { signal })],
  ['query', (repo) => repo.query(TEXT, { signal })],
  ['serialize', async (repo) => (await repo.prepare(TEXT)).serialize('text/csv', { signal }).toArray()],
  ['explain', (repo) => repo.explain(TEXT, { signal })],
  ['log', (repo) => repo.log({ signal })],
  ['diff', (repo) => repo.diff(1, 2, {}, { signal })],
  ['history', (repo) => repo.history({}, { signal })],
  ['transaction', (repo) => repo.transaction((staged) => staged.add(one), { signal })],
  ['validate', (repo) => repo.validate({ shapes: [], signal })],
  ['watch', (repo) => repo.watch({ since: 1, signal })],
  ['live', (repo) => repo.live(TEXT, { signal })],
  ['add', (repo) => repo.add(one, { signal })],
  ['remove of quads', (repo) => repo.remove(one, { signal })],
  ['remove of a pattern', (repo) => repo.remove({}, { signal })],
  ['load', (repo) => repo.load({ text: '<urn:z> <urn:p> 1 .' }, { format: 'ttl', signal })],
  ['preview of a load', (repo) => repo.load({ text: '' }, { format: 'ttl', signal, dryRun: true })],
  ['patch', (repo) => repo.patch({ text: 'A <urn:z> <urn:p> 1 .\n' }, { signal })],
  ['update', (repo) => repo.update('CLEAR ALL', { signal })],
  ['preview of an update', (repo) => repo.update('CLEAR ALL', { signal, dryRun: true })],
  ['revert', (repo) => repo.revert(2, { signal })],
  ['merge', (repo) => repo.branches.merge('dev', { signal })],
  ['cherryPick', (repo) => repo.branches.cherryPick('dev', { signal })],
  ['reset', (repo) => repo.branches.reset(1, { signal })],
  ['preview of a merge', (repo) => repo.branches.merge('dev', { signal, dryRun: true })],
  ['exportHistory', (repo) => repo.sync.exportHistory({ signal })],
  ['importHistory', (repo) => repo.sync.importHistory({ text: '' }, { signal })],
  ['digest', (repo) => repo.proof.digest('HEAD', { signal })],
  ['contentHash', (repo) => repo.proof.contentHash('HEAD', { signal })],
  ['trim', (repo) => repo.maintenance.trim({ last: 1, signal })],
  ['erase', (repo) => repo.maintenance.erase({ term: iri('urn:a') }, { reason: 'asked', signal })],
];

/** What only the library has, and what of the client is no long work in the library. */
const OF_LIBRARY: readonly Row[] = [
  ['answerDiff', (repo) => answerDiff(repo, TEXT, 1, 2, { signal })],
  ['transaction', (repo) => repo.transaction(() => undefined, { signal })],
];
const OF_CLIENT: readonly Row[] = [
  ['revision', (repo) => (repo as RemoteRepository).revision({ signal })],
  ['size', (repo) => (repo as RemoteRepository).size({ signal })],
  ['prepare', (repo) => (repo as RemoteRepository).prepare(TEXT, { signal })],
  ['load of a function', (repo) => repo.load(async function* () {}, { format: 'ttl', signal })],
  ['branches', (repo) => (repo as RemoteRepository).branches.list({ signal })],
  ['settings', (repo) => (repo as RemoteRepository).settings.get({ signal })],
  ['tags', (repo) => (repo as RemoteRepository).tags.set('v1', 1, { signal })],
];

async function filled(repo: Repository): Promise<void> {
  await repo.update('INSERT DATA { <urn:a> <urn:p> 1 , 2 }');
  await repo.branches.create('dev');
  await (await repo.branches.open('dev')).update('INSERT DATA { <urn:b> <urn:p> 1 }');
}

describe.each([
  ['the library', [...CALLS, ...OF_LIBRARY]],
  ['a server', [...CALLS, ...OF_CLIENT]],
] as const)('over %s', (place, calls) => {
  let repo: Both;
  let close: () => Promise<unknown>;
  beforeAll(async () => {
    if (place === 'the library') {
      const db = await open(':memory:');
      const found = await db.repository('acme/people', { create: true });
      await filled(found);
      [repo, close] = [found as Both, () => db.close()];
      return;
    }
    const served = await serve(':memory:', {
      port: 0,
      open: true,
      store: { workers: 0 },
      whenOpen: async ({ database }) => filled(await database.repository('acme/people', { create: true })),
    });
    [repo, close] = [(await connect(`${served.url}/acme/people`)) as Both, () => served.close(0)];
  });
  afterAll(() => close());

  test.each(calls)('%s', async (_, call) => {
    const before = await repo.revision();
    await expect(result(call(repo))).rejects.toMatchObject({ code: 'ABORTED' });
    expect([await repo.revision(), await repo.size(), await repo.tags.get('v1')]).toEqual([before, 2, undefined]);
  });

  test.each([
    ['watch', (signals: AbortSignal) => repo.watch({ signal: signals })],
    ['live', (signals: AbortSignal) => repo.live(TEXT, { signal: signals, since: 'HEAD' })],
  ] as const)('%s, while it waits', async (_, follow) => {
    const caller = new AbortController();
    const following = follow(caller.signal);
    const waiting = expect(following.next()).rejects.toMatchObject({ code: 'ABORTED' });
    setImmediate(() => caller.abort());
    await waiting;
    expect((await following.next()).done).toBe(true);
  });

  test('a sequence that is under way', async () => {
    const caller = new AbortController();
    const rows = repo.select('SELECT * { ?a ?b ?c . ?d ?e ?f }', { signal: caller.signal })[Symbol.asyncIterator]();
    expect((await rows.next()).done).toBe(false);
    caller.abort();
    const rest = async (): Promise<void> => {
      while ((await rows.next()).done !== true);
    };
    // Rows that were there already may still come.
    await expect(rest().catch((error: { code: string }) => error.code)).resolves.toBeOneOf([undefined, 'ABORTED']);
  });
});
