/** Requests evaluated by Comunica over terms: what the evaluator in id space does not have, and the oracle of its tests. */
import type * as RDF from '@rdfjs/types';
import { termToText } from '@quadrille/model';
import type { Ask, Construct, Describe, Operation } from '../../packages/sparql/src/algebra/algebra.js';
import { patternVariables } from '../../packages/sparql/src/algebra/algebra.js';
import { withoutServices } from './check-support.js';
import { ComunicaEvaluator, type EvaluationContext, type Solution } from './evaluator.js';
import { EvaluationControl, toEvaluationError } from '../../packages/sparql/src/control/control.js';
import { DatasetView, type ChangeableDataset, type ReadableDataset } from './dataset.js';
import { describeResources } from './describe.js';
import { parseRequest, queryOf, updateOf, type SparqlRequest } from '../../packages/sparql/src/engine/prepare.js';
import type { Explanation, SparqlAnswer, SparqlEngine } from '../../packages/sparql/src/engine/sparql-engine.js';
import { explainOperation } from './explain-algebra.js';
import { Instantiation } from './instantiate.js';
import { graphsFor, type EvaluationOptions } from '../../packages/sparql/src/engine/options.js';
import { newBlankNodePrefix } from '../../packages/sparql/src/algebra/terms.js';
import type { ParsedSparql } from '../../packages/sparql/src/algebra/request.js';
import { bindQuery, bindUpdate, columnsOf } from '../../packages/sparql/src/algebra/substitute-variables.js';
import { makeVariable } from '../../packages/sparql/src/algebra/terms.js';
import { UpdateRunner } from './update.js';

/** @throws EvaluationError `UNSUPPORTED` where Comunica is not installed */
export async function openComunicaEngine(): Promise<SparqlEngine> {
  return new ComunicaSparqlEngine(await ComunicaEvaluator.load());
}

class ComunicaSparqlEngine implements SparqlEngine {
  readonly #evaluator: ComunicaEvaluator;

  constructor(evaluator: ComunicaEvaluator) {
    this.#evaluator = evaluator;
  }

  async query(
    request: SparqlRequest,
    dataset: ReadableDataset,
    options: EvaluationOptions = {},
  ): Promise<SparqlAnswer> {
    const parsed = queryOf(parseRequest(request, options));
    const algebra = withoutServices(bindQuery(parsed.algebra, options.bindings ?? {}));
    const control = options.task?.control ?? new EvaluationControl(options);
    const view = new DatasetView(dataset, graphsFor(parsed.dataset, options));
    const context = { ...contextOf(parsed, options, control), view };
    if (parsed.kind === 'ask') return { type: 'boolean', value: await this.#ask(algebra, context) };
    if (parsed.kind === 'construct') {
      const quads = construct(algebra, (pattern) => this.#evaluator.solutions(pattern, context), context);
      return { type: 'quads', batches: guarded(inBatches(quads), control) };
    }
    if (parsed.kind === 'describe') {
      return { type: 'quads', batches: guarded(inBatches(this.#describe(algebra, context)), control) };
    }
    const batches = guarded(inBatches(this.#evaluator.solutions(algebra, context)), control);
    return { type: 'bindings', variables: columnsOf(algebra), batches };
  }

  async update(request: SparqlRequest, dataset: ChangeableDataset, options: EvaluationOptions = {}): Promise<void> {
    const parsed = updateOf(parseRequest(request, options));
    const control = options.task?.control ?? new EvaluationControl(options);
    const runner = new UpdateRunner(dataset, this.#evaluator, options, contextOf(parsed, options, control));
    try {
      for (const operation of parsed.operations) await runner.run(bindUpdate(operation, options.bindings ?? {}));
      control.throwIfFailed();
    } catch (error) {
      throw control.failure ?? toEvaluationError(error);
    } finally {
      control.release();
    }
  }

  async explain(
    request: SparqlRequest,
    dataset: ReadableDataset,
    options: EvaluationOptions = {},
  ): Promise<Explanation> {
    const parsed = parseRequest(request, options);
    const bindings = options.bindings ?? {};
    const view = new DatasetView(dataset, parsed.kind === 'update' ? undefined : graphsFor(parsed.dataset, options));
    const operations =
      parsed.kind === 'update'
        ? parsed.operations.map((operation) => bindUpdate(operation, bindings))
        : [bindQuery(parsed.algebra, bindings)];
    const texts = await Promise.all(operations.map((operation) => explainOperation(operation, view)));
    return { evaluator: 'comunica', text: texts.join('\n'), plan: operations };
  }

  async #ask(algebra: Operation, context: EvaluationContext): Promise<boolean> {
    const { node, wrap } = unwrap<Ask>(algebra, 'ask');
    const first: Operation = { type: 'slice', input: wrap(node.input), start: 0, length: 1 };
    for await (const _ of guarded(this.#evaluator.solutions(first, context), context.control)) return true;
    return false;
  }

  #describe(algebra: Operation, context: EvaluationContext): AsyncGenerator<RDF.Quad> {
    const { node, wrap } = unwrap<Describe>(algebra, 'describe');
    const variables = node.terms.filter((term): term is RDF.Variable => term.termType === 'Variable');
    const evaluate = (): AsyncGenerator<Solution> => {
      const selected: Operation = { type: 'project', input: node.input, variables };
      return this.#evaluator.solutions(wrap(selected), context);
    };
    return describeResources(resourcesOf(node.terms, evaluate), context.view, context.control);
  }
}

async function* resourcesOf(
  terms: readonly RDF.Term[],
  evaluate: () => AsyncGenerator<Solution>,
): AsyncGenerator<RDF.Term> {
  yield* terms.filter((term) => term.termType !== 'Variable');
  if (terms.every((term) => term.termType !== 'Variable')) return;
  for await (const solution of evaluate()) yield* Object.values(solution);
}

// Graphs are sets: repeated quads are left out as long as remembering them is cheap. Beyond that they may come again.
const REMEMBERED_QUADS = 65_536;

async function* construct(
  algebra: Operation,
  evaluate: (pattern: Operation) => AsyncGenerator<Solution>,
  context: EvaluationContext,
): AsyncGenerator<RDF.Quad> {
  const { node, wrap } = unwrap<Construct>(algebra, 'construct');
  const names = patternVariables(node.template).filter((name) => !name.startsWith('_:'));
  const pattern: Operation = { type: 'project', input: node.input, variables: names.map(makeVariable) };
  const instantiation = new Instantiation(node.template, `${context.blankNodePrefix}c`);
  const seen = new Set<string>();
  for await (const solution of evaluate(wrap(pattern))) {
    for (const quad of instantiation.quads(solution)) {
      const key = termToText(quad) + termToText(quad.graph);
      if (seen.has(key)) continue;
      if (seen.size < REMEMBERED_QUADS) seen.add(key);
      yield quad;
    }
  }
}

/** Finds the node of a query form below LIMIT and OFFSET, which then go around what is put in its place. */
export function unwrap<T extends Operation>(
  algebra: Operation,
  type: T['type'],
): { readonly node: T; readonly wrap: (inner: Operation) => Operation } {
  if (algebra.type === type) return { node: algebra as T, wrap: (inner) => inner };
  if (algebra.type === 'slice' || algebra.type === 'distinct' || algebra.type === 'reduced') {
    const { node, wrap } = unwrap<T>(algebra.input, type);
    return { node, wrap: (inner) => ({ ...algebra, input: wrap(inner) }) };
  }
  throw new Error(`the algebra has no ${type}`);
}

// An item alone as soon as it is there: whoever reads row by row waits for no other.
async function* inBatches<T>(items: AsyncIterable<T>): AsyncGenerator<readonly T[]> {
  for await (const item of items) yield [item];
}

/** Gives the control back its timer and its listener, however the iteration ends. */
export async function* guarded<T>(items: AsyncIterable<T>, control: EvaluationControl): AsyncGenerator<T> {
  try {
    for await (const item of items) {
      control.throwIfFailed();
      yield item;
    }
    control.throwIfFailed();
  } catch (error) {
    throw control.failure ?? toEvaluationError(error);
  } finally {
    control.release();
  }
}

function contextOf(
  parsed: ParsedSparql,
  options: EvaluationOptions,
  control: EvaluationControl,
): Omit<EvaluationContext, 'view'> {
  return {
    control,
    baseIRI: parsed.baseIRI,
    now: options.now ?? new Date(),
    blankNodePrefix: options.blankNodePrefix ?? newBlankNodePrefix(),
  };
}
