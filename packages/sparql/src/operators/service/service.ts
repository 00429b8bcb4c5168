/**
 * SERVICE sends the values of shared variables to another host, as VALUES of many rows at a time. It joins the rows with the
 * answers.
 */
import { EvaluationError, FetchError, printTerm, QuadrilleError } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import type { ServicePlan } from '../../plan/plan.js';
import { namesRepository } from '../../algebra/repository-address.js';
import { isSilenced } from '../repository/opened-repositories.js';
import { RepositoryAnswers } from '../repository/repository-answers.js';
import type { OpenPlan } from '../repository/repository-part.js';
import { textBytes } from '../../control/memory.js';
import { ValueMemory } from '../../control/value-memory.js';
import { BatchBuilder, type Batch } from '../../execute/core/batch.js';
import { IdTable } from '../../execute/table/id-table.js';
import { notAvailable } from './not-available.js';
import type { Execution, Operator } from '../../execute/core/operator.js';
import { ServiceRequest, type ServiceAnswer } from './service-request.js';
import type { PlanOperator } from '../../execute/core/plan-operator.js';

/** Tuples that one request sends. */
const TUPLES_AT_ONCE = 100;
const ROWS_AT_ONCE = 10 * TUPLES_AT_ONCE;
const ID_BYTES = 4;
/** Pairs of a row and a solution that are compared between two looks at the clock. */
const COMPARED_BETWEEN_CHECKS = 1 << 16;

type Row = Readonly<Record<string, RDF.Term>>;

class Service implements Operator {
  readonly #request: ServiceRequest;
  readonly #repositories: RepositoryAnswers;
  /** Columns of the input that the pattern shares, in the order of the request. */
  readonly #shared: readonly number[];
  /** For each output column: that of the input and that of the answer, -1 where one does not have it. */
  readonly #outputs: readonly (readonly [number, number])[];
  readonly #endpoint: number;
  /** Answers that do not depend on the rows, by endpoint. */
  readonly #whole = new Map<number, ServiceAnswer>();
  readonly #batches: AsyncGenerator<Batch>;
  #ended = false;
  #bytes = 0;

  constructor(
    private readonly plan: ServicePlan,
    private readonly input: Operator,
    open: OpenPlan,
    private readonly execution: Execution,
  ) {
    const { input: before, variables, endpoint } = plan;
    this.#request = new ServiceRequest(plan, execution);
    const { wanted, sent } = this.#request;
    this.#repositories = new RepositoryAnswers(plan, wanted, sent, open, execution);
    this.#shared = this.#request.shared.map((name) => before.variables.indexOf(name));
    this.#outputs = variables.map(
      (name) => [before.variables.indexOf(name), this.#request.wanted.indexOf(name)] as const,
    );
    this.#endpoint = endpoint.kind === 'variable' ? before.variables.indexOf(endpoint.name) : -1;
    this.#batches = this.#run();
  }

  async next(): Promise<Batch | undefined> {
    const { value } = await this.#batches.next();
    return value as Batch | undefined;
  }

  close(): void {
    this.input.close();
    this.#batches.return(undefined).catch(() => undefined);
    this.execution.memory.release(this.#bytes);
    this.#bytes = 0;
  }

  async *#run(): AsyncGenerator<Batch> {
    for (let batch = await this.#nextRows(); batch !== undefined; batch = await this.#nextRows()) {
      for (const [endpoint, rows] of this.#byEndpoint(batch)) {
        yield* this.#request.sent.length === 0
          ? this.#joinWhole(endpoint, batch, rows)
          : this.#joinRows(endpoint, batch, rows);
      }
    }
  }

  // Few rows at a time would mean many requests.
  async #nextRows(): Promise<Batch | undefined> {
    const first = this.#ended ? undefined : await this.input.next();
    if (first === undefined || first.length >= ROWS_AT_ONCE || this.#request.sent.length === 0) return first;
    const rows = new BatchBuilder(first.columns.length);
    appendRows(rows, first);
    while (rows.length < ROWS_AT_ONCE && !this.#ended) {
      const batch = await this.input.next();
      if (batch === undefined) this.#ended = true;
      else appendRows(rows, batch);
    }
    return rows.take();
  }

  /** The rows of each endpoint, by its id. */
  #byEndpoint({ columns, length }: Batch): Map<number, number[]> {
    const constant =
      this.plan.endpoint.kind === 'constant' ? this.execution.constants[this.plan.endpoint.constant]! : 0;
    const groups = new Map<number, number[]>();
    for (let row = 0; row < length; row++) {
      const id = this.#endpoint === -1 ? constant : columns[this.#endpoint]![row]!;
      const rows = groups.get(id);
      if (rows === undefined) groups.set(id, [row]);
      else rows.push(row);
    }
    return groups;
  }

  // One answer for all rows, also of later batches.
  async *#joinWhole(endpoint: number, batch: Batch, rows: readonly number[]): AsyncGenerator<Batch> {
    let answer = this.#whole.get(endpoint);
    if (answer === undefined) {
      answer = await this.#ask(endpoint, [], 0, 0);
      this.#whole.set(endpoint, answer);
    }
    yield* this.#join(batch, [rows], answer);
  }

  async *#joinRows(endpoint: number, batch: Batch, rows: readonly number[]): AsyncGenerator<Batch> {
    const table = new IdTable(this.#shared.length, this.execution.memory);
    try {
      const shared = this.#shared.map((column) => batch.columns[column]!);
      const byTuple: number[][] = [];
      for (const row of rows) {
        const tuple = table.insert(shared, row);
        if (tuple === byTuple.length) byTuple.push([row]);
        else byTuple[tuple]!.push(row);
      }
      for (let first = 0; first < byTuple.length; first += TUPLES_AT_ONCE) {
        const end = Math.min(first + TUPLES_AT_ONCE, byTuple.length);
        const before = this.#bytes;
        const answer = await this.#ask(endpoint, table.keys, first, end);
        yield* this.#join(batch, byTuple.slice(first, end), answer);
        this.execution.memory.release(this.#bytes - before);
        this.#bytes = before;
      }
    } finally {
      table.free();
    }
  }

  /** The answer of the endpoint; with SILENT, the empty solution where it fails. */
  async #ask(endpoint: number, tuples: readonly Uint32Array[], first: number, end: number): Promise<ServiceAnswer> {
    const { control, terms } = this.execution;
    const term = endpoint === 0 ? undefined : await terms.term(endpoint);
    if (term !== undefined && namesRepository(term)) return this.#askRepository(term.value, tuples, first, end);
    let rows: readonly Row[];
    // Until they are ids.
    const received = new ValueMemory(this.execution.memory);
    try {
      rows = await this.#rowsFrom(term, () => this.#request.text(tuples, first, end), received);
      control.throwIfFailed();
    } catch (error) {
      received.free();
      if (control.failure !== undefined) throw control.failure;
      if (error instanceof EvaluationError && error.code === 'QUERY_MEMORY') throw error;
      if (this.plan.silent) return this.#request.nothing;
      throw asFailure(error, term);
    }
    try {
      this.#count(rows.length);
      return await this.#request.answer(rows);
    } finally {
      received.free();
    }
  }

  // What SILENT does not pass over goes on as it is.
  async #askRepository(
    address: string,
    tuples: readonly Uint32Array[],
    first: number,
    end: number,
  ): Promise<ServiceAnswer> {
    const { control } = this.execution;
    try {
      const answer = await this.#repositories.answer(address, tuples, first, end);
      this.#count(answer.length);
      return answer;
    } catch (error) {
      if (control.failure !== undefined) throw control.failure;
      if (this.plan.silent && isSilenced(error, control)) return this.#request.nothing;
      throw error;
    }
  }

  #count(rows: number): void {
    const bytes = rows * (this.#request.wanted.length + 1) * ID_BYTES;
    this.execution.memory.reserve(bytes);
    this.#bytes += bytes;
  }

  // All rows are read first, since a failure at the end fails the whole call.
  async #rowsFrom(
    endpoint: RDF.Term | undefined,
    text: () => Promise<string>,
    received: ValueMemory,
  ): Promise<readonly Row[]> {
    const { remote, control } = this.execution;
    if (endpoint?.termType !== 'NamedNode') {
      throw failure(
        `SERVICE has no endpoint: ${endpoint === undefined ? 'its variable is unbound' : printTerm(endpoint)}`,
      );
    }
    if (remote === undefined) throw notAvailable(endpoint);
    const answer = await remote.query(endpoint.value, await text(), { signal: control.signal });
    const all: Row[] = [];
    for await (const rows of answer.rows) {
      await control.checkpoint();
      for (const row of rows) {
        for (const { value } of Object.values(row)) received.reserve(textBytes(value.length));
        all.push(row);
      }
    }
    return all;
  }

  /** Joins the rows of each tuple with the solutions that answer it. */
  async *#join(batch: Batch, byTuple: readonly (readonly number[])[], answer: ServiceAnswer): AsyncGenerator<Batch> {
    const out = new BatchBuilder(this.#outputs.length);
    const checked = this.#shared.map(
      (column, i) => [batch.columns[column]!, answer.columns[this.#request.sharedAt[i]!]!] as const,
    );
    let compared = 0;
    for (let solution = 0; solution < answer.length; solution++) {
      const tuple = answer.tuples[solution]!;
      // An endpoint may leave out the number of the tuple: then values decide.
      const groups = tuple === -1 ? byTuple : [byTuple[tuple] ?? []];
      for (const rows of groups) {
        for (const row of rows) {
          if (++compared % COMPARED_BETWEEN_CHECKS === 0) await this.execution.control.checkpoint();
          if (!agrees(checked, row, solution)) continue;
          out.reserve(1);
          this.#append(out, batch, row, answer, solution);
          if (out.isFull) {
            await this.execution.control.checkpoint();
            yield out.take();
          }
        }
      }
    }
    await this.execution.control.checkpoint();
    if (out.length > 0) yield out.take();
  }

  #append(out: BatchBuilder, batch: Batch, row: number, answer: ServiceAnswer, solution: number): void {
    for (const [i, [left, right]] of this.#outputs.entries()) {
      const own = left === -1 ? 0 : batch.columns[left]![row]!;
      out.columns[i]![out.length] = own !== 0 || right === -1 ? own : answer.columns[right]![solution]!;
    }
    out.length++;
  }
}

function appendRows(rows: BatchBuilder, { columns, length }: Batch): void {
  rows.reserve(length);
  for (const [i, column] of columns.entries()) rows.columns[i]!.set(column.subarray(0, length), rows.length);
  rows.length += length;
}

/** Whether no shared variable has two values. */
function agrees(checked: readonly (readonly [Uint32Array, Uint32Array])[], row: number, solution: number): boolean {
  for (const [own, other] of checked) {
    const a = own[row]!;
    const b = other[solution]!;
    if (a !== 0 && b !== 0 && a !== b) return false;
  }
  return true;
}

const failure = (message: string, cause?: unknown): EvaluationError =>
  new EvaluationError('SERVICE_FAILED', message, cause === undefined ? {} : { cause });

function asFailure(error: unknown, endpoint: RDF.Term | undefined): Error {
  // That it may not be asked is no failure of the endpoint.
  const isRefused = error instanceof FetchError && error.code === 'BLOCKED_ADDRESS';
  if (isRefused || error instanceof EvaluationError) return error;
  const reason = error instanceof QuadrilleError ? `: ${error.message}` : '';
  return failure(`SERVICE ${endpoint === undefined ? '' : printTerm(endpoint)} failed${reason}`, error);
}

export const service: PlanOperator<ServicePlan> = {
  detail: ({ endpoint }, print) => print.term(endpoint),
  open: (plan, { open, openAlone, execution }) =>
    new Service(plan, open(plan.input), (inner, within) => openAlone(inner, true, within), execution),
};
