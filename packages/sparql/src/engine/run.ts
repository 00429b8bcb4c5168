/** One run of a query. It begins with the first read, is listed as running until its end, and keeps its limits. */
import { EvaluationError, type LazySequence, type Place } from '@quadrille/model';
import type { SparqlTemplate } from '../algebra/template.js';
import type { EvaluationControl } from '../control/control.js';
import type { Admission } from './admission.js';
import type { AnswerPiece, TakenQuery } from './elsewhere.js';
import type { EvaluationOptions } from './options.js';
import type { Running, RunningQueries } from './running.js';
import { toPublicError } from './unknown-function.js';
import type { Session } from './execution.js';

export class Run {
  #session: Session | undefined;
  #entry: Running | undefined;

  /** Without a task, `control` is that of this query alone: its clock stands still between two reads. */
  constructor(
    private readonly list: RunningQueries,
    private readonly request: string | SparqlTemplate,
    private readonly options: EvaluationOptions,
    readonly control: EvaluationControl,
    private readonly admission: Admission | undefined,
    private readonly open: () => Session,
  ) {}

  /** What the query has while it runs. */
  get session(): Session {
    if (this.#session !== undefined) return this.#session;
    throw new Error('the query has not begun');
  }

  /** The batches of `produce`, once. Errors become evaluation errors; everything is freed at the end. */
  batches<T>(produce: (session: Session) => LazySequence<T>, rowsOf: (batch: T) => number): LazySequence<T> {
    const opened = (entry: Running): LazySequence<T> => {
      const session = this.open();
      this.#session = session;
      entry.memory = session.memory;
      return produce(session);
    };
    return this.#governed(opened, rowsOf);
  }

  /** The pieces of an answer that somebody else makes, under the same limits. */
  written(taken: TakenQuery): LazySequence<string> {
    const { clock } = this.control;
    const opened = (entry: Running): TakenQuery => {
      entry.memory = taken.memory;
      return taken;
    };
    const pieces = this.#governed<AnswerPiece>(opened, ({ rows }) => rows);
    const textOf = (piece: AnswerPiece | undefined): string | undefined => {
      if (piece !== undefined) clock.charge(piece.busyMs);
      return piece?.text;
    };
    return {
      next() {
        const piece = pieces.next();
        return piece instanceof Promise ? piece.then(textOf) : textOf(piece);
      },
      close: () => pieces.close(),
    };
  }

  #governed<T>(open: (entry: Running) => LazySequence<T>, rowsOf: (batch: T) => number): LazySequence<T> {
    const { control, options, admission } = this;
    let batches: LazySequence<T> = new RunBatches(
      () => this.#start(open),
      control,
      rowsOf,
      options.maxRows ?? Infinity,
    );
    // Whoever began the task times it and has its place.
    if (options.task !== undefined) return batches;
    if (control.clock.limitMs !== Infinity) batches = new TimedBatches(batches, control);
    if (admission === undefined) return batches;
    return new AdmittedBatches(batches, () => this.#enter(admission), control);
  }

  async #enter(admission: Admission): Promise<Place> {
    const entry = this.#listed('waiting');
    try {
      return await admission.enter(entry, this.control);
    } catch (error) {
      this.list.remove(entry);
      this.control.release();
      throw error;
    }
  }

  #start<T>(open: (entry: Running) => LazySequence<T>): Started<T> {
    const { control } = this;
    const entry = this.#listed('running');
    const end = (): void => {
      this.#session?.memory.close();
      control.release();
      if (entry !== this.options.task) this.list.remove(entry);
    };
    try {
      return { source: open(entry), entry, end };
    } catch (error) {
      end();
      throw control.failure ?? toPublicError(error);
    }
  }

  #listed(state: Running['state']): Running {
    const { list, request, options, control } = this;
    this.#entry ??= options.task ?? list.add('query', request, options.repository, control);
    this.#entry.state = state;
    return this.#entry;
  }
}

interface Started<T> {
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
    private readonly control: EvaluationControl,
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
      return this.#fail(error);
    }
  }

  async #awaited(started: Started<T>, next: Promise<T | undefined>): Promise<T | undefined> {
    try {
      return this.#take(started, await next);
    } catch (error) {
      return this.#fail(error);
    }
  }

  #take({ entry }: Started<T>, batch: T | undefined): T | undefined {
    this.control.throwIfFailed();
    if (batch === undefined) {
      this.#end();
      return undefined;
    }
    entry.rows += this.rowsOf(batch);
    if (entry.rows > this.maxRows) throw tooManyRows(this.maxRows);
    return batch;
  }

  async #fail(error: unknown): Promise<never> {
    await this.close();
    throw this.control.failure ?? toPublicError(error);
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

/** Stops the clock while nobody asks for the next batch. */
class TimedBatches<T> implements LazySequence<T> {
  constructor(
    private readonly batches: LazySequence<T>,
    private readonly control: EvaluationControl,
  ) {
    control.stopClock();
  }

  next(): T | undefined | Promise<T | undefined> {
    this.control.startClock();
    const next = this.batches.next();
    if (next instanceof Promise) return next.finally(() => this.control.stopClock());
    this.control.stopClock();
    return next;
  }

  close(): void | Promise<void> {
    return this.batches.close();
  }
}

/** Waits for a place before the first batch, and gives it back after the last one. */
class AdmittedBatches<T> implements LazySequence<T> {
  #place: Place | undefined;
  #closed = false;

  constructor(
    private readonly batches: LazySequence<T>,
    private readonly enter: () => Promise<Place>,
    private readonly control: EvaluationControl,
  ) {}

  async next(): Promise<T | undefined> {
    if (this.#closed) return undefined;
    try {
      this.#place ??= await this.enter();
      const batch = this.#closed ? undefined : await this.batches.next();
      if (batch === undefined) this.#leave();
      return batch;
    } catch (error) {
      this.#leave();
      throw error;
    }
  }

  close(): void | Promise<void> {
    if (this.#closed) return undefined;
    // It may still wait for its place.
    if (this.#place === undefined)
      this.control.fail(new EvaluationError('ABORTED', 'the reader has closed the answer'));
    this.#leave();
    return this.batches.close();
  }

  #leave(): void {
    this.#closed = true;
    this.#place?.leave(this.control.clock.busyMs);
  }
}

const tooManyRows = (limit: number): EvaluationError =>
  new EvaluationError('RESULT_TOO_LARGE', `the result has more than ${limit} rows`, { details: { maxRows: limit } });
