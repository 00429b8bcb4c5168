/** Background queries. Each is a job; its answer stays in memory for ten minutes. */
import { ConflictError, EvaluationError, InvalidArgumentError, NotFoundError } from '@quadrille/model';
import { type PreparedQuery, type Repository, rowsDocument, tripleRows } from 'quadrille';
import { hostOf } from 'quadrille/host';
import type { Caller } from '../accounts/caller.js';
import type { QueryGate, QueryRequest } from './query-gate.js';
import { isWorking } from '../jobs/job.js';
import type { Jobs } from '../jobs/jobs.js';
import { ownerOf, type Rights } from '../repositories/rights.js';
import type { RunningJob } from '../jobs/running-job.js';

const SPARQL_JSON = 'application/sparql-results+json';
/** Largest size of one answer, and of all answers in memory, in characters. */
const MAX_ANSWER = 4 * 1024 ** 2;
const MAX_KEPT = 16 * MAX_ANSWER;
const KEPT_MS = 10 * 60_000;

interface Kept {
  readonly document: string;
  readonly until: number;
}

/** Queries whose answers are fetched later. */
export class BackgroundQueries {
  // Oldest first.
  readonly #kept = new Map<string, Kept>();
  #keptLength = 0;

  constructor(
    private readonly rights: Rights,
    private readonly jobs: Jobs,
    private readonly gate: QueryGate,
    private readonly now: () => number,
  ) {}

  /**
   * Starts a query. Resolves with the UUID of its job when the text is parsed, for which it waits for a turn. The query then waits
   * for another turn without a time limit.
   * @throws AccessError, NotFoundError as {@link Rights.open}; ParseError; InvalidArgumentError for an update; EvaluationError
   * `QUERY_QUEUE_FULL`
   */
  async start(caller: Caller, name: string, text: string): Promise<string> {
    const repository = await this.rights.openToRead(caller, name);
    const repositories = (other: string): Promise<Repository> => this.rights.openToRead(caller, other);
    const party = caller.account ?? ownerOf(name);
    const request = { party, kind: 'query', text, repository: name, repositories } as const;
    const query = await this.gate.run(request, ({ task }) => hostOf(repository).prepare(text, { task }));
    if (query.kind === 'update') throw new InvalidArgumentError('NOT_A_QUERY', 'this is an update, not a query');
    const running = this.jobs.begin('query', caller, name, 'waiting to run a query');
    void this.#run(running, query, request);
    return running.uuid;
  }

  /**
   * The answer as SPARQL results in JSON. Triples become rows of `s`, `p` and `o`.
   * @throws ConflictError while it runs; NotFoundError if there is none or it has expired; as {@link Jobs.get}
   */
  answer(caller: Caller, uuid: string): string {
    const job = this.jobs.get(caller, uuid);
    if (isWorking(job)) throw new ConflictError('PRECONDITION_FAILED', 'the query has not ended yet');
    this.#forget();
    const kept = this.#kept.get(job.uuid);
    if (kept !== undefined) return kept.document;
    const why = job.status === 'completed' ? 'it is kept for ten minutes' : job.message;
    throw new NotFoundError('JOB_NOT_FOUND', `there is no answer: ${why}`);
  }

  async #run(running: RunningJob, query: PreparedQuery, request: QueryRequest): Promise<void> {
    const { signal } = running;
    try {
      const document = await this.gate.run({ ...request, signal, queueMs: Infinity }, async ({ call }) => {
        running.start('running a query');
        return documentOf(query, { ...call, signal });
      });
      this.#keep(running.uuid, document);
      await running.complete('the query has been answered', undefined);
    } catch (error) {
      await running.fail(error);
    }
  }

  #keep(uuid: string, document: string): void {
    this.#kept.set(uuid, { document, until: this.now() + KEPT_MS });
    this.#keptLength += document.length;
    this.#forget();
  }

  #forget(): void {
    const now = this.now();
    for (const [uuid, { document, until }] of this.#kept) {
      if (until > now && this.#keptLength <= MAX_KEPT) return;
      this.#kept.delete(uuid);
      this.#keptLength -= document.length;
    }
  }
}

type Options = Parameters<PreparedQuery['serialize']>[1];

async function documentOf(query: PreparedQuery, options: Options): Promise<string> {
  const isGraph = query.kind === 'construct' || query.kind === 'describe';
  const chunks = isGraph ? triplesDocument(query, options) : query.serialize(SPARQL_JSON, options);
  let document = '';
  for await (const chunk of chunks) {
    document += chunk;
    if (document.length > MAX_ANSWER) {
      throw new EvaluationError('RESULT_TOO_LARGE', `the answer has more than ${String(MAX_ANSWER)} characters`);
    }
  }
  return document;
}

function triplesDocument(query: PreparedQuery, options: Options): AsyncIterable<string> {
  const quads = query.kind === 'construct' ? query.construct(options) : query.describe(options);
  return rowsDocument(SPARQL_JSON, ['s', 'p', 'o'], tripleRows(quads));
}
