/** Asks the queries of shapes over the state that is validated, by the engine of the database. */
import { EvaluationError, FIRST_LOCAL_ID, iterate, QuadrilleError, ShapesError, termToText } from '@quadrille/model';
import { shownTerm, type ShapesQuery, type Solution } from '@quadrille/shacl';
import type { IdDataset, IdSolutions, QueryableDataset, SparqlRequest, Task } from '@quadrille/sparql';
import type * as RDF from '@rdfjs/types';
import type { LazyEngine } from '../sparql/lazy-engine.js';
import type { Rows } from './rows.js';

/** Solutions that are kept at once. */
const MOST_SOLUTIONS = 100_000;
/** Terms that no quad has: their numbers follow those of the repository. */
const FIRST_OWN = FIRST_LOCAL_ID;

/** What shapes are asked with. */
export interface Guarded {
  readonly engine: LazyEngine;
  /** Name of the repository, for the list of running queries. */
  readonly repository: string;
}

/** What queries are asked with. */
export interface QueryContext extends Guarded {
  /** For the list of running queries. */
  readonly title: string;
  /** Milliseconds for all of them. Default: that of the engine. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Rows of nodes that a query is asked for. */
export interface AskedRows {
  /** Each once. */
  readonly nodes: Rows;
  /** The terms of the nodes; `undefined` where the query takes their numbers. */
  readonly terms: readonly (readonly RDF.Term[])[] | undefined;
  /** The places of a row among those that the caller has asked for. */
  placesOf(row: readonly number[]): readonly number[];
}

export class ShapesQueries {
  /** With the graph of the shapes, and without it. */
  readonly #datasets = new Map<boolean, QueryableDataset>();
  #task: Task | undefined;
  readonly #own = new Map<string, number>();
  readonly #ownTerms: RDF.Term[] = [];

  constructor(
    private readonly context: QueryContext,
    /** Opens the data, with the graph of the shapes where a query names it. */
    private readonly open: (withShapes: boolean) => IdDataset | Promise<IdDataset>,
    /** Whether terms that no quad has get a number: shapes from outside may have them. */
    private readonly numbersAll: boolean,
  ) {}

  /** The number of a term that no quad has; 0 if such terms have none. */
  ownId(term: RDF.Term): number {
    return this.numbersAll ? this.#number(term) : 0;
  }

  #number(term: RDF.Term): number {
    const text = termToText(term);
    let number = this.#own.get(text);
    if (number === undefined) {
      number = FIRST_OWN + this.#ownTerms.push(term) - 1;
      this.#own.set(text, number);
    }
    return number;
  }

  ownTerm(node: number): RDF.Term | undefined {
    return node < FIRST_OWN ? undefined : this.#ownTerms[node - FIRST_OWN];
  }

  /** Ends what it has begun. */
  close(): void {
    this.#task?.end();
  }

  /** The solutions of a query for rows of nodes. */
  async solutions(
    query: ShapesQuery,
    names: readonly string[],
    { nodes, terms, placesOf }: AskedRows,
  ): Promise<readonly Solution[]> {
    const found: Solution[] = [];
    const { query: prebound } = query;
    if (prebound.takesMany) {
      const request = terms === undefined ? prebound.forIds(names, nodes) : prebound.forRows(names, terms);
      await this.#asked(query, request, undefined, async (answer) => {
        const places = names.map((name) => answer.variables.indexOf(name));
        await this.#collect(answer, found, async (columns, at) => {
          const row: number[] = [];
          for (const place of places) row.push(await this.#stored(columns[place]![at]!, answer.ids));
          return placesOf(row);
        });
      });
      return found;
    }
    for (const [i, row] of nodes.entries()) {
      const { request, bindings } = prebound.forRow(names, terms![i]!);
      await this.#asked(query, request, bindings, (answer) => this.#collect(answer, found, () => placesOf(row)));
    }
    return found;
  }

  async #collect(
    { variables, ids }: Answer,
    found: Solution[],
    rowsOf: (columns: readonly Uint32Array[], at: number) => readonly number[] | Promise<readonly number[]>,
  ): Promise<void> {
    for await (const { columns, length } of iterate(ids.batches())) {
      for (let at = 0; at < length; at++) {
        const terms: Record<string, RDF.Term> = {};
        for (const [i, name] of variables.entries()) {
          const id = columns[i]![at]!;
          if (id === 0) continue;
          const term = ids.term(id);
          terms[name] = term instanceof Promise ? await term : term;
        }
        for (const row of await rowsOf(columns, at)) found.push({ row, terms });
        if (found.length > MOST_SOLUTIONS)
          throw new EvaluationError(
            'QUERY_MEMORY',
            `a query of the shapes has more than ${MOST_SOLUTIONS.toLocaleString('en')} solutions for a thousand nodes`,
          );
      }
    }
  }

  /** The values of a variable in the solutions of a query. */
  async *nodes(query: ShapesQuery, name: string): AsyncGenerator<readonly number[], undefined> {
    const batches: number[][] = [];
    // The data are one state, so all nodes are read before the first one is validated: they are four bytes each.
    await this.#asked(query, query.query.all, undefined, async ({ variables, ids }) => {
      const column = variables.indexOf(name);
      for await (const { columns, length } of iterate(ids.batches())) {
        const batch: number[] = [];
        for (const id of columns[column]!.subarray(0, length)) if (id !== 0) batch.push(await this.#stored(id, ids));
        batches.push(batch);
      }
    });
    yield* batches;
    return undefined;
  }

  // A term that the query has made has a number only there.
  async #stored(id: number, ids: IdSolutions): Promise<number> {
    return id < FIRST_LOCAL_ID ? id : this.#number(await ids.term(id));
  }

  async #asked(
    query: ShapesQuery,
    request: SparqlRequest,
    bindings: Readonly<Record<string, RDF.Term>> | undefined,
    read: (answer: Answer) => Promise<void>,
  ): Promise<void> {
    try {
      const { repository, engine } = this.context;
      const dataset = await this.#datasetOf(query);
      const task = (this.#task ??= await this.#begin());
      const options = { task, repository, bindings, unionDefaultGraph: true };
      const answer = await engine.query(request, dataset, options);
      if (answer.type !== 'bindings' || answer.ids === undefined)
        throw new EvaluationError('UNSUPPORTED', 'it calls a function that the engine does not have');
      await read({ variables: answer.variables, ids: answer.ids });
    } catch (error) {
      throw toShapesError(error, query);
    }
  }

  async #datasetOf({ query }: ShapesQuery): Promise<QueryableDataset> {
    const withShapes = query.names('shapesGraph');
    let dataset = this.#datasets.get(withShapes);
    if (dataset === undefined) this.#datasets.set(withShapes, (dataset = { ids: await this.open(withShapes) }));
    return dataset;
  }

  async #begin(): Promise<Task> {
    const { engine, repository, title, timeoutMs, signal } = this.context;
    const task = await engine.begin({
      kind: 'query',
      text: title,
      repository,
      timeoutMs: timeoutMs ?? engine.timeoutMs,
      signal,
    });
    task.control.startClock();
    task.state = 'running';
    return task;
  }
}

interface Answer {
  readonly variables: readonly string[];
  readonly ids: IdSolutions;
}

function toShapesError(error: unknown, { owner, query }: ShapesQuery): unknown {
  if (!(error instanceof QuadrilleError) || error instanceof ShapesError) return error;
  const shape = shownTerm(owner);
  const details = { shape, query: query.text };
  const text = query.text.trim().replaceAll(/\s+/g, ' ');
  const shown = text.length > 200 ? `${text.slice(0, 200)}…` : text;
  if (error.code === 'QUERY_TIMEOUT')
    return new ShapesError(
      'SHAPES_TIMEOUT',
      `the validation of ${shape} did not end in time: ${error.message}, with ${shown}`,
      { cause: error, details },
    );
  if (error.code === 'UNSUPPORTED' || error.code === 'UNKNOWN_FUNCTION' || error.code === 'URL_NOT_ALLOWED')
    return new ShapesError('SHAPES_INVALID', `the shape ${shape} cannot be used: ${error.message}, with ${shown}`, {
      cause: error,
      details,
    });
  return error;
}
