/** Answers of queries: rows, columns of ids, triples, or a boolean. A query runs when its answer is read. */
import type * as RDF from '@rdfjs/types';
import { dataFactory, DEFAULT_GRAPH, iterate, type LazySequence, lazySequence } from '@quadrille/model';
import type { Construct, Describe, Operation } from '../../algebra/algebra.js';
import type { GraphSelection } from '../../dataset/dataset-view.js';
import type { SparqlAnswer } from '../sparql-engine.js';
import type { Batch } from '../../execute/core/batch.js';
import { IdTable } from '../../execute/table/id-table.js';
import type { ParsedQuery } from '../../algebra/request.js';
import { Constants } from '../../plan/constants.js';
import { defaultGraphOf } from '../../plan/graph-scope.js';
import type { PlannedQuery } from '../../plan/planner.js';
import { Template } from './template-quads.js';
import { Description } from './describe.js';
import { PlanRun, runPlan, type Session } from '../execution.js';
import type { Resolve } from '../parameters.js';
import { unwrapForm } from './query-form.js';
import type { Run } from '../run.js';

/** What one query needs to run. */
export interface Prepared {
  readonly parsed: ParsedQuery;
  readonly algebra: Operation;
  readonly selection: GraphSelection;
  readonly planned: PlannedQuery;
  readonly resolve: Resolve;
}

export function answerOf(prepared: Prepared, run: Run): SparqlAnswer | Promise<SparqlAnswer> {
  const { planned, parsed, algebra } = prepared;
  const form = unwrapForm(algebra).node;
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
        batches: { [Symbol.asyncIterator]: () => rowsOf(iterate(solutions()), variables, run) },
        ids: {
          batches: solutions,
          term: (id) => run.session.dataset.term(id) ?? run.session.terms.term(id),
        },
      };
    }
  }
}

async function asked(planned: PlannedQuery, run: Run): Promise<SparqlAnswer> {
  const solutions = run.batches(
    (session) => new PlanRun(planned, session),
    () => 0,
  );
  const first = await solutions.next();
  await solutions.close();
  return { type: 'boolean', value: first !== undefined && first.length > 0 };
}

async function* rowsOf(
  batches: AsyncIterable<Batch>,
  variables: readonly string[],
  run: Run,
): AsyncGenerator<readonly Record<string, RDF.Term>[]> {
  for await (const { columns, length } of batches) {
    const { dataset, terms } = run.session;
    const rows: Record<string, RDF.Term>[] = Array.from({ length }, () => ({}));
    for (const [i, name] of variables.entries()) {
      const column = columns[i]!;
      let lastId = 0;
      let term: RDF.Term | undefined;
      for (let row = 0; row < length; row++) {
        const id = column[row]!;
        if (id === 0) continue;
        if (id !== lastId) {
          term = dataset.term(id) ?? (await terms.term(id));
          lastId = id;
        }
        setTerm(rows[row]!, name, term!);
      }
    }
    yield rows;
  }
}

// A variable may be called __proto__.
function setTerm(row: Record<string, RDF.Term>, name: string, term: RDF.Term): void {
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
  for await (const batch of runPlan(planned, session)) {
    const ids: number[] = [];
    await filled.fill(batch, (s, p, o, g) => {
      row[0]![0] = s;
      row[1]![0] = p;
      row[2]![0] = o;
      row[3]![0] = g;
      const before = seen.size;
      if (seen.insert(row, 0) === before) ids.push(s, p, o, g);
    });
    if (ids.length > 0) yield await toQuads(ids, session);
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
  for (const { term } of constants.all) ids.push(await session.terms.find(term));
  const description = new Description({ ...session, constants: ids }, graph);
  const about = async function* (resource: number): AsyncGenerator<readonly RDF.Quad[]> {
    for await (const rows of description.triples(resource)) {
      yield await toQuads(
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

async function toQuads(ids: readonly number[], { dataset, terms }: Session): Promise<RDF.Quad[]> {
  const quads: RDF.Quad[] = [];
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
  }
  return quads;
}
