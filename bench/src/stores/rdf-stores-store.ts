/** rdf-stores, in memory: the store that Comunica's authors recommend. */
import type * as RDF from '@rdfjs/types';
import type { RdfStore } from 'rdf-stores';
import { installed } from './installed.js';
import type { OpenStore, StoreKind, Visit } from './store.js';
import { consumed, parsedFile } from './streams.js';

export const RDF_STORES: StoreKind = {
  name: 'rdf-stores',
  title: 'rdf-stores, in memory',
  role: 'peer',
  persistent: false,
  phases: ['load', 'read', 'write'],
  packages: ['rdf-stores', 'n3'],
  read: 'readQuads(), a synchronous generator',
  note: 'A commit is a call for each quad: it is not atomic, and nothing is stored on disk.',
  open: async () => (await openRdfStore()).opened,
};

/** Opens an empty store. */
export async function openRdfStore(): Promise<{ store: RdfStore; opened: OpenStore }> {
  const { RdfStore } = await installed<typeof import('rdf-stores')>('rdf-stores');
  const store = RdfStore.createDefault();
  const read = async (subject: RDF.NamedNode | undefined, visit: Visit): Promise<void> => {
    for (const quad of store.readQuads(subject)) visit(quad);
  };
  const opened: OpenStore = {
    load: async (file) => {
      const { StreamParser } = await installed<typeof import('n3')>('n3');
      const quads = parsedFile(new StreamParser({ format: 'application/n-quads' }), file);
      await consumed(store.import(quads) as never);
    },
    size: async () => store.size,
    scan: (visit) => read(undefined, visit),
    lookup: read,
    match: (subject) => store.match(subject) as never,
    add: async (quads) => {
      for (const quad of quads) store.addQuad(quad);
    },
    close: async () => {},
  };
  return { store, opened };
}
