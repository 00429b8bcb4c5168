/** The list of running evaluations: others can see and cancel them. */
import { EvaluationError, FetchError } from '@quadrille/model';
import { readableText, type SparqlTemplate } from '../algebra/template.js';
import { EvaluationControl, type ControlOptions } from '../control/control.js';

/**
 * A query or an update that runs or waits.
 * @since 0.1.0
 */
export interface RunningQuery {
  /** Unique as long as the process runs. */
  readonly id: number;
  /** Whether it reads or writes. */
  readonly kind: 'query' | 'update';
  /** Its text. */
  readonly text: string;
  /** `account/repository`. */
  readonly repository: string | undefined;
  /** When it began, or began to wait. */
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
  /** Whether it reads or writes. */
  readonly kind: RunningQuery['kind'];
  /** The text to show in the list of running queries. */
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
  /** Unique as long as the process runs. */
  readonly id = ++lastId;
  /** When it began. */
  readonly startedAt = new Date();
  /** Rows handed on so far. */
  rows = 0;
  /** What it does now. */
  state: RunningQuery['state'] = 'running';
  /** Bytes that were fetched from another host since it began. */
  fetchedBytes = 0;
  /**
   * The memory of its operators, while it runs.
   * @internal
   */
  memory: { readonly used: number } | undefined;

  constructor(
    /** Whether it reads or writes. */
    public kind: RunningQuery['kind'],
    private readonly request: string | SparqlTemplate,
    /** `account/repository`. */
    readonly repository: string | undefined,
    /** What ends it. */
    readonly control: Control,
  ) {}

  /** Its text, which is made where somebody looks at it. */
  get text(): string {
    return readableText(this.request);
  }

  /** Bytes that its operators keep at present. */
  get memoryBytes(): number {
    return this.memory?.used ?? 0;
  }

  /** Ends it with `ABORTED`. */
  cancel(): void {
    this.control.fail(new EvaluationError('ABORTED', 'the evaluation was cancelled'));
  }
}

/**
 * One request that takes several calls: it is parsed, run and written under one deadline and one signal, and is listed from its
 * beginning to its end. Its clock does not run before `control.startClock()`.
 * @since 0.1.0
 */
export class Task extends Running<EvaluationControl> {
  /** As it was given. */
  readonly repositories: unknown;

  constructor(
    { kind, text, repository, repositories, signal, timeoutMs }: TaskOptions,
    private readonly onEnd: (task: Task) => void,
  ) {
    super(kind, text, repository, new EvaluationControl({ signal, timeoutMs }, true));
    this.repositories = repositories;
    this.state = 'waiting';
  }

  /** Takes it off the list, and frees what its control holds. */
  end(): void {
    this.control.dispose();
    this.onEnd(this);
  }
}

/** The list of running evaluations. */
export class RunningQueries {
  readonly #entries = new Set<Running>();

  /** All entries, in the order of their beginning. */
  get list(): readonly RunningQuery[] {
    return [...this.#entries];
  }

  /** Adds an evaluation. The caller removes it at the end. */
  add(
    kind: RunningQuery['kind'],
    request: string | SparqlTemplate,
    repository: string | undefined,
    control: Stoppable,
  ): Running {
    const entry = new Running(kind, request, repository, control);
    this.#entries.add(entry);
    return entry;
  }

  /**
   * Counts bytes that the store is about to fetch from another host. What runs meanwhile counts them together: the store does not know
   * for whom it reads. An evaluation with more than `mostBytes` ends with `FETCH_TOO_LARGE`.
   */
  charge(bytes: number, mostBytes: number): void {
    for (const entry of this.#entries) {
      entry.fetchedBytes += bytes;
      if (entry.fetchedBytes <= mostBytes) continue;
      const message = `the request needs ${entry.fetchedBytes} bytes of the published store or more, and may fetch ${mostBytes}: raise maxBytes of open()`;
      const details = { maxBytes: mostBytes, estimate: entry.fetchedBytes };
      entry.control.fail(new FetchError('FETCH_TOO_LARGE', message, { details }));
    }
  }

  /** Takes an evaluation off the list. */
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
