import { createReadStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import { gzipSync } from 'node:zlib';
import type * as RDF from '@rdfjs/types';
import { describe, expect, test } from 'vitest';
import type { LoadOptions, LoadProgress, LoadSource } from '../index.js';
import { blankNode, defaultGraph, iri, literal } from '../index.js';
import { directory, ex, lines, many, q, repository } from '../testing/fixtures.js';

const NT = '<http://example.org/a> <http://example.org/p> <http://example.org/b> .\n';
const TTL = '@prefix e: <http://example.org/> . e:a e:p e:b .';
const NQ = `${NT}${NT.replace(' .', ' <http://example.org/g> .')}${NT.replace(' .', ' <http://example.org/h> .')}`;
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const triples = (count: number): string =>
  many(count)
    .map(({ subject, predicate, object }) => `<${subject.value}> <${predicate.value}> <${object.value}> .\n`)
    .join('');

async function* split(content: string | Buffer): AsyncGenerator<Buffer> {
  yield Buffer.alloc(0);
  for (const byte of Buffer.from(content as string)) yield Buffer.from([byte]);
}

describe('sources', () => {
  test.each<[string, (path: string) => LoadSource, LoadOptions]>([
    ['a path', (path) => path, {}],
    ['a file URL', (path) => pathToFileURL(path), {}],
    ['bytes', () => bytes(TTL), { format: 'ttl' }],
    ['a text', () => ({ text: TTL }), { format: 'turtle' }],
    ['a web stream', () => new Blob([TTL]).stream(), { format: 'text/turtle' }],
    ['a Node stream', (path) => createReadStream(path), { format: '.ttl' }],
    ['a Node stream of text', () => Readable.from([TTL]), { format: 'ttl' }],
    ['Buffers of one byte', () => split(TTL), { format: 'ttl' }],
    ['gzipped bytes', () => gzipSync(TTL), { format: 'ttl' }],
    ['a gzipped stream of single bytes', () => split(gzipSync(TTL)), { format: 'ttl' }],
  ])('%s', async (_, source, options) => {
    const path = join(await directory(), 'people.ttl');
    await writeFile(path, TTL);
    const repo = await repository();
    expect(await repo.load(source(path), options)).toMatchObject({ number: 2, added: 1 });
    expect(await lines(repo.quads())).toEqual(['a p b']);
  });

  test.each([null, undefined, 7, {}, { text: 7 }, []])('%j is none', async (source) => {
    const repo = await repository();
    await expect(repo.load(source as unknown as LoadSource, { format: 'nt' })).rejects.toMatchObject({
      code: 'INVALID_OPTION',
    });
  });

  test('a stream of something else', async () => {
    const repo = await repository();
    const source = Readable.from([{ not: 'bytes' }]);
    await expect(repo.load(source, { format: 'nt' })).rejects.toMatchObject({ code: 'INVALID_OPTION' });
    expect(source.destroyed).toBe(true);
  });

  test('relative IRIs of a file resolve against its IRI, or the base that is given', async () => {
    const path = join(await directory(), 'people.ttl');
    await writeFile(path, '<#a> <p> <../b> .');
    const repo = await repository();
    const first = async (): Promise<string[]> => {
      for await (const { subject, predicate, object } of repo.quads()) {
        return [subject.value, predicate.value, object.value];
      }
      return [];
    };
    const file = pathToFileURL(path);
    const expected = [`${file.href}#a`, new URL('p', file).href, new URL('../b', file).href];
    await repo.load(path);
    expect(await first()).toEqual(expected);
    await repo.load(file, { replace: true });
    expect(await first()).toEqual(expected);
    // Beside the name in a folder: relative paths, and characters that IRIs escape.
    const odd = join(path, '../a b#c.ttl');
    await writeFile(odd, '<> <p> <people.ttl#a> .');
    await repo.load(relative('.', odd), { replace: true });
    expect(await first()).toEqual([pathToFileURL(odd).href, new URL('p', file).href, `${file.href}#a`]);
    await repo.load(path, { replace: true, baseIRI: 'http://e/x/y' });
    expect(await first()).toEqual(['http://e/x/y#a', 'http://e/x/p', 'http://e/b']);
    await expect(repo.load({ text: '<#a> <p> <../b> .' }, { format: 'ttl' })).rejects.toMatchObject({
      code: 'RDF_SYNTAX',
      message: expect.stringMatching(/^1:1: the IRI <#a> is relative, .* load it with a base \(baseIRI, --base\)$/),
    });
  });

  test('files that cannot be read', async () => {
    const repo = await repository();
    const path = await directory();
    const missing = join(path, 'missing.ttl');
    await expect(repo.load(missing)).rejects.toMatchObject({
      code: 'INPUT_NOT_FOUND',
      details: { file: missing },
    });
    await expect(repo.load(pathToFileURL(missing).href)).rejects.toMatchObject({
      code: 'INVALID_OPTION',
      message: expect.stringContaining("give a path, or new URL('file:"),
    });
    for (const text of ['A <urn:s> <urn:p> 1 .', '@prefix a: <urn:a> .\n', '{"@id": "urn:a"}', NT.repeat(100_000)]) {
      const calls = [() => repo.load(text), () => repo.patch(text), () => repo.sync.importHistory(text)];
      for (const read of calls) {
        const error = await Promise.resolve(read()).catch((reason: unknown) => reason as Error);
        expect(error).toMatchObject({
          code: 'INVALID_OPTION',
          message: expect.stringMatching(/^a string is the path of a file: give the text ".{1,80}" as \{ text: … \}$/),
        });
        expect(inspect(error).length).toBeLessThan(5000);
      }
    }
    await mkdir(join(path, 'folder.ttl'));
    await expect(repo.load(join(path, 'folder.ttl'))).rejects.toMatchObject({ code: 'INPUT_NOT_FOUND' });
  });
});

describe('formats', () => {
  test.each([
    ['a.nt', NT, 1],
    ['a.nq', NQ, 3],
    ['A.TTL', TTL, 1],
    ['a.trig', `${TTL} e:g { e:a e:p e:b }`, 2],
    ['a.ttl.gz', gzipSync(TTL), 1],
    // Not what its name says: the first bytes count.
    ['zipped.ttl', gzipSync(TTL), 1],
    ['plain.ttl.gz', TTL, 1],
    ['two-members.nt.gz', Buffer.concat([gzipSync(NT), gzipSync('<urn:a> <urn:b> <urn:c> .')]), 2],
    ['empty.nt', '', 0],
    ['bom.ttl', `\uFEFF${TTL}`, 1],
  ])('%s', async (name, content, size) => {
    const path = join(await directory(), name);
    await writeFile(path, content);
    const repo = await repository();
    await repo.load(path);
    expect(await repo.size()).toBe(size);
  });

  test('the option beats the name', async () => {
    const path = join(await directory(), 'a.nt');
    await writeFile(path, TTL);
    const repo = await repository();
    await expect(repo.load(path)).rejects.toMatchObject({ code: 'RDF_SYNTAX' });
    await repo.load(path, { format: 'text/turtle; charset=utf-8' });
    expect(await repo.size()).toBe(1);
  });

  test('unknown ones are refused', async () => {
    const path = join(await directory(), 'a.xyz');
    await writeFile(path, TTL);
    const repo = await repository();
    const refused = { code: 'INVALID_OPTION' };
    await expect(repo.load(path)).rejects.toMatchObject(refused);
    await expect(repo.load(path, { format: 'application/pdf' })).rejects.toMatchObject(refused);
    await expect(repo.load({ text: TTL })).rejects.toMatchObject(refused);
    await repo.load(path, { format: 'ttl' });
  });
});

describe('graph', () => {
  test.each<[string, string, LoadOptions['graph'], string[]]>([
    ['named', NT, ex('x'), ['a p b x']],
    ['blank', NT, blankNode('x'), ['a p b _:x']],
    ['default', NT, defaultGraph(), ['a p b']],
    ['named, graph names dropped', NQ, ex('x'), ['a p b x']],
    ['default, graph names dropped', NQ, defaultGraph(), ['a p b']],
    ['none', NQ, undefined, ['a p b', 'a p b g', 'a p b h']],
  ])('%s', async (_, text, graph, found) => {
    const repo = await repository();
    const revision = await repo.load({ text }, graph === undefined ? { format: 'nq' } : { format: 'nq', graph });
    expect(await lines(repo.quads())).toEqual(found);
    expect(revision.added).toBe(found.length);
  });

  test.each([literal('x'), iri('relative'), iri('http://e/a b'), 'http://e/g', blankNode('a b')])(
    '%o is refused',
    async (graph) => {
      const repo = await repository();
      await expect(
        repo.load({ text: NT }, { format: 'nt', graph: graph as unknown as RDF.NamedNode }),
      ).rejects.toMatchObject({ code: 'INVALID_TERM' });
      expect(await repo.size()).toBe(0);
    },
  );
});

describe('replace', () => {
  const BEFORE = ['x p y', 'a p b', 'x p y g', 'a p b g', 'x p y h'];
  test.each<[string, LoadOptions, string[], [number, number]]>([
    ['all', {}, ['a p b', 'a p b g', 'a p b h'], [1, 3]],
    ['a graph', { graph: ex('g') }, ['a p b', 'a p b g', 'x p y', 'x p y h'], [0, 1]],
    ['the default graph', { graph: defaultGraph() }, ['a p b', 'a p b g', 'x p y g', 'x p y h'], [0, 1]],
    ['a new graph', { graph: ex('n') }, [...BEFORE, 'a p b n'].toSorted(), [1, 0]],
  ])('%s', async (_, options, found, [added, removed]) => {
    const repo = await repository(...BEFORE);
    const revision = await repo.load({ text: NQ }, { ...options, format: 'nq', replace: true });
    expect(await lines(repo.quads())).toEqual(found.toSorted());
    expect(revision).toMatchObject({ number: 3, added, removed });
    expect(await repo.load({ text: NQ }, { ...options, format: 'nq', replace: true })).toEqual(revision);
    expect(await repo.at(2).size()).toBe(5);
    expect((await repo.maintenance.verify()).ok).toBe(true);
  });

  test('by nothing', async () => {
    const repo = await repository(...BEFORE);
    await repo.load({ text: '' }, { format: 'nt', replace: true });
    expect(await repo.size()).toBe(0);
  });
});

test('baseIRI resolves relative names', async () => {
  const repo = await repository();
  const text = '<a> <#p> <../b> .';
  await repo.load({ text }, { format: 'ttl', baseIRI: 'http://example.org/x/y' });
  const found = (await repo.quads().first())!;
  expect([found.subject.value, found.predicate.value, found.object.value]).toEqual([
    'http://example.org/x/a',
    'http://example.org/x/y#p',
    'http://example.org/b',
  ]);
  await expect(repo.load({ text }, { format: 'ttl' })).rejects.toMatchObject({ code: 'RDF_SYNTAX' });
  expect(await repo.size()).toBe(1);
});

describe('progress', () => {
  test.each([
    ['a file', triples(30_000), true],
    ['a gzipped file', gzipSync(triples(30_000)), true],
    ['a stream', triples(3000), false],
    ['an empty file', '', true],
  ])('of %s', async (_, content, known) => {
    const path = join(await directory(), 'a.nt');
    await writeFile(path, content);
    const repo = await repository();
    const told: (LoadProgress & { readonly head: number })[] = [];
    let head = 1;
    const onProgress = (progress: LoadProgress): void => void told.push({ ...progress, head });
    const source = known ? path : createReadStream(path);
    const timer = setInterval(() => void repo.revision().then((revision) => (head = revision.number)), 1);
    const revision = await repo.load(source, { format: 'nt', onProgress });
    clearInterval(timer);
    const last = told.at(-1)!;
    const total = Buffer.byteLength(content);
    expect(last).toMatchObject({ phase: 'done', fraction: 1, bytesRead: total, quads: revision.added });
    for (const [i, { fraction, bytesRead, bytesTotal, phase }] of told.entries()) {
      expect(bytesTotal).toBe(known && total > 0 ? total : undefined);
      if (phase === 'done') continue;
      if (bytesTotal === undefined) expect(fraction).toBeUndefined();
      else expect(fraction).toBeLessThan(1);
      const before = told[i - 1];
      expect(bytesRead).toBeGreaterThanOrEqual(before?.bytesRead ?? 0);
      expect(fraction ?? 0).toBeGreaterThanOrEqual(before?.fraction ?? 0);
    }
    const phases = ['reading', 'indexing', 'committing', 'done'];
    expect([...new Set(told.map(({ phase }) => phase))]).toEqual(phases);
  });

  test('bytesTotal gives a stream its fraction; one that is too small does no harm', async () => {
    const content = triples(2000);
    for (const bytesTotal of [content.length, 10]) {
      const told: LoadProgress[] = [];
      const repo = await repository();
      await repo.load(new Blob([content]).stream(), { format: 'nt', bytesTotal, onProgress: (p) => told.push(p) });
      expect(told.every(({ fraction, phase }) => (phase === 'done' ? fraction === 1 : fraction! < 1))).toBe(true);
    }
  });

  test('a callback that throws fails the call, after the commit', async () => {
    const repo = await repository();
    const onProgress = (): void => {
      throw new Error('mine');
    };
    await expect(repo.load({ text: NT }, { format: 'nt', onProgress })).rejects.toThrow('mine');
    expect(await repo.size()).toBe(1);
  });
});

describe('failures leave nothing', () => {
  test('a syntax error says where', async () => {
    const path = join(await directory(), 'bad.nt');
    await writeFile(path, `${triples(9000)}<urn:a> <urn:b> oops .\n`);
    const repo = await repository('a p b');
    await expect(repo.load(path)).rejects.toMatchObject({
      code: 'RDF_SYNTAX',
      source: path,
      line: 9001,
      column: 17,
      message: expect.stringContaining(`${path}:9001:17`) as unknown,
    });
    await expect(repo.load({ text: 'nonsense' }, { format: 'nt', sourceName: 'form' })).rejects.toMatchObject({
      source: 'form',
      line: 1,
    });
    await expect(repo.load({ text: TTL.slice(0, -3) }, { format: 'ttl' })).rejects.toMatchObject({
      code: 'RDF_SYNTAX',
      line: 1,
    });
    expect((await repo.revision()).number).toBe(2);
    expect(await repo.size()).toBe(1);
    expect(await repo.count({ subject: ex('s0') })).toBe(0);
    await repo.load({ text: triples(9000) }, { format: 'nt' });
    expect(await repo.size()).toBe(9001);
    expect((await repo.maintenance.verify()).ok).toBe(true);
  });

  test('a truncated gzip', async () => {
    const repo = await repository('a p b');
    const packed = gzipSync(triples(9000));
    await expect(repo.load(packed.subarray(0, packed.length - 100), { format: 'nt' })).rejects.toMatchObject({
      code: expect.any(String) as string,
    });
    expect(await repo.size()).toBe(1);
  });

  test('a stream that breaks', async () => {
    const repo = await repository('a p b');
    const broken = async function* (): AsyncGenerator<Uint8Array> {
      yield bytes(triples(9000));
      throw new Error('connection lost');
    };
    await expect(repo.load(broken(), { format: 'nt' })).rejects.toThrow('connection lost');
    const cancelled: unknown[] = [];
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(bytes('oops\n')),
      cancel: (reason) => void cancelled.push(reason),
    });
    await expect(repo.load(endless, { format: 'nt' })).rejects.toMatchObject({ code: 'RDF_SYNTAX' });
    expect(cancelled).toHaveLength(1);
    expect((await repo.revision()).number).toBe(2);
  });

  test('an aborted load', async () => {
    const repo = await repository('a p b');
    const abort = new AbortController();
    let chunks = 0;
    const endless = async function* (): AsyncGenerator<Uint8Array> {
      for (;;) {
        if (++chunks === 20) abort.abort();
        yield bytes(triples(100));
      }
    };
    const load = repo.load(endless(), { format: 'nt', signal: abort.signal });
    await expect(load).rejects.toMatchObject({ code: 'ABORTED' });
    await expect(
      repo.load({ text: NT }, { format: 'nt', signal: AbortSignal.abort(), replace: true }),
    ).rejects.toMatchObject({ code: 'ABORTED' });
    expect(await lines(repo.quads())).toEqual(['a p b']);
    expect((await repo.revision()).number).toBe(2);
    await repo.add(q('c p d'));
    expect((await repo.maintenance.verify()).ok).toBe(true);
  });
});

test('nothing of a load shows before its commit, and reads go on', async () => {
  const repo = await repository('a p b');
  const sizes = new Set<number>();
  const source = async function* (): AsyncGenerator<Uint8Array> {
    for (let i = 0; i < 20; i++) {
      yield bytes(triples(5000).replaceAll('org/s', `org/s${i}-`));
      sizes.add(await repo.size());
      if (i === 10) await repo.add(q('c p d'));
    }
  };
  expect(await repo.load(source(), { format: 'nt' })).toMatchObject({ number: 4, added: 100_000 });
  expect([...sizes].toSorted((a, b) => a - b)).toEqual([1, 2]);
});

describe('a source that is opened again', () => {
  /** Fails after so many bytes of each stream. */
  const failing = (
    text: string,
    each: number,
  ): { source: (offset: number) => AsyncIterable<Uint8Array>; asked: number[] } => {
    const all = bytes(text);
    const asked: number[] = [];
    async function* source(offset: number): AsyncGenerator<Uint8Array> {
      asked.push(offset);
      yield all.subarray(offset, Math.min(all.length, offset + each));
      if (offset + each < all.length) throw new Error('the connection was lost');
    }
    return { source, asked };
  };

  test('goes on where it has failed, as one revision', async () => {
    const repo = await repository();
    const { source, asked } = failing(triples(3), 100);
    const revision = await repo.load(source, { format: 'nt' });
    expect(revision).toMatchObject({ number: 2, added: 3 });
    expect(asked.length).toBeGreaterThan(1);
    expect(asked).toEqual(asked.map((_, i) => i * 100));
    const packed = gzipSync(triples(50));
    const parts = (offset: number): AsyncIterable<Uint8Array> =>
      (async function* () {
        yield packed.subarray(offset, offset + 40);
        if (offset + 40 < packed.length) throw new Error('lost');
      })();
    expect(await repo.load(parts, { format: 'nt', replace: true })).toMatchObject({ number: 3, size: 50 });
  });

  test('is given up after six failures without a byte, and nothing is kept', async () => {
    const repo = await repository();
    let opened = 0;
    const never = (): AsyncIterable<Uint8Array> => {
      opened++;
      throw new Error('no route to the host');
    };
    await expect(repo.load(never, { format: 'nt' })).rejects.toThrow('no route to the host');
    expect([opened, (await repo.revision()).number]).toEqual([6, 1]);
  });
});

describe('a short document in memory is loaded as the same document from a stream is', () => {
  const LABELS = '_:a <urn:p> _:b . _:b <urn:p> _:a . <urn:s> <urn:p> _:é, "x"@en, 1 . <urn:s> <urn:p> "x"@en .';
  const RDF_12 = '<urn:s> <urn:p> <<( <urn:a> <urn:b> "c"@en--ltr )>> .';
  /** Labels are others in each load: they are counted in the order in which they come. */
  const loaded = async (source: LoadSource, options: LoadOptions): Promise<unknown> => {
    const repo = await repository();
    const given = await repo.load(source, options).catch((error: unknown) => error as Error & { code: string });
    const lines = await repo.dump('application/n-quads').toArray();
    const text = lines.join('');
    const shapes = text
      .split('\n')
      .map((line) => line.replace(/_:\w+/g, '_:'))
      .toSorted();
    return [shapes, new Set(text.match(/_:\w+/g)).size, 'code' in given ? [given.code, given.message] : given.added];
  };

  test.each<[string, string, LoadOptions]>([
    ['Turtle', `${TTL} ${LABELS}`, { format: 'ttl', message: 'why' }],
    ['N-Quads', NQ + NQ, { format: 'nq' }],
    ['a graph for all', NQ, { format: 'nq', graph: iri('urn:g') }],
    ['TriG with a base', '<#a> { <> <p> "o" }', { format: 'trig', baseIRI: 'http://h/d' }],
    ['a triple term', RDF_12, { format: 'ttl' }],
    ['nothing', '', { format: 'nt' }],
    ['a fault in its second line', `${NT}<urn:s> <urn:p> .`, { format: 'nt', sourceName: 'mine' }],
    ['another format', '<?xml version="1.0"?><a/>', { format: 'ttl' }],
    ['more bytes than it may have', NT, { format: 'nt', maxBytes: 10 }],
    ['a signal that is aborted', NT, { format: 'nt', signal: AbortSignal.abort() }],
    ['a revision that is not there', NT, { format: 'nt', ifRevision: 99 }],
  ])('%s', async (_, text, options) => {
    expect(await loaded({ text }, options)).toEqual(await loaded(new Blob([text]).stream(), options));
  });

  test('the blank nodes of a document are its own', async () => {
    expect(await loaded({ text: LABELS }, { format: 'ttl' })).toEqual([
      [
        '',
        '<urn:s> <urn:p> "1"^^<http://www.w3.org/2001/XMLSchema#integer> .',
        '<urn:s> <urn:p> "x"@en .',
        '<urn:s> <urn:p> _: .',
        '_: <urn:p> _: .',
        '_: <urn:p> _: .',
      ],
      3,
      5,
    ]);
  });
});
