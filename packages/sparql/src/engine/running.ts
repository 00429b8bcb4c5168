/** The list of running evaluations: others can see and cancel them. */
import { EvaluationError } from '@quadrille/model';

/** What ends an evaluation. */
interface Stoppable {
  fail(error: Error): void;
}

export interface RunningQuery {
  /** Unique as long as the process runs. */
  readonly id: number;
  readonly kind: 'query' | 'update';
  readonly text: string;
  /** `account/repository`. */
  readonly repository: string | undefined;
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

  constructor(
    readonly kind: RunningQuery['kind'],
    readonly text: string,
    readonly repository: string | undefined,
    private readonly control: Stoppable,
    private readonly memory: { readonly used: number } | undefined,
  ) {}

  get memoryBytes(): number {
    return this.memory?.used ?? 0;
  }

  cancel(): void {
    this.control.fail(new EvaluationError('ABORTED', 'the evaluation was cancelled'));
  }
}

export class RunningQueries {
  readonly #entries = new Set<Running>();

  get list(): readonly RunningQuery[] {
    return [...this.#entries];
  }

  /** Adds an evaluation. The caller removes it at the end. */
  add(
    kind: RunningQuery['kind'],
    text: string,
    repository: string | undefined,
    control: Stoppable,
    memory?: { readonly used: number },
  ): Running {
    const entry = new Running(kind, text, repository, control, memory);
    this.#entries.add(entry);
    return entry;
  }

  remove(entry: Running): void {
    this.#entries.delete(entry);
  }
}
