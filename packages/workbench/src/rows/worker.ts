/** Runs in a worker: sends the request of a query, reads its answer, and gives the page the rows that it shows. */
import { asProblem, problemOf } from '../api/errors.js';
import { PortClient } from '../api/port/client.js';
import { channelOf } from '../api/port/messages.js';
import { type Arrangement, arranged } from './arrange.js';
import type { Ending, FromWorker, Progress, ToWorker } from './protocol.js';
import { networkOf } from './network.js';
import { chartOf } from './points.js';
import { RowStore } from './row-store.js';

const MOST_BYTES = 512 * 1024 * 1024;
/** The time between two reports of new rows to the page. */
const REPORT_MS = 60;

const store = new RowStore(MOST_BYTES);
const cancelling = new AbortController();
let arrangement: Arrangement = { filter: '', column: -1, descending: false };
let startMs = 0;
/** Set when the answer has ended: what is sorted and filtered later is no part of its time. */
let endMs: number | undefined;
let reportedMs = 0;
let headSent = false;

const send = (message: FromWorker): void => postMessage(message);
const progress = (): Progress => ({
  rows: store.rows,
  shown: store.shown,
  bytes: store.bytes,
  ms: (endMs ?? performance.now()) - startMs,
});

addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  if (data.type === 'run') void run(data);
  else if (data.type === 'cancel') cancelling.abort();
  else if (data.type === 'arrange') {
    arrangement = data;
    store.arrange(arranged(store, arrangement));
    send({ type: 'progress', ...progress() });
  } else send({ type: 'value', id: data.id, value: valueOf(data) });
});

function valueOf(asked: Extract<ToWorker, { readonly id: number }>): unknown {
  if (asked.type === 'text') return store.text(asked.bytes);
  if (asked.type === 'chart') return chartOf(store, asked.choice);
  if (asked.type === 'network') return networkOf(store, asked.choice);
  const cells: string[][] = [];
  for (let row = asked.from; row < Math.min(asked.to, store.shown); row++) cells.push(store.cells(row));
  return cells;
}

async function run({ request, port }: Extract<ToWorker, { type: 'run' }>): Promise<void> {
  const { url, method, headers, body } = request;
  startMs = performance.now();
  let begun = false;
  try {
    const init = { method, headers, body, signal: cancelling.signal, credentials: 'omit' as const };
    const asked = port === undefined ? fetch(url, init) : new PortClient(channelOf(port)).send(url, init);
    const response = await asked;
    if (!response.ok) return send({ type: 'failed', problem: await problemOf(response) });
    begun = true;
    const ending = await read(response);
    endMs = performance.now();
    send({ type: 'end', ending, ...progress() });
  } catch (error) {
    endMs = performance.now();
    if (cancelling.signal.aborted) send({ type: 'end', ending: 'cancelled', ...progress() });
    else {
      send({ type: 'progress', ...progress() });
      // The server had begun: it ended the answer at a limit, or went away.
      const problem = asProblem(error);
      send({ type: 'failed', problem: begun ? { ...problem, code: 'BROKEN_OFF' } : problem });
    }
  }
}

async function read(response: Response): Promise<Ending> {
  const revision = /"([0-9a-f-]{36})/.exec(response.headers.get('ETag') ?? '')?.[1];
  const reader = response.body!.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    if (!store.append(value)) {
      await reader.cancel();
      return 'full';
    }
    report(revision);
    await turn();
  }
  store.finish();
  // A question is answered by one word, without names of columns.
  const whole = store.text(6).trim();
  if (store.rows === 0 && (whole === 'true' || whole === 'false')) {
    send({ type: 'head', columns: [], revision, boolean: whole === 'true' });
  } else sendHead(revision);
  store.arrange(arranged(store, arrangement));
  return 'complete';
}

/** So long the worker reads before it looks at messages, such as one that cancels. */
const TURN_MS = 25;
let turnMs = 0;

async function turn(): Promise<void> {
  if (performance.now() - turnMs < TURN_MS) return;
  await new Promise((resolve) => setTimeout(resolve));
  turnMs = performance.now();
}

function sendHead(revision: string | undefined): void {
  const { columns } = store;
  if (headSent || columns === undefined) return;
  headSent = true;
  send({ type: 'head', columns, revision });
}

/** The first row is told at once. */
function report(revision: string | undefined): void {
  if (store.rows === 0) return;
  const first = !headSent;
  sendHead(revision);
  if (!first && performance.now() - reportedMs < REPORT_MS) return;
  reportedMs = performance.now();
  send({ type: 'progress', ...progress() });
}
