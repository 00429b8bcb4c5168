/** quadstore over LevelDB. Comunica answers its queries if quadstore-comunica is installed. */
import type * as RDF from '@rdfjs/types';
import type { Quadstore } from 'quadstore';
import type { ComunicaEngine } from './comunica.js';
import { runComunica } from './comunica.js';
import { installed, versionOf } from './installed.js';
import type { OpenStore, StoreKind } from './store.js';
import { consumed, parsedFile } from './streams.js';

const BATCH_QUADS = 1000;

export const QUADSTORE: StoreKind = {
  name: 'quadstore',
  title: 'quadstore over LevelDB',
  role: 'peer',
  persistent: true,
  phases: ['load', 'read', 'write', 'queries'],
  packages: ['quadstore', 'classic-level', 'n3'],
  read: "getStream(), asynchronous: 'data' events",
  note: 'Commits of several quads are batches of LevelDB; none is synced to disk. Queries by quadstore-comunica.',
  open: openStore,
};

async function openStore(directory: string): Promise<OpenStore> {
  const store = await openQuadstore(directory);
  const visit = async (pattern: object, see: (quad: RDF.Quad) => void): Promise<void> => {
    await consumed((await store.getStream(pattern)).iterator as never, see as never);
  };
  const run = versionOf('quadstore-comunica') === undefined ? undefined : await queryRunner(store);
  return {
    load: (file) => loadQuadstore(store, file),
    size: async () => consumed((await store.getStream({})).iterator as never),
    scan: (see) => visit({}, see),
    lookup: (subject, see) => visit({ subject }, see),
    match: (subject) => store.match(subject) as never,
    add: async (quads) => {
      if (quads.length === 1) await store.put(quads[0]!);
      else await store.multiPut([...quads]);
    },
    ...(run === undefined ? {} : { run }),
    close: () => store.close(),
  };
}

async function queryRunner(store: Quadstore): Promise<NonNullable<OpenStore['run']>> {
  const { Engine } = await installed<{ Engine: new (store: Quadstore) => ComunicaEngine }>('quadstore-comunica');
  const engine = new Engine(store);
  return (text, digest) => runComunica(engine, text, digest);
}

export async function openQuadstore(path: string): Promise<Quadstore> {
  const { Quadstore } = await installed<typeof import('quadstore')>('quadstore');
  const { ClassicLevel } = await installed<typeof import('classic-level')>('classic-level');
  const { DataFactory } = await installed<typeof import('n3')>('n3');
  // The types of the two packages contradict each other. quadstore's README opens the store like this.
  const backend = new ClassicLevel(path) as unknown as ConstructorParameters<typeof Quadstore>[0]['backend'];
  const store = new Quadstore({ backend, dataFactory: DataFactory });
  await store.open();
  return store;
}

/** Loads as in quadstore's README: n3's streaming parser into putStream. The batches are not synced to disk. */
export async function loadQuadstore(store: Quadstore, file: string): Promise<void> {
  const { StreamParser } = await installed<typeof import('n3')>('n3');
  await store.putStream(parsedFile(new StreamParser({ format: 'application/n-quads' }), file), {
    batchSize: BATCH_QUADS,
  });
}
