/** The parsing thread: receives chunks and sends batches of recorded calls. It waits if the other thread falls behind. */
import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { openParser } from '../open-parser.js';
import type { AsyncParserOptions, AsyncRdfParser } from '../parser.js';
import type { FormatRegistry, RdfFormat } from '../registry.js';
import { failureOf, faultOf, WINDOW } from './messages.js';
import type { FromThread, ThreadOptions, ToThread } from './messages.js';
import { RecordingSink } from './recording.js';

const PRIORITY = 10;

interface Waiting {
  readonly resolve: (text: Uint8Array | string) => void;
  readonly reject: (error: Error) => void;
}

/** Parses the chunks that this thread receives. The format is one of the registry, or an export of the given module. */
export function runThread(registry: FormatRegistry): void {
  const port = parentPort!;
  const options = workerData as ThreadOptions;
  const post = (message: FromThread, transfer: readonly ArrayBuffer[] = []): void =>
    port.postMessage(message, transfer);
  if (options.background) standBack();

  let delivered = 0;
  const sink = new RecordingSink((batch) => {
    const { taken } = options;
    // Blocks the thread, because a synchronous parser cannot wait.
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

  const parser = open(registry, options, { sink, loadDocument, ...tellers(options, post) });
  // The first step that awaits the parser reports its failure.
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
      // Statements before the fault are delivered first: the sink may refuse one of them.
      sink.flush();
      post(failureOf(error));
    }
  }

  port.on('message', (message: ToThread) => {
    if (message.type === 'document') documents.get(message.url)?.resolve(message.text);
    else if (message.type === 'noDocument') {
      documents.get(message.url)?.reject(new Error(message.reason));
    } else if (message.type === 'spare') sink.reuse(message.buffer);
    else steps = steps.then(() => step(message));
  });
}

/** Tell the other thread what the document has and no statement says, where it asks for that. */
function tellers(
  { skips, tellsDropped }: ThreadOptions,
  post: (message: FromThread) => void,
): Pick<AsyncParserOptions, 'onFault' | 'onDropped'> {
  return {
    onFault: skips ? (error, text) => post(faultOf(error, text)) : undefined,
    onDropped: tellsDropped ? (dropped) => post({ type: 'dropped', dropped }) : undefined,
  };
}

// On few cores, threads that answer requests go first. Only Linux has a priority for each thread.
function standBack(): void {
  try {
    if (process.platform === 'linux') setPriority(PRIORITY);
  } catch {
    // The process may not change priorities; parsing works without it.
  }
}

async function open(
  registry: FormatRegistry,
  { format: name, module, source, baseIRI, limits, readSoFar, jsonLd, canLoad }: ThreadOptions,
  { loadDocument, ...calls }: Pick<AsyncParserOptions, 'sink' | 'loadDocument' | 'onFault' | 'onDropped'>,
): Promise<AsyncRdfParser> {
  const known = registry.list().some((format) => format.name === name);
  const format = known || module === undefined ? registry.find(name) : await imported(module, name);
  const given = { ...calls, source, baseIRI, limits, readSoFar, jsonLd };
  return openParser(format, { ...given, ...(canLoad ? { loadDocument } : {}) });
}

async function imported(module: string, name: string): Promise<RdfFormat> {
  const exported = Object.values((await import(module)) as Record<string, Partial<RdfFormat> | undefined>);
  const format = exported.find((one) => one?.name === name && Array.isArray(one.mediaTypes));
  if (format === undefined) throw new Error(`${module} exports no format ${name}`);
  return format as RdfFormat;
}
