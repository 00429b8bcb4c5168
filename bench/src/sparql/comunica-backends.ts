/** Comunica over quadstore on LevelDB, and over rdf-stores in memory, as their READMEs show. */
import { createReadStream } from 'node:fs';
import { QueryEngine } from '@comunica/query-sparql-rdfjs';
import type * as RDF from '@rdfjs/types';
import { StreamParser } from 'n3';
import { Engine } from 'quadstore-comunica';
import { RdfStore } from 'rdf-stores';
import { BSBM_QUADS, checkCount } from '../data-sets.js';
import { openQuadstore } from '../peers.js';
import type { Context } from '../workload.js';
import { pathOf } from '../workload.js';
import type { AnswerDigest } from './answer.js';
import { quadValues } from './answer.js';
import type { QueryBackend } from './backend.js';

type Bindings = Iterable<readonly [RDF.Variable, RDF.Term]>;
/** As much of both engines as is used here. */
interface Stream<T> {
  on(event: 'data', listener: (item: T) => void): unknown;
  on(event: 'end', listener: () => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
}
interface ComunicaEngine {
  queryBindings(text: string): Promise<Stream<Bindings>>;
  queryQuads(text: string): Promise<Stream<RDF.Quad>>;
}

export async function openQuadstoreComunica(context: Context): Promise<QueryBackend> {
  const store = await openQuadstore(pathOf(context, 'quadstore-1m'));
  // Each package has types of RDF/JS of its own.
  const engine = new Engine(store as never) as unknown as ComunicaEngine;
  return { run: (text, digest) => run(engine, text, digest), close: () => store.close() };
}

export async function openComunicaRdfStores(context: Context): Promise<QueryBackend> {
  const store = await loadRdfStore(pathOf(context, 'bsbm-1m'));
  const engine = new QueryEngine();
  const sources = { sources: [store] as [RdfStore] };
  const bound: ComunicaEngine = {
    queryBindings: async (text) => (await engine.queryBindings(text, sources)) as unknown as Stream<Bindings>,
    queryQuads: async (text) => (await engine.queryQuads(text, sources)) as unknown as Stream<RDF.Quad>,
  };
  return { run: (text, digest) => run(bound, text, digest), close: async () => {} };
}

export async function loadRdfStore(file: string): Promise<RdfStore> {
  const store = RdfStore.createDefault();
  const parser = new StreamParser({ format: 'application/n-triples' });
  const source = createReadStream(file);
  source.on('error', (error) => parser.destroy(error));
  await consumed(store.import(source.pipe(parser)) as unknown as Stream<never>);
  checkCount('rdf-stores', store.size, BSBM_QUADS['bsbm-1m']);
  return store;
}

async function run(engine: ComunicaEngine, text: string, digest?: AnswerDigest): Promise<number> {
  if (/\b(?:CONSTRUCT|DESCRIBE)\b/.test(text)) {
    return consumed(await engine.queryQuads(text), (quad) => digest?.add(quadValues(quad)));
  }
  return consumed(await engine.queryBindings(text), (bindings) => {
    digest?.add(Array.from(bindings, ([variable, term]) => [variable.value, term.value]));
  });
}

function consumed<T>(stream: Stream<T>, visit?: (item: T) => void): Promise<number> {
  return new Promise((resolve, reject) => {
    let items = 0;
    stream.on('data', (item) => {
      items++;
      visit?.(item);
    });
    stream.on('end', () => resolve(items));
    stream.on('error', reject);
  });
}
