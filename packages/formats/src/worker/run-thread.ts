/** The thread that parses: takes chunks, gives batches of recorded calls. Waits where the other side is behind. */
import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { openParser } from '../open-parser.js';
import type { AsyncRdfParser } from '../parser.js';
import type { FormatRegistry, RdfFormat } from '../registry.js';
import { failureOf, NoDocument, WINDOW } from './messages.js';
import type { FromThread, ThreadOptions, ToThread } from './messages.js';
import { RecordingSink } from './recording.js';

const PRIORITY = 10;

interface Waiting {
  readonly resolve: (text: Uint8Array | string) => void;
  readonly reject: (error: Error) => void;
}

/** Parses what this thread is sent, in one of these formats or in that of the module which it is told. */
export function runThread(registry: FormatRegistry): void {
  const port = parentPort!;
  const options = workerData as ThreadOptions;
  const post = (message: FromThread, transfer: readonly ArrayBuffer[] = []): void =>
    port.postMessage(message, transfer);
  if (options.background) standBack();

  let delivered = 0;
  const sink = new RecordingSink((batch) => {
    const { taken } = options;
    // Blocks the parse itself, which knows no waiting.
    for (let count = Atomics.load(taken, 0); delivered - count >= WINDOW; count = Atomics.load(taken, 0)) {
      Atomics.wait(taken, 0, count);
    }
    delivered++;
    post({ type: 'batch', bytes: batch }, [batch.buffer]);
  });

  const documents = new Map<string, Waiting>();
  const loadDocument = (url: string): Promise<Uint8Array | string> =>
    new Promise((resolve, reject) => {
      documents.set(url, { resolve, reject });
      post({ type: 'load', url });
    });

  const parser = open(registry, options, sink, loadDocument);
  // A failure of it is reported by the first step that waits for it.
  parser.then(
    () => post({ type: 'ready' }),
    () => undefined,
  );
  let steps: Promise<void> = Promise.resolve();
  let failed = false;

  async function step(message: ToThread & { type: 'push' | 'end' }): Promise<void> {
    if (failed) return;
    try {
      if (message.type === 'push') await (await parser).push(message.bytes);
      else await (await parser).end();
      sink.flush();
      if (message.type === 'push') post({ type: 'done', bytes: message.bytes }, [message.bytes.buffer]);
      else post({ type: 'done' });
    } catch (error) {
      failed = true;
      // What was stated before the fault was stated, and may be the worse one.
      sink.flush();
      post(failureOf(error));
    }
  }

  port.on('message', (message: ToThread) => {
    if (message.type === 'document') documents.get(message.url)?.resolve(message.text);
    else if (message.type === 'noDocument') {
      documents.get(message.url)?.reject(new NoDocument(message.url, message.reason));
    } else if (message.type === 'spare') sink.reuse(message.buffer);
    else steps = steps.then(() => step(message));
  });
}

// Where cores are few, whoever answers requests comes first. Only Linux has a priority for each thread.
function standBack(): void {
  try {
    if (process.platform === 'linux') setPriority(PRIORITY);
  } catch {
    // Not allowed here: it parses all the same.
  }
}

async function open(
  registry: FormatRegistry,
  { format: name, module, source, baseIRI, limits, readSoFar, jsonLd, canLoad }: ThreadOptions,
  sink: RecordingSink,
  loadDocument: (url: string) => Promise<Uint8Array | string>,
): Promise<AsyncRdfParser> {
  const known = registry.list().some((format) => format.name === name);
  const format = known || module === undefined ? registry.find(name) : await imported(module, name);
  return openParser(format, { sink, source, baseIRI, limits, readSoFar, jsonLd, ...(canLoad ? { loadDocument } : {}) });
}

async function imported(module: string, name: string): Promise<RdfFormat> {
  const exported = Object.values((await import(module)) as Record<string, Partial<RdfFormat> | undefined>);
  const format = exported.find((one) => one?.name === name && Array.isArray(one.mediaTypes));
  if (format === undefined) throw new Error(`${module} exports no format ${name}`);
  return format as RdfFormat;
}
