/** The list of running evaluations: others can see and cancel them. */
import { EvaluationError } from '@quadrille/model';
import { EvaluationControl, type ControlOptions } from '../control/control.js';

export interface RunningQuery {
  /** Unique as long as the process runs. */
  readonly id: number;
  readonly kind: 'query' | 'update';
  readonly text: string;
  /** `account/repository`. */
  readonly repository: string | undefined;
  readonly startedAt: Date;
  /** What it does: it waits for its turn, is parsed, planned or run, or its answer or its changes are written. */
  readonly state: 'waiting' | 'parsing' | 'planning' | 'running' | 'writing';
  /** Rows handed on so far. */
  readonly rows: number;
  /** Bytes that its operators keep at present. */
  readonly memoryBytes: number;
  /** Ends it with `ABORTED`. */
  cancel(): void;
}

/** What a task is begun with. */
export interface TaskOptions extends ControlOptions {
  readonly kind: RunningQuery['kind'];
  readonly text: string;
  /** `account/repository`. */
  readonly repository?: string | undefined;
  /** Opens other repositories for the calls of the task: the engine only keeps it. */
  readonly repositories?: unknown;
}

let lastId = 0;

/** What evaluates the task ends with its control. */
type Stoppable = Pick<EvaluationControl, 'fail'>;

/** One entry of the list. */
export class Running<Control extends Stoppable = Stoppable> implements RunningQuery {
  readonly id = ++lastId;
  readonly startedAt = new Date();
  rows = 0;
  state: RunningQuery['state'] = 'running';
  memory: { readonly used: number } | undefined;

  constructor(
    public kind: RunningQuery['kind'],
    readonly text: string,
    readonly repository: string | undefined,
    readonly control: Control,
  ) {}

  get memoryBytes(): number {
    return this.memory?.used ?? 0;
  }

  cancel(): void {
    this.control.fail(new EvaluationError('ABORTED', 'the evaluation was cancelled'));
  }
}

/**
 * One request that takes several calls: it is parsed, run and written under one deadline and one signal, and is listed from its
 * beginning to its end. Its clock does not run before {@link EvaluationControl.startClock}.
 */
export class Task extends Running<EvaluationControl> {
  /** As it was given. */
  readonly repositories: unknown;

  constructor(
    { kind, text, repository, repositories, ...options }: TaskOptions,
    private readonly onEnd: (task: Task) => void,
  ) {
    super(kind, text, repository, new EvaluationControl(options, true));
    this.repositories = repositories;
    this.state = 'waiting';
  }

  /** Takes it off the list, and frees what its control holds. */
  end(): void {
    this.control.dispose();
    this.onEnd(this);
  }
}

export class RunningQueries {
  readonly #entries = new Set<Running>();

  get list(): readonly RunningQuery[] {
    return [...this.#entries];
  }

  /** Adds an evaluation. The caller removes it at the end. */
  add(kind: RunningQuery['kind'], text: string, repository: string | undefined, control: Stoppable): Running {
    const entry = new Running(kind, text, repository, control);
    this.#entries.add(entry);
    return entry;
  }

  remove(entry: Running): void {
    this.#entries.delete(entry);
  }

  /** Adds a request that takes several calls. The caller ends it. */
  begin(options: TaskOptions): Task {
    const task = new Task(options, (ended) => this.#entries.delete(ended));
    this.#entries.add(task);
    return task;
  }
}
