/** The answer of a query as the page sees it: its progress as signals, its rows by request. */
import { batch, signal } from '@preact/signals';
import { noteProblem, token, transportInUse, type Way } from '../api/client.js';
import { ApiError, type Problem } from '../api/errors.js';
import { scriptAddress } from './script-address.js';
import type { PreparedRequest } from '../api/sparql.js';
import { isPassing, isWorthAgain, MOST_ATTEMPTS, online } from '../api/waiting.js';
import type { Network, NetworkChoice } from './network.js';
import type { ChartChoice, ChartRows } from './points.js';
import type { Ending, FromWorker, Progress, ToWorker } from './protocol.js';

export type AnswerState = 'running' | Ending | 'failed';

const startWorker = (): Worker =>
  new Worker(scriptAddress(new URL(ROWS_WORKER, import.meta.url)), { type: 'module', name: 'rows' });

export class Answer {
  readonly state = signal<AnswerState>('running');
  readonly columns = signal<readonly string[] | undefined>(undefined);
  /** Of a question that is answered by yes or no. */
  readonly boolean = signal<boolean | undefined>(undefined);
  /** UUID. */
  readonly revision = signal<string | undefined>(undefined);
  readonly progress = signal<Progress>({ rows: 0, shown: 0, bytes: 0, ms: 0 });
  readonly problem = signal<Problem | undefined>(undefined);
  readonly filter = signal('');
  readonly sort = signal<{ readonly column: number; readonly descending: boolean }>({ column: -1, descending: false });
  /** Grows when rows that were read are others now. */
  readonly arranged = signal(0);
  /** The token that it was asked with. */
  readonly token = token.peek();
  readonly #cancelling = new AbortController();
  #worker!: Worker;
  /** Where no server is. */
  #way: Way | undefined;
  #attempts = 0;
  readonly #waiting = new Map<number, (value: never) => void>();
  #count = 0;

  constructor(
    private readonly request: PreparedRequest,
    /** The text that was asked, and the revision of the address. */
    readonly text: string,
    readonly at: string | undefined,
    /** Is filtered and sorted as this one is. */
    like?: Answer,
  ) {
    if (like !== undefined) {
      this.filter.value = like.filter.peek();
      this.sort.value = like.sort.peek();
    }
    this.#start();
  }

  #start(): void {
    this.#attempts++;
    this.#worker = startWorker();
    this.#way = transportInUse()?.open();
    this.#worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => batch(() => this.#take(data)));
    // A script that could not be loaded has no message.
    this.#worker.addEventListener('error', ({ message = '' }) =>
      this.#fail({ status: 0, code: message === '' ? 'OFFLINE' : 'FAILED', message }),
    );
    const port = this.#way?.port;
    this.#post({ type: 'run', request: this.request, ...(port && { port }) }, port && [port]);
    if (this.filter.peek() !== '' || this.sort.peek().column >= 0) this.#arrange();
  }

  #arrange(): void {
    this.#post({ type: 'arrange', filter: this.filter.peek(), ...this.sort.peek() });
  }

  #post(message: ToWorker, handedOver: Transferable[] = []): void {
    this.#worker.postMessage(message, handedOver);
  }

  #take(message: FromWorker): void {
    if (message.type === 'value') return this.#resolve(message.id, message.value);
    if (message.type === 'failed') return this.#fail(message.problem);
    if (message.type === 'head') {
      this.columns.value = message.columns;
      this.revision.value = message.revision;
      this.boolean.value = message.boolean;
      return;
    }
    const { rows, shown, bytes, ms } = message;
    this.progress.value = { rows, shown, bytes, ms };
    this.arranged.value++;
    if (message.type !== 'end') return;
    online.value = true;
    this.state.value = message.ending;
  }

  #fail(problem: Problem): void {
    noteProblem(problem, this.token);
    if (problem.code === 'OFFLINE') online.value = false;
    // Rows that a reader may look at are kept: then the user decides whether to ask again.
    const isAgain = this.progress.value.rows === 0 && this.#attempts < MOST_ATTEMPTS && isPassing(problem);
    if (isAgain) return void this.#again(problem);
    this.problem.value = problem;
    this.state.value = 'failed';
  }

  async #again(problem: Problem): Promise<void> {
    this.dispose();
    try {
      await isWorthAgain(new ApiError(problem), this.#attempts, this.#cancelling.signal);
      this.#start();
    } catch {
      this.state.value = 'cancelled';
    }
  }

  #resolve(id: number, value: unknown): void {
    (this.#waiting.get(id) as ((value: unknown) => void) | undefined)?.(value);
    this.#waiting.delete(id);
  }

  #ask<T>(make: (id: number) => ToWorker): Promise<T> {
    const id = this.#count++;
    return new Promise<T>((resolve) => {
      this.#waiting.set(id, resolve as (value: never) => void);
      this.#post(make(id));
    });
  }

  /** Cells of rows by their place among those that are shown. */
  rows(from: number, to: number): Promise<readonly (readonly string[])[]> {
    return this.#ask((id) => ({ type: 'rows', id, from, to }));
  }

  /** The beginning of the answer as it came. */
  rawText(bytes: number): Promise<string> {
    return this.#ask((id) => ({ type: 'text', id, bytes }));
  }

  /** What a chart shows of the rows that are shown. */
  chart(choice: ChartChoice): Promise<ChartRows> {
    return this.#ask((id) => ({ type: 'chart', id, choice }));
  }

  /** The graph in the rows that are shown. */
  network(choice: NetworkChoice): Promise<Network> {
    return this.#ask((id) => ({ type: 'network', id, choice }));
  }

  arrange(filter: string, column: number, descending: boolean): void {
    this.filter.value = filter;
    this.sort.value = { column, descending };
    this.#arrange();
  }

  /** Ends the request, and with it the query on the server. Rows that came stay. */
  cancel(): void {
    if (this.state.value !== 'running') return;
    this.#cancelling.abort();
    this.#post({ type: 'cancel' });
  }

  /** Gives its memory back. */
  dispose(): void {
    this.#way?.close();
    this.#worker.terminate();
  }
}
