/** One run of a query. It begins with the first read, is listed as running until its end, and keeps its limits. */
import { EvaluationError, type LazySequence } from '@quadrille/model';
import { EvaluationControl, toEvaluationError } from '../control/control.js';
import type { EvaluationOptions } from './options.js';
import type { RunningQueries } from './running.js';
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

  /** The batches of `produce`, once. Errors become evaluation errors; everything is freed at the end. */
  batches<T>(produce: (session: Session) => LazySequence<T>, rowsOf: (batch: T) => number): LazySequence<T> {
    return new RunBatches(() => this.#start(produce), rowsOf, this.options.maxRows ?? Infinity);
  }

  #start<T>(produce: (session: Session) => LazySequence<T>): Started<T> {
    const { list, options, text } = this;
    const control = new EvaluationControl(options);
    try {
      const session = this.open(control);
      this.#session = session;
      const source = produce(session);
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
  readonly source: LazySequence<T>;
  readonly entry: { rows: number };
  /** Frees all but the source. */
  end(): void;
}

class RunBatches<T> implements LazySequence<T> {
  #started: Started<T> | undefined;
  #ended = false;

  constructor(
    private readonly start: () => Started<T>,
    private readonly rowsOf: (batch: T) => number,
    private readonly maxRows: number,
  ) {}

  next(): T | undefined | Promise<T | undefined> {
    if (this.#ended) return undefined;
    const started = (this.#started ??= this.start());
    try {
      const next = started.source.next();
      return next instanceof Promise ? this.#awaited(started, next) : this.#take(started, next);
    } catch (error) {
      return this.#fail(started, error);
    }
  }

  async #awaited(started: Started<T>, next: Promise<T | undefined>): Promise<T | undefined> {
    try {
      return this.#take(started, await next);
    } catch (error) {
      return this.#fail(started, error);
    }
  }

  #take({ control, entry }: Started<T>, batch: T | undefined): T | undefined {
    control.throwIfFailed();
    if (batch === undefined) {
      this.#end();
      return undefined;
    }
    entry.rows += this.rowsOf(batch);
    if (entry.rows > this.maxRows) throw tooManyRows(this.maxRows);
    return batch;
  }

  async #fail({ control }: Started<T>, error: unknown): Promise<never> {
    await this.close();
    throw control.failure ?? toEvaluationError(error);
  }

  close(): void | Promise<void> {
    if (this.#ended) return undefined;
    this.#end();
    return this.#started?.source.close();
  }

  #end(): void {
    this.#ended = true;
    this.#started?.end();
  }
}

const tooManyRows = (limit: number): EvaluationError =>
  new EvaluationError('RESULT_TOO_LARGE', `the result has more than ${limit} rows`, { details: { maxRows: limit } });
