/** The other stores, each driven as its own documentation says. */
import { createReadStream } from 'node:fs';
import { ClassicLevel } from 'classic-level';
import { DataFactory, StreamParser } from 'n3';
import { Quadstore } from 'quadstore';

const BATCH_QUADS = 1000;

export async function openQuadstore(path: string): Promise<Quadstore> {
  // The two packages' types disagree about their own hooks; quadstore's README opens it so.
  const backend = new ClassicLevel(path) as unknown as ConstructorParameters<typeof Quadstore>[0]['backend'];
  const store = new Quadstore({ backend, dataFactory: DataFactory });
  await store.open();
  return store;
}

/** quadstore's README: n3's streaming parser into putStream. Its batches are not synced to disk. */
export async function loadQuadstore(store: Quadstore, file: string): Promise<void> {
  const parser = new StreamParser({ format: 'application/n-triples' });
  const source = createReadStream(file);
  source.on('error', (error) => parser.destroy(error));
  await store.putStream(source.pipe(parser), { batchSize: BATCH_QUADS });
}
