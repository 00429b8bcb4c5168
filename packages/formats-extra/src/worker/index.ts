/** Parsing in a thread of Node.js with bounds for memory and time: for documents that nobody vouches for. */
import { WorkerParser } from './worker-parser.js';
import type { WorkerParserOptions } from './worker-parser.js';

export { WorkerParser } from './worker-parser.js';
export type { WorkerParserOptions } from './worker-parser.js';

/**
 * Parses a document in a thread of its own; the sink is called in this one. What the document takes too much of, memory or
 * time, ends it with a ParseError.
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
