/** Documents read into a store in memory before anything changes: what cannot be parsed changes nothing. */
import { type CommitOptions, type LoadOptions, open, quad, type Repository } from 'quadrille';
import type { Graph } from '../repositories/graph.js';

/** A document and the options to read it. */
export interface Document extends Omit<LoadOptions, keyof CommitOptions | 'replace' | 'graph' | 'records'> {
  /** The bytes of the document. */
  readonly source: AsyncIterable<Uint8Array>;
}

/** Reads documents into one store, which exists as long as `use` runs. */
export async function withStaged<T>(
  documents: AsyncIterable<Document> | Iterable<Document>,
  signal: AbortSignal | undefined,
  use: (staged: Repository) => Promise<T>,
): Promise<T> {
  const database = await open(':memory:');
  try {
    const staged = await database.repository('staged', { create: true });
    for await (const { source, ...options } of documents) {
      const load: LoadOptions = signal === undefined ? options : { ...options, signal };
      await staged.load(source, load);
    }
    return await use(staged);
  } finally {
    await database.close();
  }
}

/** The quads of the documents. With `graph` all of them are in that graph, else each one keeps its own. */
export async function* stagedQuads(staged: Repository, graph?: Graph): AsyncGenerator<ReturnType<typeof quad>> {
  for await (const each of staged.quads()) {
    yield graph === undefined ? each : quad(each.subject, each.predicate, each.object, graph);
  }
}
