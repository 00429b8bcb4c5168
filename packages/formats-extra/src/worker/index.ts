/** Parses untrusted documents in a thread of Node.js, with limits for memory and time. */
import { WorkerParser } from './worker-parser.js';
import type { WorkerParserOptions } from './worker-parser.js';

export { WorkerParser } from './worker-parser.js';
export type { WorkerParserOptions } from './worker-parser.js';

/**
 * Parses a document in a separate thread. The sink is called in the calling thread. A document that takes too much memory or time
 * fails with a ParseError.
 * @throws ParseError `RDF_SYNTAX`; the reason of the signal; what the sink, `onBatch` or the chunks throw
 * @example await parseInWorker(request.body, { format: 'application/ld+json', sink, source: 'upload', timeoutMs: 10_000 });
 */
export async function parseInWorker(chunks: AsyncIterable<Uint8Array>, options: WorkerParserOptions): Promise<void> {
  const parser = new WorkerParser(options);
  try {
    for await (const chunk of chunks) await parser.push(chunk);
    await parser.end();
  } finally {
    await parser.close();
  }
}
