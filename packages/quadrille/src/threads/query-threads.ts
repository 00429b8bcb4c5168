/** The query threads of a database. They start when they are needed, and are replaced when they fail. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { getHeapStatistics } from 'node:v8';
import { DEFAULT_CACHE_BYTES, isShareable } from '@quadrille/core/share';
import { StateError } from '@quadrille/model';
import { createDefaultRegistry } from '@quadrille/formats';
import { type OfferedQuery, processMemory, type TakenQuery } from '@quadrille/sparql';
import type { WorkerFigures } from '../api/index.js';
import { formats } from '../documents/formats.js';
import type { AnswerThreads, DocumentOrder, ThreadsOptions } from './answer-threads.js';
import { newReadMemory, ReadAnswers } from './read-channel.js';
import { ThreadHandle } from './thread-handle.js';
import { columnCounts, MemorySlot, valueCounts } from './thread-memory.js';
import { ThreadQuery } from './thread-query.js';
import { threadSettings } from './thread-settings.js';

/** After so many threads in a row that ended before they were ready, no more are started. */
const MOST_FAILED_STARTS = 3;
/** The part of all block caches that threads share. */
const CACHE_SHARE = 1 / 2;
const MEGABYTE = 1024 ** 2;
/** All threads together get as much heap as the main thread may have, one of them at most half of that, but this at least. */
const LEAST_HEAP_MEGABYTES = 128;
/** The part of its heap that values of a query may take. */
const VALUE_SHARE = 1 / 2;

/** The formats that threads know. */
const builtIn = createDefaultRegistry();

type Waiting = (thread: ThreadHandle | Error) => void;

export class QueryThreads implements AnswerThreads {
  readonly cacheBytes: number;
  readonly #threads = new Set<ThreadHandle>();
  readonly #waiting: Waiting[] = [];
  #queries = 0;
  #restarts = 0;
  #ended = 0;
  #failedStarts = 0;
  #closing: Promise<void> | undefined;

  constructor(private readonly options: ThreadsOptions) {
    const { cacheBytes = DEFAULT_CACHE_BYTES } = options;
    this.cacheBytes = cacheBytes * (1 - CACHE_SHARE);
  }

  get figures(): WorkerFigures {
    const states = Array.from(this.#threads, ({ state }) => state);
    const count = (wanted: ThreadHandle['state']): number => states.filter((state) => state === wanted).length;
    return {
      limit: this.options.workers,
      started: this.#threads.size,
      idle: count('idle'),
      busy: count('busy'),
      queries: this.#queries,
      restarts: this.#restarts,
    };
  }

  take(query: OfferedQuery, order: DocumentOrder): TakenQuery | undefined {
    if (query.costMs < threadSettings.leastCostMs || this.#closing !== undefined) return undefined;
    if (!isWritable(query, order.mediaType) || !isShareable(order.snapshot) || !this.#fits(query)) return undefined;
    if (this.#idle === undefined) {
      this.#startOne();
      return undefined;
    }
    return new ThreadQuery(query, order, () => this.#acquire());
  }

  // A thread must not refuse what the main thread would allow.
  #fits({ options: { memoryBytes = usualValueBytes() } }: OfferedQuery): boolean {
    return memoryBytes <= this.#heapMegabytes * MEGABYTE * VALUE_SHARE;
  }

  get #heapMegabytes(): number {
    const part = getHeapStatistics().heap_size_limit / Math.max(2, this.options.workers);
    const least = usualValueBytes() / VALUE_SHARE;
    return threadSettings.heapMegabytes ?? Math.max(LEAST_HEAP_MEGABYTES, Math.ceil(Math.max(part, least) / MEGABYTE));
  }

  get #idle(): ThreadHandle | undefined {
    for (const thread of this.#threads) if (thread.state === 'idle') return thread;
    return undefined;
  }

  // The thread that was idle may have been taken since the query was.
  #acquire(): ThreadHandle | Promise<ThreadHandle> {
    if (this.#closing !== undefined) throw storeClosed();
    this.#queries++;
    const idle = this.#idle;
    if (idle !== undefined) {
      idle.reserve();
      return idle;
    }
    this.#startOne();
    return new Promise((resolve, reject) => {
      this.#waiting.push((thread) => (thread instanceof Error ? reject(thread) : resolve(thread)));
    });
  }

  #startOne(): void {
    const { workers, engine, driver } = this.options;
    if (this.#threads.size >= workers || this.#failedStarts >= MOST_FAILED_STARTS) return;
    const slot = MemorySlot.take();
    if (slot === undefined) return;
    const memory = newReadMemory();
    const data = {
      storage: driver.name,
      cacheBytes: Math.floor((this.cacheBytes * CACHE_SHARE) / (1 - CACHE_SHARE) / workers),
      reads: memory,
      columnBytes: processMemory.columns.limitBytes,
      valueBytes: processMemory.values.limitBytes,
      columnCounts,
      valueCounts,
      slot: slot.number,
    };
    const { file } = threadSettings;
    const reads = new ReadAnswers(memory, engine, driver);
    const onChange = (thread: ThreadHandle): void => this.#changed(thread);
    this.#threads.add(new ThreadHandle({ file, data, reads, slot, heapMegabytes: this.#heapMegabytes, onChange }));
    if (this.#ended > this.#restarts) this.#restarts++;
  }

  #changed(thread: ThreadHandle): void {
    if (thread.state === 'ended') return this.#lost(thread);
    this.#failedStarts = 0;
    const next = this.#waiting.shift();
    if (next === undefined) return;
    thread.reserve();
    next(thread);
  }

  #lost(thread: ThreadHandle): void {
    this.#threads.delete(thread);
    if (this.#closing !== undefined) return;
    this.#ended++;
    const { startError } = thread;
    if (startError !== undefined) {
      this.#failedStarts++;
      this.options.logger?.warn('a query thread could not be started', { error: startError.message });
    }
    if (this.#waiting.length === 0) return;
    this.#startOne();
    if (this.#threads.size === 0) for (const waiting of this.#waiting.splice(0)) waiting(startError ?? storeClosed());
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  async #close(): Promise<void> {
    for (const waiting of this.#waiting.splice(0)) waiting(storeClosed());
    await Promise.all(Array.from(this.#threads, (thread) => thread.end(storeClosed())));
  }
}

/** The values that a query may have whose call does not say. */
const usualValueBytes = (): number =>
  Math.min(processMemory.queryBytes, processMemory.queryShare(processMemory.values));

const storeClosed = (): StateError => new StateError('STORE_NOT_OPEN', 'the store is closed');

/** Whether a thread can write the document. Formats that were registered are known here only. */
function isWritable({ kind }: OfferedQuery, mediaType: string): boolean {
  if (kind === 'select' || kind === 'ask') return true;
  try {
    return builtIn.find(mediaType) === formats.find(mediaType);
  } catch {
    return false;
  }
}

/**
 * The threads of a database; `undefined` where their file is missing: a bundle may have left it behind, and a thread
 * cannot run sources in TypeScript.
 */
export function openThreads(options: ThreadsOptions): AnswerThreads | undefined {
  const { file } = threadSettings;
  if (file.protocol === 'file:' && existsSync(fileURLToPath(file))) return new QueryThreads(options);
  options.logger?.warn('queries run in the main thread: the file of query threads is missing', { file: file.href });
  return undefined;
}
