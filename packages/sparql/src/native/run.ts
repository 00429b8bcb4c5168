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
  async *batches<T>(produce: (session: Session) => AsyncIterable<T>, rowsOf: (batch: T) => number): AsyncGenerator<T> {
    const control = new EvaluationControl(this.options);
    const session = this.open(control);
    this.#session = session;
    const entry = this.list.add('query', this.text, this.options.repository, control, session.memory);
    const { maxRows = Infinity } = this.options;
    try {
      for await (const batch of produce(session)) {
        control.throwIfFailed();
        entry.rows += rowsOf(batch);
        if (entry.rows > maxRows) throw tooManyRows(maxRows);
        yield batch;
      }
      control.throwIfFailed();
    } catch (error) {
      throw control.failure ?? toEvaluationError(error);
    } finally {
      control.dispose();
      this.list.remove(entry);
    }
  }
}

const tooManyRows = (limit: number): EvaluationError =>
  new EvaluationError('RESULT_TOO_LARGE', `the result has more than ${limit} rows`, { details: { maxRows: limit } });
