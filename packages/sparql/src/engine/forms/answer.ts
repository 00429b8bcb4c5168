/** Answers of queries: rows, columns of ids, triples, or a boolean. A query runs when its answer is read. */
import type * as RDF from '@rdfjs/types';
import { dataFactory, DEFAULT_GRAPH, iterate, type LazySequence, lazySequence } from '@quadrille/model';
import type { Construct, Describe, Operation } from '../../algebra/algebra.js';
import type { GraphSelection } from '../../dataset/dataset-view.js';
import type { SparqlAnswer } from '../sparql-engine.js';
import { BATCH_ROWS, sliceRows, type Batch } from '../../execute/core/batch.js';
import { IdTable } from '../../execute/table/id-table.js';
import type { ParsedQuery } from '../../algebra/request.js';
import type { Resolve } from '../../algebra/terms.js';
import { nextOf, pauseOf, type Producing } from '../../execute/core/waiting.js';
import { Constants } from '../../plan/constants.js';
import { defaultGraphOf } from '../../plan/graph-scope.js';
import type { PlannedQuery } from '../../plan/planner.js';
import { Template } from './template-quads.js';
import { Description } from './describe.js';
import { PlanRun, runPlan, type Session } from '../execution.js';
import type { OpenedRepositories } from '../../operators/repository/opened-repositories.js';
import type { OtherData } from '../other-repositories.js';
import { formNode } from './query-form.js';
import type { Run } from '../run.js';

/** Characters of the terms that are handed over at once: a few may be as long as thousands of others. */
const MOST_CHARACTERS = 1024 * 1024;

/** What one query needs to run. */
export interface Prepared {
  readonly parsed: ParsedQuery;
  readonly algebra: Operation;
  readonly selection: GraphSelection;
  readonly planned: PlannedQuery;
  readonly resolve: Resolve;
  /** The ids of the first values of its request. */
  readonly ids: readonly number[] | undefined;
  readonly opened: OpenedRepositories;
  /** Repositories whose default graphs are graphs of the query. */
  readonly graphs?: OtherData['graphs'] | undefined;
}

export function answerOf(prepared: Prepared, run: Run): SparqlAnswer | Promise<SparqlAnswer> {
  const { planned, parsed, algebra } = prepared;
  const form = formNode(algebra);
  const length = (batch: { readonly length: number }): number => batch.length;
  switch (parsed.kind) {
    case 'ask':
      return asked(planned, run);
    case 'construct':
      return {
        type: 'quads',
        batches: iterate(
          run.batches((session) => lazySequence(() => constructed(form as Construct, planned, session)), length),
        ),
      };
    case 'describe':
      return {
        type: 'quads',
        batches: iterate(
          run.batches((session) => lazySequence(() => described(form as Describe, prepared, session)), length),
        ),
      };
    default: {
      const { variables } = planned.plan;
      const solutions = (): LazySequence<Batch> => run.batches((session) => new PlanRun(planned, session), length);
      return {
        type: 'bindings',
        variables,
        batches: { [Symbol.asyncIterator]: () => rowsOf(solutions(), variables, run) },
        ids: {
          batches: solutions,
          term: (id) => run.session.dataset.term(id) ?? run.session.terms.term(id),
        },
      };
    }
  }
}

function asked(planned: PlannedQuery, run: Run): SparqlAnswer | Promise<SparqlAnswer> {
  const solutions = run.batches(
    (session) => new PlanRun(planned, session),
    () => 0,
  );
  const answer = (first: Batch | undefined): SparqlAnswer | Promise<SparqlAnswer> => {
    const yes: SparqlAnswer = { type: 'boolean', value: first !== undefined && first.length > 0 };
    const closed = solutions.close();
    return closed instanceof Promise ? closed.then(() => yes) : yes;
  };
  const first = solutions.next();
  return first instanceof Promise ? first.then(answer) : answer(first);
}

type Row = Record<string, RDF.Term>;

/** Cells of rows that become terms between two looks at the clock. */
const CELLS_BETWEEN_PAUSES = 8192;

/** The rows of solutions as terms. */
function rowsOf(
  solutions: LazySequence<Batch>,
  variables: readonly string[],
  run: Run,
): AsyncIterableIterator<readonly Row[], undefined> {
  const work = rowsIn(solutions, variables, run);
  const fail = async (error: unknown): Promise<never> => {
    await solutions.close();
    throw error;
  };
  return iterate({
    next() {
      try {
        const rows = nextOf(work);
        return rows instanceof Promise ? rows.catch(fail) : rows;
      } catch (error) {
        return fail(error);
      }
    },
    close: () => solutions.close(),
  });
}

function* rowsIn(solutions: LazySequence<Batch>, variables: readonly string[], run: Run): Producing<readonly Row[]> {
  const lastIds = variables.map(() => 0);
  const lastTerms: RDF.Term[] = [];
  for (;;) {
    const next = solutions.next();
    const batch = next instanceof Promise ? ((yield next) as Batch | undefined) : next;
    if (batch === undefined) return;
    const { columns, length } = batch;
    const { dataset, terms } = run.session;
    let rows: Row[] = [];
    let characters = 0;
    const rowsBetweenPauses = Math.max(1, Math.floor(CELLS_BETWEEN_PAUSES / Math.max(1, variables.length)));
    for (let at = 0; at < length; at++) {
      if (at > 0 && at % rowsBetweenPauses === 0) yield* pauseOf(run.control);
      const row: Row = {};
      for (let i = 0; i < variables.length; i++) {
        const id = columns[i]![at]!;
        if (id === 0) continue;
        if (id !== lastIds[i]) {
          const term = dataset.term(id) ?? ((yield terms.term(id, () => idsFrom(batch, at))) as RDF.Term);
          lastTerms[i] = term;
          lastIds[i] = id;
          characters += term.value.length;
        }
        setTerm(row, variables[i]!, lastTerms[i]!);
      }
      rows.push(row);
      if (characters <= MOST_CHARACTERS) continue;
      yield rows;
      rows = [];
      characters = 0;
    }
    if (rows.length > 0) yield rows;
  }
}

/** The ids of the rows from one on. */
function* idsFrom({ columns, length }: Batch, row: number): Generator<number> {
  for (let at = row; at < length; at++) for (const column of columns) yield column[at]!;
}

// A variable may be called __proto__.
function setTerm(row: Row, name: string, term: RDF.Term): void {
  if (name === '__proto__') Object.defineProperty(row, name, { value: term, enumerable: true, configurable: true });
  else row[name] = term;
}

/** Triples of a template, each once. */
async function* constructed(
  { template }: Construct,
  planned: PlannedQuery,
  session: Session,
): AsyncGenerator<readonly RDF.Quad[]> {
  const filled = await Template.open(template, planned.plan.variables, session);
  const seen = new IdTable(4, session.memory);
  const row = [0, 0, 0, 0].map(() => new Uint32Array(1));
  let ids: number[] = [];
  const emit = (s: number, p: number, o: number, g: number): void => {
    row[0]![0] = s;
    row[1]![0] = p;
    row[2]![0] = o;
    row[3]![0] = g;
    const before = seen.size;
    if (seen.insert(row, 0) === before) ids.push(s, p, o, g);
  };
  // A template may have thousands of triples.
  const rowsAtOnce = Math.max(1, Math.floor(BATCH_ROWS / Math.max(1, template.length)));
  for await (const batch of runPlan(planned, session)) {
    for (let start = 0; start < batch.length; start += rowsAtOnce) {
      const wait = filled.fill(sliceRows(batch, start, Math.min(batch.length, start + rowsAtOnce)), emit);
      if (wait !== undefined) await wait;
      yield* toQuads(ids, session);
      ids = [];
    }
  }
}

async function* described(
  { terms: resources }: Describe,
  { planned, selection }: Prepared,
  session: Session,
): AsyncGenerator<readonly RDF.Quad[]> {
  const constants = new Constants();
  const graph = defaultGraphOf(selection, constants);
  const ids: number[] = [];
  for (const { term } of constants.all) ids.push(await session.terms.find(session.resolve(term)));
  const description = new Description({ ...session, constants: ids }, graph);
  const about = async function* (resource: number): AsyncGenerator<readonly RDF.Quad[]> {
    for await (const rows of description.triples(resource)) {
      yield* toQuads(
        rows.flatMap(({ s, p, o }) => [s, p, o, DEFAULT_GRAPH]),
        session,
      );
    }
  };
  for (const term of resources) {
    if (term.termType !== 'Variable') yield* about(await session.terms.find(session.resolve(term)));
  }
  if (planned.plan.variables.length === 0) return;
  for await (const batch of runPlan(planned, session)) {
    for (let row = 0; row < batch.length; row++) for (const column of batch.columns) yield* about(column[row]!);
  }
}

/** In pieces where their objects are long. */
async function* toQuads(ids: readonly number[], { dataset, terms }: Session): AsyncGenerator<RDF.Quad[]> {
  let quads: RDF.Quad[] = [];
  let characters = 0;
  for (let i = 0; i < ids.length; i += 4) {
    const [s, p, o, g] = [0, 1, 2, 3].map((place) => dataset.term(ids[i + place]!));
    quads.push(
      dataFactory.quad(
        (s ?? (await terms.term(ids[i]!))) as RDF.Quad_Subject,
        (p ?? (await terms.term(ids[i + 1]!))) as RDF.Quad_Predicate,
        (o ?? (await terms.term(ids[i + 2]!))) as RDF.Quad_Object,
        (g ?? (await terms.term(ids[i + 3]!))) as RDF.Quad_Graph,
      ),
    );
    characters += quads.at(-1)!.object.value.length;
    if (characters <= MOST_CHARACTERS) continue;
    yield quads;
    quads = [];
    characters = 0;
  }
  if (quads.length > 0) yield quads;
}
