/** One query as it runs: begun when its results are first asked for, listed until they end, and held to its limits. */
import { EvaluationError } from '@quadrille/model';
import { EvaluationControl, toEvaluationError } from '../control.js';
import type { EvaluationOptions } from '../options.js';
import type { RunningQueries } from '../running.js';
import type { Session } from './execution.js';

export class Run {
  #session: Session | undefined;

  constructor(
    private readonly list: RunningQueries,
    private readonly text: string,
    private readonly options: EvaluationOptions,
    private readonly open: (control: EvaluationControl) => Session,
  ) {}

  /** What the query has while it runs. */
  get session(): Session {
    if (this.#session !== undefined) return this.#session;
    throw new Error('the query has not begun');
  }

  /** Runs what `produce` gives: errors are told as evaluation errors, and everything is freed at the end. Once. */
  batches<T>(
    produce: (session: Session) => AsyncIterable<T>,
    rowsOf: (batch: T) => number,
  ): AsyncIterableIterator<T, undefined> {
    return new RunBatches(() => this.#start(produce), rowsOf, this.options.maxRows ?? Infinity);
  }

  #start<T>(produce: (session: Session) => AsyncIterable<T>): Started<T> {
    const { list, options, text } = this;
    const control = new EvaluationControl(options);
    try {
      const session = this.open(control);
      this.#session = session;
      const source = produce(session)[Symbol.asyncIterator]();
      const entry = list.add('query', text, options.repository, control, session.memory);
      const end = (): void => {
        control.dispose();
        list.remove(entry);
      };
      return { control, source, entry, end };
    } catch (error) {
      control.dispose();
      throw control.failure ?? toEvaluationError(error);
    }
  }
}

interface Started<T> {
  readonly control: EvaluationControl;
  readonly source: AsyncIterator<T>;
  readonly entry: { rows: number };
  /** Frees all but the source. */
  end(): void;
}

const DONE = { value: undefined, done: true } as const;

// Not a generator: see PlanRun.
class RunBatches<T> implements AsyncIterableIterator<T, undefined> {
  #started: Started<T> | undefined;
  #ended = false;

  constructor(
    private readonly start: () => Started<T>,
    private readonly rowsOf: (batch: T) => number,
    private readonly maxRows: number,
  ) {}

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<T, undefined>> {
    if (this.#ended) return DONE;
    const { control, source, entry } = (this.#started ??= this.start());
    try {
      const { done, value } = await source.next();
      control.throwIfFailed();
      if (done === true) {
        this.#end();
        return DONE;
      }
      entry.rows += this.rowsOf(value);
      if (entry.rows > this.maxRows) throw tooManyRows(this.maxRows);
      return { value, done: false };
    } catch (error) {
      await this.return();
      throw control.failure ?? toEvaluationError(error);
    }
  }

  async return(): Promise<IteratorResult<T, undefined>> {
    if (this.#ended) return DONE;
    this.#end();
    await this.#started?.source.return?.();
    return DONE;
  }

  #end(): void {
    this.#ended = true;
    this.#started?.end();
  }
}

const tooManyRows = (limit: number): EvaluationError =>
  new EvaluationError('RESULT_TOO_LARGE', `the result has more than ${limit} rows`, { details: { maxRows: limit } });
