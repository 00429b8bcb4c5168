/**
 * Measures each call that changes many quads, in a repository of its own: how long it holds the event loop, and its
 * time.
 */
import { once } from 'node:events';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type * as RDF from '@rdfjs/types';
import { asStore, open } from 'quadrille';
import type { Repository } from 'quadrille';
import { checkCount, REPOSITORY } from '../data-sets.js';
import type { Figures } from '../workload.js';
import type { Watched } from './watched.js';
import { manyQuads, PROPERTY, writeQuads } from './many-quads.js';
import { loadEngine, watched } from './watched.js';

interface Change {
  /** Whether the repository holds the quads before the call. */
  readonly onFull?: boolean;
  /** Number of quads afterwards, as a multiple of the input. */
  readonly left: 0 | 1 | 2;
  make(name: string, repository: Repository, input: Input): Promise<Watched<unknown>>;
}

interface Input {
  readonly quads: readonly RDF.Quad[];
  /** The same quads as an N-Triples file. */
  readonly file: string;
}

/** The measured calls by name. */
export const CHANGES = {
  add: {
    left: 1,
    make: (name, repository, { quads }) => watched(name, () => repository.add(quads)),
  },
  import: {
    left: 1,
    make: (name, repository, { quads }) =>
      watched(name, () =>
        once(asStore(repository).import(Readable.from(quads) as unknown as RDF.Stream<RDF.Quad>), 'end'),
      ),
  },
  remove: {
    onFull: true,
    left: 0,
    make: (name, repository, { quads }) => watched(name, () => repository.remove(quads)),
  },
  transaction: {
    left: 1,
    make: (name, repository, { quads }) =>
      watched(name, () => repository.transaction((transaction) => transaction.add(quads))),
  },
  'transaction that reads': {
    onFull: true,
    left: 0,
    make: (name, repository, { quads }) =>
      watched(name, () =>
        repository.transaction(async (transaction) => {
          checkCount(name, await transaction.size(), quads.length);
          await transaction.remove(quads);
        }),
      ),
  },
  revert: {
    onFull: true,
    left: 0,
    make: (name, repository) => watched(name, () => repository.revert('HEAD')),
  },
  rebuild: {
    onFull: true,
    left: 1,
    make: (name, repository) => watched(name, () => repository.maintenance.rebuild()),
  },
  compact: {
    onFull: true,
    left: 1,
    make: (name, repository) => watched(name, () => repository.maintenance.compact()),
  },
  verify: {
    onFull: true,
    left: 1,
    make: async (name, repository) => {
      const done = await watched(name, () => repository.maintenance.verify());
      if (!done.result.ok) throw new Error(`${name}: ${JSON.stringify(done.result)}`);
      return done;
    },
  },
  load: {
    left: 1,
    make: (name, repository, { file }) => watched(name, () => repository.load(file)),
  },
  'DELETE WHERE': {
    onFull: true,
    left: 0,
    make: (name, repository) => watched(name, () => repository.update('DELETE WHERE { ?s ?p ?o }')),
  },
  'INSERT WHERE': {
    onFull: true,
    left: 2,
    make: (name, repository) =>
      watched(name, () =>
        repository.update(
          `INSERT { ?s ?copy ?o } WHERE { ?s ?p ?o BIND(IRI(REPLACE(STR(?p), "^${PROPERTY}", "http://example.org/copy/")) AS ?copy) }`,
        ),
      ),
  },
} satisfies Readonly<Record<string, Change>> as Readonly<Record<string, Change>>;

/** Measures one of {@link CHANGES} with this many quads. */
export async function measureChange(name: string, scratch: string, count: number): Promise<Figures> {
  const { onFull = false, left, make } = CHANGES[name]!;
  const input = { quads: manyQuads(count), file: join(scratch, 'quads.nt') };
  await writeQuads(input.file, count);
  const db = await open(join(scratch, 'store'));
  const repository = await db.repository(REPOSITORY, { create: true });
  if (onFull) await repository.load(input.file);
  await loadEngine(repository);
  const { figures } = await make(name, repository, input);
  checkCount(name, await repository.size(), count * left);
  await db.close();
  return figures;
}
