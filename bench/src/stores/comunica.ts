/** Comunica over rdf-stores in memory, used as in its documentation. quadstore's engine is called in the same way. */
import type * as RDF from '@rdfjs/types';
import type { RdfStore } from 'rdf-stores';
import type { AnswerDigest } from '../sparql/answer.js';
import { comparableText, quadRow } from '../sparql/answer.js';
import { installed } from './installed.js';
import { formOf } from './query-form.js';
import { openRdfStore } from './rdf-stores-store.js';
import type { StoreKind } from './store.js';
import { consumed } from './streams.js';
import type { Stream } from './streams.js';

type Bindings = Iterable<readonly [RDF.Variable, RDF.Term]>;
/** The part of both engines that is used here. */
export interface ComunicaEngine {
  queryBindings(text: string): Promise<Stream<Bindings>>;
  queryQuads(text: string): Promise<Stream<RDF.Quad>>;
  queryBoolean(text: string): Promise<boolean>;
}

const COMUNICA_PACKAGE = '@comunica/query-sparql-rdfjs';

export const COMUNICA: StoreKind = {
  name: 'comunica',
  title: 'Comunica over rdf-stores, in memory',
  role: 'peer',
  persistent: false,
  phases: ['queries'],
  packages: [COMUNICA_PACKAGE, 'rdf-stores', 'n3'],
  open: async () => {
    const { store, opened } = await openRdfStore();
    const engine = await comunicaOver(store);
    return { ...opened, run: (text, digest) => runComunica(engine, text, digest) };
  },
};

async function comunicaOver(store: RdfStore): Promise<ComunicaEngine> {
  const { QueryEngine } = await installed<typeof import('@comunica/query-sparql-rdfjs')>(COMUNICA_PACKAGE);
  const engine = new QueryEngine();
  const sources = { sources: [store] as [RdfStore] };
  // Each package has its own types of RDF/JS.
  return {
    queryBindings: async (text) => (await engine.queryBindings(text, sources)) as unknown as Stream<Bindings>,
    queryQuads: async (text) => (await engine.queryQuads(text, sources)) as unknown as Stream<RDF.Quad>,
    queryBoolean: (text) => engine.queryBoolean(text, sources),
  };
}

export async function runComunica(engine: ComunicaEngine, text: string, digest?: AnswerDigest): Promise<number> {
  const form = formOf(text);
  if (form === 'ASK') return (await engine.queryBoolean(text)) ? 1 : 0;
  if (form === 'SELECT') {
    return consumed(await engine.queryBindings(text), (bindings) => {
      digest?.add(Array.from(bindings, ([variable, term]) => [variable.value, comparableText(term)]));
    });
  }
  return consumed(await engine.queryQuads(text), (quad) => digest?.add(quadRow(quad)));
}
