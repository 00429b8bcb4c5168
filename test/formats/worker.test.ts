/** Parsing in a thread. A thread runs built JavaScript: build first. */
import { dataFactory as factory, literal, quad, termToText } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import { describe, expect, it } from 'vitest';
import { createDefaultRegistry, QuadCollector } from '@quadrille/formats';
import { registerExtraFormats } from '@quadrille/formats-extra';
import type { WorkerParserOptions } from '../../packages/formats-extra/src/worker/index.js';

const BUILT = '../../packages/formats-extra/dist/worker.js';
const { parseInWorker, WorkerParser } = (await import(
  BUILT
)) as typeof import('../../packages/formats-extra/src/worker/index.js');

type Options = Omit<WorkerParserOptions, 'sink'>;

async function* chunked(text: string, size = 60_000): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function parse(text: string, options: Options): Promise<RDF.Quad[]> {
  const sink = new QuadCollector();
  await parseInWorker(chunked(text), { source: 'doc', sink, ...options });
  return sink.take();
}

const lines = (quads: readonly RDF.Quad[]): string[] =>
  quads.map((one) => [one.subject, one.predicate, one.object, one.graph].map(termToText).join(' ').trimEnd());

describe('what is read', () => {
  const values = Array.from({ length: 20_000 }, (_, i) => {
    const subject = i % 3 === 0 ? factory.blankNode(`b${i % 50}`) : factory.namedNode(`http://e/s${i}`);
    return quad(
      subject,
      factory.namedNode('http://e/p'),
      literal(`é😀 ${i}`),
      i % 2 === 0 ? factory.namedNode('http://e/g') : factory.defaultGraph(),
    );
  });
  const registry = createDefaultRegistry();
  registerExtraFormats(registry);

  it.each(['application/ld+json', 'TriX', 'trig'])('is the same as without a thread: %s', async (format) => {
    const serializer = registry.find(format).createSerializer!();
    const text = serializer.write(values) + serializer.end();
    expect(lines(await parse(text, { format })).sort()).toEqual(lines(values).sort());
  });

  it('has triple terms', async () => {
    const text = '<a:s> <a:p> <<( <a:s> <a:p> <<( _:b <a:p> "x"@en--ltr )>> )>> .';
    expect(lines(await parse(text, { format: 'nt' }))).toEqual([text.slice(0, -2)]);
  });

  it('asks this thread for contexts', async () => {
    const text = '{"@context": "http://e/context", "@id": "http://e/s", "p": 1}';
    const loadDocument = async (url: string): Promise<string> => `{"@context": {"p": "${url}#p"}}`;
    expect(await parse(text, { format: 'jsonld', loadDocument })).toHaveLength(1);
    await expect(parse(text, { format: 'jsonld' })).rejects.toMatchObject({ code: 'URL_NOT_ALLOWED' });
    const failure = new Error('not there');
    const failing = (): Promise<string> => Promise.reject(failure);
    await expect(parse(text, { format: 'jsonld', loadDocument: failing })).rejects.toMatchObject({
      code: 'FETCH_FAILED',
      details: { address: 'http://e/context' },
      cause: failure,
    });
  });

  it('waits for a slow receiver', async () => {
    const serializer = registry.find('nq').createSerializer!();
    const text = serializer.write(values) + serializer.end();
    const sink = new QuadCollector();
    let [batches, largest] = [0, 0];
    const onBatch = async (): Promise<void> => {
      batches++;
      largest = Math.max(largest, sink.take().length);
      await new Promise((resolve) => setTimeout(resolve, 20));
    };
    await parseInWorker(chunked(text, 1_000_000), { format: 'nq', sink, onBatch, timeoutMs: 5000, timeoutMsPerMb: 0 });
    expect(batches).toBeGreaterThan(3);
    expect(largest).toBeLessThan(values.length / 2);
  });
});

describe('what goes wrong', () => {
  it('is an error of the document, with its place', async () => {
    await expect(parse('<a:s> <a:p> <a:o> .\n<a:s> x', { format: 'ttl' })).rejects.toMatchObject({
      name: 'ParseError',
      code: 'RDF_SYNTAX',
      source: 'doc',
      line: 2,
    });
  });

  it('is a document that takes too long', async () => {
    const deep = `{"http://e/p": ${'[1, '.repeat(60)}1${']'.repeat(60)}}, `;
    const start = performance.now();
    const slow = parse(`[${deep.repeat(100_000)}1]`, { format: 'jsonld', timeoutMs: 300, timeoutMsPerMb: 0 });
    await expect(slow).rejects.toMatchObject({ code: 'RDF_SYNTAX', reason: 'parsing takes longer than 1 s' });
    expect(performance.now() - start).toBeLessThan(5000);
  });

  it('is a document that needs too much memory', async () => {
    const context = `{"p": "http://e/${'x'.repeat(8000)}/"}`;
    const members = Array.from({ length: 20_000 }, (_, i) => `"p:a${i}": {"@id": "p:b${i}"}`);
    const text = `{"@context": ${context}, ${members.join()}}`;
    const large = parse(text, { format: 'jsonld', maxMemoryMb: 64, timeoutMs: 80_000 });
    await expect(large).rejects.toMatchObject({ code: 'RDF_SYNTAX', reason: 'parsing needs more than 64 MB' });
  });

  it('is a document that is too long for the memory', async () => {
    const text = `{"http://e/p": "${'x'.repeat(3_000_000)}"}`;
    const large = parse(text, { format: 'jsonld', maxMemoryMb: 64 });
    await expect(large).rejects.toMatchObject({ code: 'RDF_SYNTAX', reason: 'longer than 2097152 bytes' });
    const literal = parse(`<a:s> <a:p> "${'x'.repeat(3_000_000)}" .`, { format: 'nt', maxMemoryMb: 64 });
    await expect(literal).rejects.toMatchObject({ reason: 'the term is longer than 2097152 bytes' });
  });

  it('is a signal', async () => {
    const abort = new AbortController();
    const onBatch = (): void => abort.abort(new Error('enough'));
    const text = '<a:s> <a:p> <a:o> .\n'.repeat(100_000);
    await expect(parse(text, { format: 'nt', signal: abort.signal, onBatch })).rejects.toThrow('enough');
    await expect(parse(text, { format: 'nt', signal: abort.signal })).rejects.toThrow('enough');
  });

  it('is a sink that fails', async () => {
    const failure = new Error('the sink is full');
    const fail = (): never => {
      throw failure;
    };
    const sink = { term: () => 2, blankNode: () => 2, tripleTerm: () => 2, quad: fail };
    await expect(parseInWorker(chunked('<a:s> <a:p> <a:o> .'), { format: 'nt', sink })).rejects.toBe(failure);
  });

  it('is a format that nobody knows', async () => {
    await expect(parse('', { format: 'pdf' })).rejects.toThrow(/unknown format/);
  });

  it('does not keep a closed parser alive', async () => {
    const parser = new WorkerParser({ format: 'rdf', sink: new QuadCollector() });
    await parser.push(new TextEncoder().encode('<a'));
    await parser.close();
    await expect(parser.push(new Uint8Array(1))).rejects.toMatchObject({ code: 'ABORTED' });
  });
});
