import { gzipSync } from 'node:zlib';
import { type GuardedFetch } from '@quadrille/fetch';
import { iri, type Repository } from 'quadrille';
import { describe, expect, test } from 'vitest';
// It registers the formats that a server reads besides those of the library.
import '../../documents/formats.js';
import type { Fetcher, Service, ServiceOptions } from '../index.js';
import { bodyOf, hosted, OTHER, OWNER, READER, SlowBody, triples, until } from '../testing/fixtures.js';

const NAME = 'acme/people';
const people = (service: Service): Promise<Repository> => service.rights.open(OWNER, NAME, 'read');
const nt = (text: string | Uint8Array) => ({ body: bodyOf(text), mediaType: 'text/plain' });

async function dump(repository: Repository): Promise<string[]> {
  const text = (await repository.dump('application/n-quads').toArray()).join('');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .sort();
}

describe('a body', () => {
  test('is one revision of the caller, and a completed job', async () => {
    const service = await hosted();
    const { uuid, done } = await service.imports.start(OWNER, NAME, {
      source: nt(triples(3)),
      commit: { message: 'three' },
    });
    const revision = await done;
    expect(revision).toMatchObject({ number: 2, added: 3, author: 'acme', message: 'three' });
    const job = service.jobs.get(OWNER, uuid);
    expect(job).toMatchObject({
      kind: 'import',
      status: 'completed',
      percent: 100,
      revision: revision.id,
      statements: 3,
    });
    expect(job.message).toBe('imported request body: 3 statements read');
    expect(service.jobs.list(OWNER)).toEqual([]);
    expect(service.jobs.latest(NAME)).toEqual(job);
  });

  test('is no job where it is short, plain and waited for', async () => {
    const service = await hosted();
    const text = triples(3);
    const source = { ...nt(text), bytesTotal: text.length };
    const short = await service.imports.run(OWNER, NAME, { source });
    expect([short.added, service.jobs.latest(NAME)?.kind]).toEqual([3, 'create']);
    // What was compressed, and what is sent in a form, may be longer than its announced length.
    await service.imports.run(OWNER, NAME, { source: { ...nt(triples(4)), bytesTotal: 9, bytesRead: () => 9 } });
    expect(service.jobs.latest(NAME)).toMatchObject({ status: 'completed', statements: 4 });
  });

  test('adds, or replaces everything or the graphs that are named', async () => {
    const service = await hosted();
    const graph = iri('urn:g');
    await service.imports.run(OWNER, NAME, { source: nt('<urn:a> <urn:p> "1" .') });
    await service.imports.run(OWNER, NAME, { source: nt('<urn:b> <urn:p> "2" .'), graphs: [graph] });
    await service.imports.run(OWNER, NAME, { source: nt('<urn:c> <urn:p> "3" .'), graphs: [graph], replace: true });
    expect(await dump(await people(service))).toEqual(['<urn:a> <urn:p> "1" .', '<urn:c> <urn:p> "3" <urn:g> .']);
    const several = [graph, iri('urn:h')];
    const revision = await service.imports.run(OWNER, NAME, {
      source: nt('<urn:d> <urn:p> "4" .'),
      graphs: several,
      replace: true,
    });
    expect(revision).toMatchObject({ number: 5, added: 2, removed: 1, author: 'acme' });
    expect(await dump(await people(service))).toEqual([
      '<urn:a> <urn:p> "1" .',
      '<urn:d> <urn:p> "4" <urn:g> .',
      '<urn:d> <urn:p> "4" <urn:h> .',
    ]);
    await service.imports.run(OWNER, NAME, { source: nt('<urn:e> <urn:p> "5" .'), replace: true });
    expect(await dump(await people(service))).toEqual(['<urn:e> <urn:p> "5" .']);
  });

  test('N-Triples may name graphs, a base resolves, the name of a file tells the format', async () => {
    const service = await hosted();
    await service.imports.run(OWNER, NAME, { source: nt('<urn:a> <urn:p> "1" <urn:g> .') });
    await service.imports.run(OWNER, NAME, {
      source: { body: bodyOf('<x> <y> <z> .'), mediaType: 'application/octet-stream', fileName: 'some.ttl' },
      baseIRI: 'http://e.org/',
    });
    expect(await dump(await people(service))).toEqual([
      '<http://e.org/x> <http://e.org/y> <http://e.org/z> .',
      '<urn:a> <urn:p> "1" <urn:g> .',
    ]);
  });

  test('that is not well formed changes nothing, and its job has failed and says where', async () => {
    const service = await hosted();
    const { done, uuid } = await service.imports.start(OWNER, NAME, { source: nt(`${triples(2)}<urn:a> nonsense\n`) });
    await expect(done).rejects.toMatchObject({ code: 'RDF_SYNTAX', line: 3 });
    expect(await (await people(service)).revision()).toMatchObject({ number: 1, size: 0 });
    expect(service.jobs.get(OWNER, uuid)).toMatchObject({
      status: 'failed',
      error: { code: 'RDF_SYNTAX' },
      message: expect.stringContaining('request body:3'),
    });
  });

  test('of no format that is known is refused before it is a job', async () => {
    const service = await hosted();
    const source = { body: bodyOf('x'), mediaType: 'image/png' };
    await expect(service.imports.start(OWNER, NAME, { source })).rejects.toMatchObject({ code: 'UNSUPPORTED_FORMAT' });
    expect(service.jobs.latest(NAME)?.kind).toBe('create');
  });

  test('is limited, also in what it becomes', async () => {
    const service = await hosted({ limits: { importBytes: 10_000_000, importRatio: 20 } });
    const failing = (body: Uint8Array): Promise<unknown> => service.imports.run(OWNER, NAME, { source: nt(body) });
    await expect(failing(Buffer.from(triples(350_000)))).rejects.toMatchObject({ code: 'INPUT_TOO_LARGE' });
    const comments = `${'#'.repeat(9_000_000)}\n`;
    await expect(failing(gzipSync(comments))).rejects.toMatchObject({
      code: 'INPUT_TOO_LARGE',
      message: 'request body is compressed more than 20 to 1',
    });
    await service.imports.run(OWNER, NAME, { source: nt(gzipSync(triples(100))) });
    expect(await (await people(service)).size()).toBe(100);
  });

  test('needs the right to write', async () => {
    const service = await hosted();
    await service.repositories.setCollaborator(OWNER, NAME, 'reader', 'read');
    const attempt = (caller: typeof OWNER) => service.imports.run(caller, NAME, { source: nt(triples(1)) });
    await expect(attempt(READER)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(attempt(OTHER)).rejects.toMatchObject({ code: 'REPOSITORY_NOT_FOUND' });
    await expect(attempt({ ...OWNER, readOnly: true })).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });
});

describe('an import under way', () => {
  // Larger than what counts as short.
  const LONG = triples(20_000);

  test('is a running job with true figures, is not visible, and can be aborted', async () => {
    const service = await hosted();
    const body = new SlowBody();
    const { uuid, done } = await service.imports.start(OWNER, NAME, {
      source: { body, mediaType: 'text/plain', bytesTotal: LONG.length * 2 },
    });
    expect(service.jobs.list(OWNER)).toMatchObject([{ uuid, status: 'pending' }]);
    body.send(LONG);
    await until(() => (service.jobs.get(OWNER, uuid).statements ?? 0) === 20_000);
    const job = service.jobs.get(OWNER, uuid);
    expect(job).toMatchObject({ status: 'running', bytesTotal: LONG.length * 2 });
    expect(job.percent).toBeGreaterThanOrEqual(20);
    expect(job.percent).toBeLessThan(60);
    expect(await (await people(service)).size()).toBe(0);
    expect(service.jobs.list(OTHER)).toEqual([]);
    expect(() => service.jobs.get(OTHER, uuid)).toThrow(expect.objectContaining({ code: 'JOB_NOT_FOUND' }));
    await expect(service.jobs.abort({ ...OWNER, readOnly: true }, uuid)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(await service.jobs.abort(OWNER, uuid.toUpperCase())).toMatchObject({
      status: 'aborted',
      percent: job.percent,
    });
    await expect(done).rejects.toMatchObject({ code: 'ABORTED' });
    expect(body.closed).toBe(true);
    expect(await (await people(service)).revision()).toMatchObject({ number: 1 });
    expect(await service.jobs.abort(OWNER, uuid)).toMatchObject({ status: 'aborted' });
  });

  test('fails when its client goes away, in the queue too', async () => {
    const service = await hosted({ limits: { importsAtOncePerAccount: 1 } });
    const client = new AbortController();
    const start = async (body: SlowBody) => {
      const begun = await service.imports.start(OWNER, NAME, {
        source: { body, mediaType: 'text/plain' },
        signal: client.signal,
      });
      body.send(LONG);
      return begun;
    };
    const first = await start(new SlowBody());
    await until(() => first.job().status === 'running');
    const second = await start(new SlowBody());
    await until(() => service.imports.waiting === 1);
    client.abort();
    for (const { done, job } of [first, second]) {
      await expect(done).rejects.toMatchObject({ code: 'ABORTED' });
      const message = 'the client closed the connection; nothing of it was kept';
      expect(job()).toMatchObject({ status: 'failed', message, error: { code: 'ABORTED', message } });
    }
    expect(service.imports.waiting).toBe(0);
  });

  test('fails when its sender stops sending, or sends too slowly', async () => {
    const service = await hosted({ limits: { importIdleMs: 100, importMinRate: 1_000_000 } });
    const start = (body: SlowBody) => service.imports.start(OWNER, NAME, { source: { body, mediaType: 'text/plain' } });
    const silent = new SlowBody();
    const { done, job } = await start(silent);
    silent.send(LONG);
    await expect(done).rejects.toMatchObject({ code: 'INPUT_TIMEOUT', message: expect.stringContaining('100 ms') });
    expect(job()).toMatchObject({ status: 'failed', error: { code: 'INPUT_TIMEOUT' } });
    expect(silent.closed).toBe(true);
    const slow = new SlowBody();
    const sending = setInterval(() => slow.send('# \n'), 20);
    const { done: slowly } = await start(slow);
    await expect(slowly).rejects.toMatchObject({
      code: 'INPUT_TIMEOUT',
      message: 'the document was not sent: less than 1000000 bytes a second came',
    });
    clearInterval(sending);
    expect(await (await people(service)).size()).toBe(0);
  });

  test('gives up its place for others where it comes slowly, and goes on otherwise', async () => {
    const limits = { importsAtOnce: 2, importsAtOncePerAccount: 2, importIdleMs: 1200, importMinRate: 1 };
    const service = await hosted({ limits: { ...limits, importBusyRate: 100_000_000 } });
    await service.repositories.create(OTHER, 'other', { name: 'mine' });
    const bodies = [new SlowBody(), new SlowBody()];
    const slow = await Promise.all(
      bodies.map((body) => service.imports.start(OWNER, NAME, { source: { body, mediaType: 'text/plain' } })),
    );
    bodies.forEach((body) => body.send(LONG));
    const sending = setInterval(() => bodies.forEach((body) => body.send('# \n')), 50);
    const revision = await service.imports.run(OTHER, 'other/mine', { source: nt(LONG) });
    clearInterval(sending);
    expect(revision.number).toBe(2);
    bodies.forEach((body) => body.end());
    const ended = await Promise.allSettled(slow.map(({ done }) => done));
    expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(ended.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: {
        code: 'INPUT_TIMEOUT',
        message: 'the document was not sent: others wait for the place of this import, which came slowest',
      },
    });
  });

  test('does not keep short ones waiting', async () => {
    const service = await hosted({ limits: { importsAtOnce: 1, importsAtOncePerAccount: 1 } });
    const body = new SlowBody();
    const { done } = await service.imports.start(OWNER, NAME, { source: { body, mediaType: 'text/plain' } });
    body.send(LONG);
    const revision = await service.imports.run(OWNER, NAME, { source: nt('<urn:x> <urn:y> <urn:z> .') });
    expect(revision.number).toBe(2);
    body.end();
    expect(await done).toMatchObject({ number: 3, added: 20_000 });
  });

  test('says when its body was received', async () => {
    const service = await hosted();
    const body = new SlowBody();
    const { received, done, job } = await service.imports.start(
      OWNER,
      NAME,
      { source: { body, mediaType: 'text/plain' } },
      { durable: true },
    );
    let isReceived = false;
    void received.then(() => (isReceived = true));
    body.send(LONG);
    await until(() => job().status === 'running');
    expect(isReceived).toBe(false);
    body.end();
    await received;
    expect(await done).toMatchObject({ added: 20_000 });
  });

  test('ends with the service, and with its repository', async () => {
    const service = await hosted();
    const start = async () => {
      const body = new SlowBody();
      const begun = await service.imports.start(OWNER, NAME, { source: { body, mediaType: 'text/plain' } });
      body.send(LONG);
      await until(() => begun.job().status === 'running');
      return begun;
    };
    const first = await start();
    await service.repositories.remove(OWNER, NAME);
    await expect(first.done).rejects.toMatchObject({ code: 'REPOSITORY_DELETED' });
    await service.repositories.create(OWNER, 'acme', { name: 'People' });
    expect(service.jobs.latest(NAME)?.kind).toBe('create');
    const second = await start();
    await service.close();
    await expect(second.done).rejects.toMatchObject({ code: 'ABORTED' });
    expect(second.job().message).toBe('the server was stopped; nothing of it was kept');
  });
});

describe('an address', () => {
  const answering = (status: number, headers: Record<string, string>, text: string): ServiceOptions => ({
    fetch: async ({ url }) => ({ status, headers, url, body: bodyOf(text), close: () => undefined }),
  });

  test('is fetched; its type, then its name tells the format, and it is the base', async () => {
    const service = await hosted(answering(200, { 'content-type': 'text/plain' }, '<#x> <#y> <z> .'));
    await service.imports.run(OWNER, NAME, { source: { url: 'http://e.org/some.ttl?key=secret' } });
    expect(await dump(await people(service))).toEqual([
      '<http://e.org/some.ttl?key=secret#x> <http://e.org/some.ttl?key=secret#y> <http://e.org/z> .',
    ]);
    expect(JSON.stringify(service.jobs.latest(NAME))).not.toContain('secret');
  });

  test('is asked for quads first, so that its graphs survive', async () => {
    const documents: Readonly<Record<string, string>> = {
      'text/turtle': '<urn:a> <urn:p> 1 .',
      'application/n-quads': '<urn:a> <urn:p> "1" <urn:g> .',
    };
    let asked = '';
    // As a host chooses: the best of what it has.
    const fetch: Fetcher = async ({ url, headers = {} }) => {
      asked = headers['accept'] ?? '';
      const quality = (type: string): number => {
        const range = asked.split(', ').find((each) => each.split(';')[0] === type);
        return range === undefined ? 0 : Number(/;q=(.*)/.exec(range)?.[1] ?? 1);
      };
      const [best = ''] = Object.keys(documents).toSorted((one, other) => quality(other) - quality(one));
      return {
        status: 200,
        headers: { 'content-type': best },
        url,
        body: bodyOf(documents[best]!),
        close: () => undefined,
      };
    };
    const service = await hosted({ fetch });
    await service.imports.run(OWNER, NAME, { source: { url: 'http://e.org/data' } });
    expect(await dump(await people(service))).toEqual(['<urn:a> <urn:p> "1" <urn:g> .']);
    expect(asked).toContain('text/turtle');
  });

  test('that answers an error, or no RDF, fails', async () => {
    const missing = await hosted(answering(404, {}, ''));
    const source = { url: 'http://e.org/x' };
    await expect(missing.imports.run(OWNER, NAME, { source })).rejects.toMatchObject({ code: 'FETCH_FAILED' });
    expect(missing.jobs.latest(NAME)).toMatchObject({ status: 'failed', message: expect.stringContaining('404') });
    const image = await hosted(answering(200, { 'content-type': 'image/png' }, '<p>'));
    await expect(image.imports.run(OWNER, NAME, { source })).rejects.toMatchObject({ code: 'UNSUPPORTED_FORMAT' });
    const page = await hosted(answering(200, { 'content-type': 'text/html' }, '<p>'));
    await expect(page.imports.run(OWNER, NAME, { source })).rejects.toMatchObject({ code: 'RDF_SYNTAX' });
    const script = '<script type="application/ld+json">{"@id":"urn:a","urn:p":"1"}</script>';
    const shop = await hosted(answering(200, { 'content-type': 'text/html' }, script));
    await shop.imports.run(OWNER, NAME, { source });
    expect(await dump(await people(shop))).toEqual(['<urn:a> <urn:p> "1" .']);
    const none = await hosted();
    await expect(none.imports.run(OWNER, NAME, { source })).rejects.toMatchObject({ code: 'URL_NOT_ALLOWED' });
    await expect(none.imports.run(OWNER, NAME, { source: { url: 'nowhere' } })).rejects.toMatchObject({
      code: 'INVALID_OPTION',
    });
  });

  test('the guarded fetcher fits', () => {
    const fits = (fetch: GuardedFetch): Fetcher => fetch;
    expect(fits).toBeTypeOf('function');
  });
});
