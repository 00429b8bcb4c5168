/** The thread that parses: takes chunks, gives batches of recorded calls. Waits where the other side is behind. */
import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { createDefaultRegistry, openParser } from '@quadrille/formats';
import type { AsyncRdfParser } from '@quadrille/formats';
import { registerExtraFormats } from '../formats.js';
import { failureOf, WINDOW } from './messages.js';
import type { FromThread, ThreadOptions, ToThread } from './messages.js';
import { RecordingSink } from './recording.js';

const PRIORITY = 10;

// Where cores are few, whoever answers requests comes first. Only Linux has a priority for each thread.
try {
  if (process.platform === 'linux') setPriority(PRIORITY);
} catch {
  // Not allowed here: it parses all the same.
}

const port = parentPort!;
const options = workerData as ThreadOptions;
const post = (message: FromThread, transfer: readonly ArrayBuffer[] = []): void => port.postMessage(message, transfer);

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

interface Waiting {
  readonly resolve: (text: Uint8Array | string) => void;
  readonly reject: (error: Error) => void;
}
const documents = new Map<string, Waiting>();

function loadDocument(url: string): Promise<Uint8Array | string> {
  return new Promise((resolve, reject) => {
    documents.set(url, { resolve, reject });
    post({ type: 'load', url });
  });
}

function open(): Promise<AsyncRdfParser> {
  const registry = createDefaultRegistry();
  registerExtraFormats(registry);
  const { format, source, baseIRI, limits, canLoad } = options;
  const loader = canLoad ? { loadDocument } : {};
  return openParser(registry.find(format), { sink, source, baseIRI, limits, ...loader });
}

const parser = open();
// A failure of it is reported by the first step that waits for it.
parser.then(
  () => post({ type: 'ready' }),
  () => undefined,
);

async function step(message: ToThread): Promise<void> {
  try {
    if (message.type === 'push') await (await parser).push(message.bytes);
    else await (await parser).end();
    sink.flush();
    post({ type: 'done' });
  } catch (error) {
    post(failureOf(error));
  }
}

port.on('message', (message: ToThread) => {
  if (message.type === 'document') documents.get(message.url)?.resolve(message.text);
  else if (message.type === 'noDocument') documents.get(message.url)?.reject(new Error(message.reason));
  else void step(message);
});
