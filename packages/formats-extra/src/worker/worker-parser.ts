/**
 * A parser in a separate thread for untrusted documents. Memory and time are limited. A document that exceeds a limit fails with an
 * error and does not end the process.
 */
import { WorkerParser as ThreadParser } from '@quadrille/formats/worker';
import type { WorkerParserOptions as ThreadParserOptions } from '@quadrille/formats/worker';

/** Options of {@link WorkerParser}. */
export type WorkerParserOptions = Omit<ThreadParserOptions, 'background' | 'module' | 'thread'>;

const DEFAULT_MEMORY_MB = 512;
const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_TIMEOUT_MS_PER_MB = 2000;

/** A parser that runs in a thread, within limits of time and memory. The sink is called in the thread of the caller. */
export class WorkerParser extends ThreadParser {
  /** Defaults: at most 512 MB, and 30 s plus 2 s for every megabyte of the document. */
  constructor(options: WorkerParserOptions) {
    super({
      ...options,
      maxMemoryMb: options.maxMemoryMb ?? DEFAULT_MEMORY_MB,
      timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
      timeoutMsPerMb: options.timeoutMsPerMb ?? DEFAULT_TIMEOUT_MS_PER_MB,
      background: true,
      thread: new URL('thread.js', import.meta.url),
    });
  }
}
