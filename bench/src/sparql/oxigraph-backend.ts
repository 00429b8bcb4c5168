/** Oxigraph's JavaScript build (WASM), in memory. Its answers come whole. */
import { closeSync, openSync, readSync } from 'node:fs';
import { Store } from 'oxigraph';
import { BSBM_QUADS, checkCount } from '../data-sets.js';
import type { Context } from '../workload.js';
import { pathOf } from '../workload.js';
import type { AnswerDigest } from './answer.js';
import { quadValues } from './answer.js';
import type { QueryBackend } from './backend.js';

const CHUNK_BYTES = 1 << 20;

function* chunksOf(path: string): Generator<Uint8Array> {
  const file = openSync(path, 'r');
  try {
    for (;;) {
      const chunk = new Uint8Array(CHUNK_BYTES);
      const read = readSync(file, chunk);
      if (read === 0) return;
      yield chunk.subarray(0, read);
    }
  } finally {
    closeSync(file);
  }
}

function load(path: string): Store {
  const store = new Store();
  store.load(chunksOf(path) as Iterable<never>, {
    format: 'application/n-triples',
    lenient: true,
    no_transaction: true,
  });
  checkCount('oxigraph', store.size, BSBM_QUADS['bsbm-1m']);
  return store;
}

function run(store: Store, text: string, digest?: AnswerDigest): number {
  const answer = store.query(text, {});
  if (!Array.isArray(answer)) return 0;
  let rows = 0;
  for (const item of answer) {
    rows++;
    if (digest === undefined) continue;
    if (item instanceof Map) digest.add(Array.from(item, ([name, term]) => [name, term.value]));
    else digest.add(quadValues(item));
  }
  return rows;
}

export async function openOxigraph(context: Context): Promise<QueryBackend> {
  const store = load(pathOf(context, 'bsbm-1m'));
  return { run: async (text, digest) => run(store, text, digest), close: async () => {} };
}
