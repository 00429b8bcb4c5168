/** Loads parsed in a thread are what they are without one. A thread runs built JavaScript: build first. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { createDefaultRegistry, openParser, QuadCollector } from '@quadrille/formats';
import type { AsyncParserOptions } from '@quadrille/formats';
import { registerExtraFormats } from '@quadrille/formats-extra';
import { dataFactory as factory, literal, quad, termToText } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import type { LoadOptions } from 'quadrille';
import { afterEach, describe, expect, it } from 'vitest';
import { RecordingSink, Replay } from '../../packages/formats/src/worker/recording.js';
import { SentTerms } from '../../packages/formats/src/worker/sent-terms.js';
import { describeSuite, readManifest, W3C_FOLDER } from '../w3c/manifest.js';

type Library = typeof import('quadrille');
type LoadParser = typeof import('../../packages/quadrille/src/load/parser.js');
const built = (path: string): Promise<unknown> => import(resolve(import.meta.dirname, '../../packages', path));
const { formats, open } = (await built('quadrille/dist/index.js')) as Library;
const { threads } = (await built('quadrille/dist/load-parser.js')) as LoadParser;
((await built('formats-extra/dist/index.js')) as typeof import('@quadrille/formats-extra')).registerExtraFormats(
  formats,
);
const registry = createDefaultRegistry();
registerExtraFormats(registry);

const usual = threads.fromBytes;
afterEach(() => {
  threads.fromBytes = usual;
});

const lines = (quads: readonly RDF.Quad[]): string[] =>
  quads.map((one) => [one.subject, one.predicate, one.object, one.graph].map(termToText).join(' ').trimEnd());

const values = Array.from({ length: 30_000 }, (_, i) =>
  quad(
    i % 7 === 0 ? factory.blankNode(`b${i % 500}`) : factory.namedNode(`http://e/s${i >> 2}`),
    factory.namedNode(`http://e/p${i % 30}`),
    i % 5 === 0
      ? factory.namedNode(`http://e/s${i % 900}`)
      : literal(`é😀 "${i % 4000}"`, i % 3 === 0 ? 'en' : undefined),
  ),
);

function written(format: string): string {
  const serializer = registry.find(format).createSerializer!({ prefixes: { e: 'http://e/' } });
  return serializer.write(values) + serializer.end();
}

type Options = LoadOptions;

/** What a load leaves, or how it fails; by labels as the document has them. */
async function loaded(text: string, options: Options, inThread: boolean): Promise<unknown> {
  threads.fromBytes = inThread ? 0 : Infinity;
  const database = await open(':memory:');
  try {
    const repository = await database.repository('a/b', { create: true });
    await repository.load({ text }, options);
    const serializer = registry.find('nq').createSerializer!();
    const quads: RDF.Quad[] = [];
    for await (const one of repository.quads()) quads.push(one);
    return relabelled(serializer.write(quads)).sort();
  } catch (error) {
    const { name, code, message, reason, source, line, column } = error as Record<string, unknown>;
    return { name, code, message, reason, source, line, column, left: await size(database) };
  } finally {
    await database.close();
  }
}

const size = async (database: Awaited<ReturnType<Library['open']>>): Promise<number> =>
  (await database.repository('a/b')).size();

// Labels of a repository begin with what no other load has.
const relabelled = (text: string): string[] => text.replaceAll(/_:[A-Za-z0-9]+?x?(?=\d+ )/g, '_:b').split('\n');

describe('a load in a thread', () => {
  it.each(['ttl', 'trig', 'rdf', 'jsonld', 'trix', 'rj', 'n3'])('has the same quads: %s', async (format) => {
    const text = written(format);
    const here = (await loaded(text, { format }, false)) as string[];
    expect(here.length).toBeGreaterThan(20_000);
    expect(await loaded(text, { format }, true)).toEqual(here);
  });

  it.each([
    ['ttl', ' .\n', '_:b1 e:p "in a prefix" . [ e:p _:b1 ] e:q ( 1 ) .\n', ' e:s e:p x:o .'],
    ['rdf', '</rdf:Description>\n', '<rdf:Description e:p="x"><e:q rdf:nodeID="b1"/></rdf:Description>\n', ' <x:y/>'],
  ])('has the same quads where the thread gets what is behind plain %s', async (format, end, odd, wrong) => {
    const text = written(format);
    const at = text.indexOf(end, text.length >> 1) + end.length;
    const mixed = text.slice(0, at) + odd + text.slice(at);
    const here = (await loaded(mixed, { format }, false)) as string[];
    expect(here.length).toBeGreaterThan(20_000);
    expect(await loaded(mixed, { format }, true)).toEqual(here);
    const last = mixed.lastIndexOf(end) + end.length;
    const fault = await loaded(mixed.slice(0, last) + wrong + mixed.slice(last), { format }, false);
    expect(fault).toMatchObject({ left: 0, line: mixed.slice(0, last).split('\n').length });
    expect(await loaded(mixed.slice(0, last) + wrong + mixed.slice(last), { format }, true)).toEqual(fault);
  });

  it.each([
    ['ttl', '@prefix e: <http://e/> .\ne:s e:p e:o .\ne:s e:p x:o .'],
    ['ttl', '<http://e/s> <http://e/p> <relative> .'],
    ['ttl', '<http://e/s> <http://e/p> "no end'],
    ['trig', '<http://e/g> { <http://e/s> <http://e/p> }'],
    ['rdf', '<a>\n<b/></c>'],
    ['jsonld', '{"a": \n,}'],
    ['jsonld', '{"@context": "http://e/context", "p": 1}'],
  ])('fails in the same way: %s %s', async (format, text) => {
    const options = { format, sourceName: 'the document' };
    const here = await loaded(text, options, false);
    expect(here).toMatchObject({ left: 0 });
    expect(await loaded(text, options, true)).toEqual(here);
  });

  it('fails at the first thing that is wrong: a term that is too long, before what cannot be read', async () => {
    const text = `<http://e/s> <http://e/${'p'.repeat(70_000)}> "" .\n x`;
    const here = await loaded(text, { format: 'ttl' }, false);
    expect(here).toMatchObject({ left: 0 });
    expect(await loaded(text, { format: 'ttl' }, true)).toEqual(here);
  });

  it('resolves against the base, and asks for contexts', async () => {
    const loadDocument = async (url: string): Promise<string> => `{"@context": {"p": "${url}#p"}}`;
    const text = '{"@context": "http://e/context", "@id": "x", "p": 1}';
    const options = { format: 'jsonld', baseIRI: 'http://base/', loadDocument };
    expect(await loaded(text, options, true)).toEqual(await loaded(text, options, false));
    const failure = new Error('not to be had');
    threads.fromBytes = 0;
    const database = await open(':memory:');
    const repository = await database.repository('a/b', { create: true });
    const refuse = (): Promise<never> => Promise.reject(failure);
    await expect(repository.load({ text }, { ...options, loadDocument: refuse })).rejects.toMatchObject({
      cause: failure,
    });
    await database.close();
  });

  it.each<[string, NonNullable<Options>['jsonLd']]>([
    ['{"@id": "urn:s", "urn:p": {"@value": "x", "@direction": "rtl"}}', { rdfDirection: 'i18n-datatype' }],
    ['{"@id": "urn:s", "urn:p": {"@value": "x", "@direction": "rtl"}}', { rdfDirection: 'compound-literal' }],
    ['{"@id": "urn:s", "p": "x"}', { expandContext: { p: 'urn:p' } }],
    ['{"@context": {"@version": 1.1}, "@id": "urn:s", "urn:p": "x"}', { processingMode: 'json-ld-1.0' }],
  ])('has the options of JSON-LD: %s %j', async (text, jsonLd) => {
    const options = { format: 'jsonld', jsonLd: jsonLd! };
    const here = await loaded(text, options, false);
    expect(await loaded(text, options, true)).toEqual(here);
    expect(here).not.toEqual(await loaded(text, { format: 'jsonld' }, false));
  });

  it('ends with its signal and leaves nothing', async () => {
    threads.fromBytes = 0;
    const database = await open(':memory:');
    const repository = await database.repository('a/b', { create: true });
    const abort = new AbortController();
    const bytes = new TextEncoder().encode('[] <http://e/p> 1, 2, 3, 4, 5, 6, 7, 8 .\n'.repeat(20_000));
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (let i = 0; ; i++) {
        if (i === 3) abort.abort();
        yield bytes;
      }
    }
    const load = repository.load(endless(), { format: 'ttl', signal: abort.signal });
    await expect(load).rejects.toMatchObject({ code: 'ABORTED' });
    expect(await repository.size()).toBe(0);
    await database.close();
  });

  it('keeps no process alive', async () => {
    const program = `
      const { open } = await import('quadrille');
      const repository = await (await open(':memory:')).repository('a/b', { create: true });
      await repository.load({ text: '[] <a:p> 1 .' + '<a:s> <a:p> <a:o> .\\n'.repeat(60_000) }, { format: 'ttl' });
      await repository.load({ text: '[] <a:p> 1 .' + '<a:s> <a:p> <a:o> .\\n'.repeat(60_000) + 'x' }, { format: 'ttl' }).catch(() => undefined);
      console.log(await repository.size());`;
    const run = promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
      cwd: resolve(import.meta.dirname, '..'),
      timeout: 25_000,
    });
    expect((await run).stdout).toBe('2\n');
  });
});

/** The quads of a document, straight or by way of the batches that cross from thread to thread. */
async function quadsOf(file: string, bytes: Uint8Array, options: Omit<AsyncParserOptions, 'sink'>, recorded: boolean) {
  const sink = new QuadCollector();
  const replay = new Replay(sink);
  const recording = new RecordingSink((batch) => replay.play(batch));
  const { format } = registry.byExtension(file);
  const parser = await openParser(format, { ...options, sink: recorded ? recording : sink });
  try {
    await parser.push(bytes);
    await parser.end();
    return lines(sink.take()).concat(((recording.flush(), sink.take()) as RDF.Quad[]).map((one) => lines([one])[0]!));
  } catch (error) {
    return String(error);
  }
}

it.each([
  [1 << 18, 1 << 25],
  [1, 1000],
  [16, 1 << 20],
  [1 << 18, 2000],
])('a table of at most %i terms and %i bytes is begun anew when it is full', async (terms, length) => {
  const sink = new QuadCollector();
  const replay = new Replay(sink);
  const recording = new RecordingSink((batch) => replay.play(batch), new SentTerms(terms, length));
  const parser = await openParser(registry.find('ttl'), { sink: recording });
  await parser.push(new TextEncoder().encode(written('ttl')));
  await parser.end();
  recording.flush();
  expect(lines(sink.take())).toEqual(lines(values));
});

describeSuite('batches of the W3C documents', W3C_FOLDER, () => {
  it.each(['turtle', 'trig', 'rdf-xml'])('are what was parsed: %s', async (suite) => {
    for (const version of ['rdf11', 'rdf12']) {
      const tests = readManifest(resolve(W3C_FOLDER, version, `rdf-${suite.replace('rdf-', '')}/manifest.ttl`));
      for (const { action, base } of tests) {
        const bytes = readFileSync(action);
        const straight = await quadsOf(action, bytes, { baseIRI: base }, false);
        expect(await quadsOf(action, bytes, { baseIRI: base }, true), action).toEqual(straight);
      }
    }
  });
});
