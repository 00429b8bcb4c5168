/** A thread that evaluates queries for the main thread, one at a time. Started by its file. */
import { getHeapStatistics } from 'node:v8';
import { parentPort, workerData } from 'node:worker_threads';
import { platformEnv, Replicas } from '@quadrille/core/share';
import { OWN_FUNCTIONS } from '../sparql/own-functions.js';
import { createSparqlEngine, processMemory, SharedBytes } from '@quadrille/sparql';
import { StorageEngine } from '@quadrille/storage';
import { freeMemory } from './idle-memory.js';
import type { FromThread, QueryMessage, ThreadData, ToThread } from './messages.js';
import { ReadRequests } from './read-channel.js';
import { ThreadQueryRun } from './running-query.js';
import { receiveError } from './sent-errors.js';
import { ThreadDriver } from './thread-driver.js';

const port = parentPort!;
const data = workerData as ThreadData;
const post = (message: FromThread): void => port.postMessage(message);

function limitMemory({ columnBytes, valueBytes, columnCounts, valueCounts, slot }: ThreadData): void {
  const heapInUse = (): number => {
    const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
    return used / limit;
  };
  processMemory.limit({ columnBytes, valueBytes, heapInUse });
  processMemory.columns.share(new SharedBytes(columnCounts, slot));
  processMemory.values.share(new SharedBytes(valueCounts, slot));
}

interface Waiting {
  readonly resolve: (bytes: Uint8Array) => void;
  readonly reject: (error: Error) => void;
}

limitMemory(data);
const engine = createSparqlEngine({ functions: OWN_FUNCTIONS });
const reads = new ReadRequests(data.reads, () => post({ type: 'read' }));
// No await of the module: bundles in CommonJS have none.
const opening = StorageEngine.open(new ThreadDriver(data.storage, reads)).then(
  (storage) => new Replicas(storage, platformEnv(), data.cacheBytes),
);

let running: ThreadQueryRun | undefined;
let waiting: Waiting | undefined;

const statistics = (): Promise<Uint8Array> =>
  new Promise((resolve, reject) => {
    waiting = { resolve, reject };
    post({ type: 'statistics' });
  });

async function run(message: QueryMessage): Promise<void> {
  const replicas = await opening;
  running = new ThreadQueryRun(engine, message, post);
  await running.run(() => replicas.open(message.session, statistics));
  // The answer goes out first.
  setImmediate(freeMemory);
}

port.on('message', (message: ToThread) => {
  switch (message.type) {
    case 'query':
      void run(message);
      break;
    case 'taken':
      running?.taken();
      break;
    case 'cancel':
      running?.cancel();
      break;
    case 'statistics':
      waiting?.resolve(message.bytes);
      break;
    case 'noStatistics':
      waiting?.reject(receiveError(message.error));
      break;
  }
});
void opening.then(() => post({ type: 'ready' }));
