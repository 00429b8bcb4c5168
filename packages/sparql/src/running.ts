/** The evaluations that are under way, so that somebody else can see and end them. */
import { EvaluationError } from '@quadrille/model';
import type { EvaluationControl } from './control.js';

export interface RunningQuery {
  /** Unique as long as the process runs. */
  readonly id: number;
  readonly kind: 'query' | 'update';
  readonly text: string;
  readonly startedAt: Date;
  /** Rows handed on so far. */
  readonly rows: number;
  /** Bytes that its operators keep at present. */
  readonly memoryBytes: number;
  /** Ends it with `ABORTED`. */
  cancel(): void;
}

let lastId = 0;

/** One entry of the list. */
export class Running implements RunningQuery {
  readonly id = ++lastId;
  readonly startedAt = new Date();
  rows = 0;
  memoryBytes = 0;

  constructor(
    readonly kind: RunningQuery['kind'],
    readonly text: string,
    private readonly control: EvaluationControl,
  ) {}

  cancel(): void {
    this.control.fail(new EvaluationError('ABORTED', 'the evaluation was cancelled'));
  }
}

export class RunningQueries {
  readonly #entries = new Set<Running>();

  get list(): readonly RunningQuery[] {
    return [...this.#entries];
  }

  add(kind: RunningQuery['kind'], text: string, control: EvaluationControl): Running {
    const entry = new Running(kind, text, control);
    this.#entries.add(entry);
    return entry;
  }

  remove(entry: Running): void {
    this.#entries.delete(entry);
  }
}
