/** Node.js: stores in directories, files, and what only it has of streams. Modules are loaded when they are needed. */
import { EventEmitter } from 'node:events';
import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import type { ByteTransform } from '@quadrille/formats';
import type { MemoryLimits } from '@quadrille/sparql';
import { checkBackend, openPlace, placeOf } from './backends.js';
import { collectInSharedStore, isSharedStore, joinSharedStore, withoutPassword } from './shared-stores.js';
import { streamOf } from './node-stream.js';
import type { HeapShares, Platform } from './platform.js';
import type { AnswerThreads, ThreadsOptions } from '../threads/answer-threads.js';

/** gzip in large pieces: each one costs a turn of the event loop, however busy that is. */
const PIECE_BYTES = 256 * 1024;

/** The memory for changes of open transactions: bytes, and the largest share of the heap. */
const MOST_TRANSACTION_BYTES = 1024 ** 3;
const TRANSACTION_SHARE = 0.4;
/** The same of the terms that a repository has decoded, which the block cache bounds too, and of all repositories in memory. */
const TERM_CACHE_SHARE = 1 / 16;
const MOST_REPOSITORY_BYTES = 128 * 1024 ** 2;
const REPOSITORY_SHARE = 1 / 4;

const heapShares = (heapBytes: number): HeapShares => ({
  transactionBytes: Math.floor(Math.min(MOST_TRANSACTION_BYTES, heapBytes * TRANSACTION_SHARE)),
  termCacheBytes: heapBytes * TERM_CACHE_SHARE,
  repositoryBytes: Math.floor(Math.min(MOST_REPOSITORY_BYTES, heapBytes * REPOSITORY_SHARE)),
});

export const platform: Platform = {
  pathOf: placeOf,
  isSharedStore,
  nameOf: withoutPassword,
  checkStorage: checkBackend,
  openStorage: openPlace,
  openShared: async (...given) => (await import('./node-share.js')).openShared(...given),
  joinShared: async (...given) => (await import('./node-share.js')).joinShared(...given),
  joinStore: joinSharedStore,
  collectGarbage: collectInSharedStore,
  beginRecovery: async (location, places) => (await import('./node-recovery.js')).beginRecovery(location, places),
  backups: () => import('../backup/index.js'),
  // The stream of the platform costs more for parts as small as these.
  publishedParts: { inflate: async (bytes) => (await import('node:zlib')).inflateRawSync(bytes) },
  publisher: () => import('../publish/publish-store.js'),
  openFile: async (location) => (await import('./node-file.js')).openFile(location),
  parseInThread: async (format) => (await import('./node-thread.js')).parseInThread(format),
  openThreads,
  openHashThread: async () => (await import('../integrity/hash-thread.js')).HashThread.open().catch(() => undefined),
  gunzipStream,
  createFetch: async (rules) => (await import('@quadrille/fetch')).createGuardedFetch(rules),
  streamOf,
  createEmitter: () => new EventEmitter(),
  memoryLimits,
  heapShares: heapShares(getHeapStatistics().heap_size_limit),
};

// Storage in memory has no threads: all of it would have to be sent to them.
async function openThreads(location: unknown, options: ThreadsOptions): Promise<AnswerThreads | undefined> {
  if (options.workers === 0 || location === ':memory:' || !options.driver.capabilities.getSync) return undefined;
  return (await import('../threads/query-threads.js')).openThreads(options);
}

/** Parts of the memory of the process: of all of it, and of the heap. */
const COLUMN_SHARE = 1 / 4;
const COLUMN_SHARE_OF_HEAP = 1 / 2;
const VALUE_SHARE = 0.4;

/**
 * Columns lie outside of the heap, but whoever limits the heap wants a small process. Values get a part of what is free now: caches
 * and the library itself need the rest.
 */
function memoryLimits(): MemoryLimits {
  const { heap_size_limit: heap, used_heap_size: used } = getHeapStatistics();
  const constrained = process.constrainedMemory();
  const memory = constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
  return {
    columnBytes: Math.min(memory * COLUMN_SHARE, heap * COLUMN_SHARE_OF_HEAP),
    valueBytes: (heap - used) * VALUE_SHARE,
    heapInUse: () => getHeapStatistics().used_heap_size / heap,
  };
}

async function gunzipStream(): Promise<() => ByteTransform> {
  const { createGunzip } = await import('node:zlib');
  const { Duplex } = await import('node:stream');
  return () => Duplex.toWeb(createGunzip({ chunkSize: PIECE_BYTES })) as ByteTransform;
}
