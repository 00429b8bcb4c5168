/** The store of the package n3, in memory. */
import type { Store } from 'n3';
import { installed } from './installed.js';
import type { OpenStore, StoreKind } from './store.js';
import { consumed, parsedFile } from './streams.js';

export const N3_STORE: StoreKind = {
  name: 'n3',
  title: 'N3.Store, in memory',
  role: 'peer',
  persistent: false,
  phases: ['load', 'read', 'write'],
  packages: ['n3'],
  read: 'its synchronous iterator, getQuads()',
  note: 'A commit is a call for each quad: it is not atomic, and nothing is stored on disk.',
  open: async () => (await openN3Store()).opened,
};

/** Opens an empty store. */
export async function openN3Store(): Promise<{ store: Store; opened: OpenStore }> {
  const { Store: N3Store, StreamParser } = await installed<typeof import('n3')>('n3');
  const store = new N3Store();
  const opened: OpenStore = {
    load: async (file) => {
      const quads = parsedFile(new StreamParser({ format: 'application/n-quads' }), file);
      await consumed(store.import(quads) as never);
    },
    size: async () => store.size,
    scan: async (visit) => {
      for (const quad of store) visit(quad);
    },
    lookup: async (subject, visit) => store.getQuads(subject, null, null, null).forEach(visit),
    match: (subject) => store.match(subject as never) as never,
    add: async (quads) => {
      for (const quad of quads) store.addQuad(quad as never);
    },
    close: async () => {},
  };
  return { store, opened };
}
