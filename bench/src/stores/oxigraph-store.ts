/** Oxigraph's JavaScript build (WASM), in memory. It returns complete answers, not streams. */
import { closeSync, openSync, readSync } from 'node:fs';
import type { Store } from 'oxigraph';
import type { AnswerDigest } from '../sparql/answer.js';
import { comparableText, quadRow } from '../sparql/answer.js';
import { installed } from './installed.js';
import type { OpenStore, StoreKind } from './store.js';

const CHUNK_BYTES = 1 << 20;

export const OXIGRAPH: StoreKind = {
  name: 'oxigraph',
  title: 'Oxigraph (WASM), in memory',
  role: 'peer',
  persistent: false,
  phases: ['load', 'read', 'write', 'queries'],
  packages: ['oxigraph'],
  read: 'match(), synchronous',
  note: 'Loads without a transaction, which is its fastest way. A commit is a call for each quad, in memory.',
  open: openOxigraph,
};

export async function openOxigraph(): Promise<OpenStore> {
  const { Store } = await installed<typeof import('oxigraph')>('oxigraph');
  const store = new Store();
  return {
    load: async (file) =>
      store.load(chunksOf(file) as Iterable<never>, {
        format: 'application/n-quads',
        lenient: true,
        no_transaction: true,
      }),
    size: async () => store.size,
    scan: async (visit) => store.match(null, null, null, null).forEach(visit as never),
    lookup: async (subject, visit) => store.match(subject as never, null, null, null).forEach(visit as never),
    add: async (quads) => {
      for (const quad of quads) store.add(quad as never);
    },
    run: async (text, digest) => run(store, text, digest),
    close: async () => {},
  };
}

/** The bytes of a file in chunks. */
export function* chunksOf(path: string): Generator<Uint8Array> {
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

function run(store: Store, text: string, digest?: AnswerDigest): number {
  const answer = store.query(text, {});
  if (!Array.isArray(answer)) return answer === true ? 1 : 0;
  let rows = 0;
  for (const item of answer) {
    rows++;
    if (digest === undefined) continue;
    if (item instanceof Map) digest.add(Array.from(item, ([name, term]) => [name, comparableText(term)]));
    else digest.add(quadRow(item as never));
  }
  return rows;
}
