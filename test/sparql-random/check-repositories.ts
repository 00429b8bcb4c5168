/** One random query over one repository, and over the same data in several ones that it asks by SERVICE and FROM. */
import { NotFoundError } from '@quadrille/model';
import { Engine, type EvaluationOptions, type QueryableDataset, type Repositories } from '@quadrille/sparql';
import { ArrayDataset } from '../../packages/sparql/src/testing/array-dataset.js';
import { answerOf, type Answer } from './answers.js';
import { Chance } from './chance.js';
import {
  countRows,
  differ,
  fail,
  isTooLarge,
  missing,
  type Outcome,
  type QueryCase,
  withoutSlice,
} from './check-query.js';
import { modesOf, sameAnswer } from './compare.js';
import { toQuads, type QuadText } from './data.js';
import type { Pattern, Query, TermText } from './syntax.js';
import { writeQuery } from './write.js';

export interface RepositoriesCase extends QueryCase {
  /** Decides which groups go to another repository. */
  readonly choice: number;
}

const engine = new Engine();
const MAX_ROWS = 1500;
/** Of the groups that can go to another repository, so many do. */
const SHARE = 0.75;
/** The name of the repository whose default graph is the graph of this name; `''` is the default graph. */
const addressOf = (graph: TermText): TermText => `<repo:data/${graph.replace('ex:', '') || 'whole'}>`;

/** Blank nodes of two repositories are different nodes: the data have none. */
const isComparable = (quad: QuadText): boolean => !quad.some((term) => term.includes('_:'));

export async function checkRepositories({ data, query, choice }: RepositoriesCase): Promise<Outcome> {
  const quads = data.filter(isComparable);
  const full = withoutSlice(query);
  const text = writeQuery(full);
  const split = writeSplit(full, quads, new Chance(choice));
  const dataset = new ArrayDataset(toQuads(quads), { batchQuads: 64 });
  const answer = await answerOf(engine, text, dataset, { maxRows: MAX_ROWS });
  if (text.includes('BNODE') || isTooLarge(answer)) return { rows: countRows(answer), left: 'not comparable' };
  const variants: [
    string,
    (quads: readonly QuadText[]) => QueryableDataset & { openScans: number },
    EvaluationOptions,
  ][] = [
    ['with other repositories', (some) => new ArrayDataset(toQuads(some), { batchQuads: 64 }), {}],
    ['fetching', (some) => missing(toQuads(some)), {}],
    ['unoptimised', (some) => new ArrayDataset(toQuads(some), { batchQuads: 64 }), { unoptimised: true }],
  ];
  for (const [name, make, options] of variants) {
    const opened = new Map<string, QueryableDataset & { openScans: number }>();
    const repositories = repositoriesOf(quads, make, opened);
    const own = make(quads);
    const other = await answerOf(engine, split, own, { ...options, repositories, maxRows: MAX_ROWS });
    if (isTooLarge(other)) continue;
    const comparison = { modes: modesOf(full), byValue: true };
    if (!sameAnswer(answer, other, comparison)) return differ(`${name} differs`, answer, `${split}\n${name}`, other);
    for (const one of [own, ...opened.values()]) {
      if (one.openScans !== 0) return fail(answer, 'open scans', `${one.openScans} scans were left open: ${split}`);
    }
  }
  return { rows: split === text ? 0 : rowsOf(answer) };
}

const rowsOf = (answer: Answer): number => (answer.type === 'error' ? 0 : countRows(answer));

/** Each has all named graphs, and one of the graphs as its default graph. */
function repositoriesOf(
  quads: readonly QuadText[],
  make: (quads: readonly QuadText[]) => QueryableDataset & { openScans: number },
  opened: Map<string, QueryableDataset & { openScans: number }>,
): Repositories {
  return {
    async open({ iri, name }) {
      const graph = graphsOf(quads).find((one) => addressOf(one) === `<${iri}>`);
      if (graph === undefined && !/whole|g\d|a$/.test(name)) throw new NotFoundError('REPOSITORY_NOT_FOUND', name);
      const named = quads.filter(([, , , g]) => g !== '');
      const own = quads.filter(([, , , g]) => g === graph).map(([s, p, o]): QuadText => [s, p, o, '']);
      const dataset = make([...named, ...own]);
      opened.set(iri, dataset);
      return dataset;
    },
  };
}

const graphsOf = (quads: readonly QuadText[]): TermText[] => ['', ...new Set(quads.map(([, , , graph]) => graph))];

/** The query with some of its groups as SERVICE, and its FROM as repositories. */
export function writeSplit(query: Query, quads: readonly QuadText[], chance: Chance): string {
  const split = new Splitter(graphsOf(quads), chance);
  const from = query.fromNamed.length === 0 ? query.from.map(addressOf) : query.from;
  // A SERVICE does not see the graphs of FROM.
  const isWhole = query.from.length + query.fromNamed.length === 0;
  const moved = isWhole ? split.query(query) : query;
  return writeQuery({ ...moved, from }).replaceAll('GRAPH <repo:', 'SERVICE <repo:');
}

/** In a graph that varies nothing moves: a SERVICE does not know it. */
type ActiveGraph = TermText | undefined;

class Splitter {
  constructor(
    private readonly graphs: readonly TermText[],
    private readonly chance: Chance,
  ) {}

  query(query: Query): Query {
    return this.#inside(query, '');
  }

  /** A tree with its groups moved: groups, branches of UNION, sides of MINUS, sub-selects and patterns of EXISTS. */
  #inside<T>(node: T, graph: ActiveGraph): T {
    if (Array.isArray(node)) return node.map((item: unknown) => this.#inside(item, graph)) as T;
    if (typeof node !== 'object' || node === null) return node;
    const pattern = node as unknown as Pattern;
    if (pattern.pattern === 'graph') return this.#graph(pattern) as T;
    const copy: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(node)) copy[key] = this.#inside(value, graph);
    if (pattern.pattern === 'union')
      copy['branches'] = (copy['branches'] as Pattern[][]).map((one) => this.#moved(one, graph));
    const isAlone = pattern.pattern === 'group' || pattern.pattern === 'minus' || 'columns' in node || 'expr' in node;
    if (isAlone && Array.isArray(copy['where'])) copy['where'] = this.#moved(copy['where'] as Pattern[], graph);
    return copy as T;
  }

  #graph(pattern: Pattern & { readonly pattern: 'graph' }): Pattern {
    const isVariable = pattern.graph.startsWith('?');
    // GRAPH has a solution only where the graph exists, SERVICE where the repository does.
    const moves = !isVariable && this.graphs.includes(pattern.graph) && this.chance.in(SHARE);
    const where = this.#inside(pattern.where, isVariable ? undefined : pattern.graph);
    return { ...pattern, where, graph: moves ? addressOf(pattern.graph) : pattern.graph };
  }

  #moved(where: readonly Pattern[], graph: ActiveGraph): readonly Pattern[] {
    if (graph === undefined || !this.graphs.includes(graph) || !this.chance.in(SHARE)) return where;
    return [{ pattern: 'graph', graph: addressOf(graph), where }];
  }
}
