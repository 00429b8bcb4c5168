/**
 * From which nodes a query reads which triples: along which paths its patterns hang on its pre-bound variables. A solution changes
 * only with a triple that such a path passes. Patterns that hang on no variable are read for all nodes.
 */
import type * as RDF from '@rdfjs/types';
import {
  expressionsIn,
  isTwoSided,
  partsOf,
  type Expression,
  type Operation,
  type Pattern,
  type PropertyPath,
} from '../algebra/algebra.js';
import { bindsGraph } from '../algebra/graph-transparency.js';
import { NO_NAMES } from '../algebra/name-sets.js';
import { inputsOf } from '../algebra/rewrite.js';
import { certainVariables } from '../algebra/variables.js';

/** Steps from the node that a variable stands for. */
export interface ReachedPath {
  /** The pre-bound variable. */
  readonly from: string;
  /** One after the other. */
  readonly steps: readonly PropertyPath[];
  /** What is read at the end of the path beside its steps: every edge that leaves the node, or that comes to it. */
  readonly edges?: 'out' | 'in';
}

/** Triples that are read for all nodes. A member that is missing stands for any term. */
export interface Touched {
  /** Their subject. */
  readonly subject?: RDF.Term | undefined;
  /** Their predicate. */
  readonly predicate?: RDF.Term | undefined;
  /** Their object. */
  readonly object?: RDF.Term | undefined;
}

/** What a query reads. */
export interface Reach {
  /** From its pre-bound variables. */
  readonly paths: readonly ReachedPath[];
  /** What is read for all nodes. */
  readonly touched: readonly Touched[];
}

type Way = Pick<ReachedPath, 'from' | 'steps'>;
/** How variables are reached that every solution binds. */
type Ways = ReadonlyMap<string, Way>;

interface Edge {
  readonly subject: RDF.Term;
  /** `undefined`: with any predicate. None at all: both are the same node. */
  readonly step: PropertyPath | 'none' | undefined;
  readonly predicate: RDF.Term | undefined;
  readonly object: RDF.Term;
}

/** What a query is looked at with. */
interface Query {
  readonly algebra: Operation;
  /** Its variables that the rows bind. */
  readonly names: readonly string[];
  /** Whether the rows are joined with its solutions, so that inner groups do not have the values. */
  readonly joined: boolean;
  /** A graph that is no part of the data. */
  readonly apart: RDF.Term | undefined;
}

export function reachOf({ algebra, names, joined, apart }: Query): Reach {
  const finder = new ReachFinder(new Set(joined ? [] : names), apart);
  finder.visit(algebra, new Map(names.map((name) => [name, { from: name, steps: [] }])));
  return { paths: finder.paths, touched: finder.touched };
}

class ReachFinder {
  readonly paths: ReachedPath[] = [];
  readonly touched: Touched[] = [];

  constructor(
    /** Variables that have their value in every scope. */
    private readonly everywhere: ReadonlySet<string>,
    private readonly apart: RDF.Term | undefined,
  ) {}

  visit(node: Operation, ways: Ways): void {
    if (isTwoSided(node)) {
      const left = this.#grown(node.input[0], ways);
      this.visit(node.input[0], left);
      const both = this.#grown(node.input[1], this.#only(left, certainVariables(node.input[0])));
      this.visit(node.input[1], both);
      this.#existences(expressionsIn(node), both);
      return;
    }
    switch (node.type) {
      case 'bgp':
      case 'path': {
        const grown = this.#grown(node, ways);
        for (const edge of edgesOf(node)) this.#read(edge, grown);
        return;
      }
      case 'graph':
        if (this.#isApart(node)) return;
        // Whether there is a graph depends on every quad in it.
        if (!bindsGraph(node.input)) this.touched.push({});
        this.visit(node.input, ways);
        return;
      case 'project':
      case 'group':
        this.visit(node.input, this.#only(ways, new Set(node.variables.map(({ value }) => value))));
        return;
      case 'slice':
        this.visit(node.input, this.#only(ways, NO_NAMES));
        return;
      case 'union':
        for (const input of node.input) this.visit(input, ways);
        return;
      case 'values':
      case 'nop':
        return;
      case 'service':
      case 'seed':
      case 'from':
      case 'describe':
        this.touched.push({});
        return;
      default: {
        const inputs = inputsOf(node);
        let grown = ways;
        for (let before = -1; before !== grown.size;) {
          before = grown.size;
          for (const input of inputs) grown = this.#grown(input, grown);
        }
        for (const input of inputs) this.visit(input, grown);
        // A row has only the variables of its own group.
        const certain = inputs.length === 1 ? certainVariables(inputs[0]!) : NO_NAMES;
        this.#existences(expressionsIn(node), this.#only(grown, certain));
      }
    }
  }

  #existences(expressions: readonly Expression[], ways: Ways): void {
    for (const expression of expressions)
      for (const part of partsOf(expression)) if (part.subType === 'existence') this.visit(part.input, ways);
  }

  #isApart({ name }: Operation & { type: 'graph' }): boolean {
    return this.apart !== undefined && name.termType === this.apart.termType && name.equals(this.apart);
  }

  /** The variables that a part sees of those around it, and those that have their value everywhere. */
  #only(ways: Ways, names: ReadonlySet<string>): Ways {
    return new Map([...ways].filter(([name]) => this.everywhere.has(name) || names.has(name)));
  }

  /** The ways with those through the patterns that hold in every solution of a part. */
  #grown(node: Operation, ways: Ways): Ways {
    const edges = [...this.#certain(node)];
    const grown = new Map(ways);
    for (let before = -1; before !== grown.size;) {
      before = grown.size;
      for (const { subject, object, step } of edges) {
        if (step === undefined) continue;
        const [from, to] = [wayTo(subject, grown), wayTo(object, grown)];
        if (from !== undefined && to === undefined && object.termType === 'Variable')
          grown.set(object.value, step === 'none' ? from : { ...from, steps: [...from.steps, step] });
        else if (to !== undefined && from === undefined && subject.termType === 'Variable' && step !== 'none')
          grown.set(subject.value, { ...to, steps: [...to.steps, { type: 'inv', path: step }] });
      }
    }
    return grown;
  }

  *#certain(node: Operation): Generator<Edge> {
    if (isTwoSided(node)) return yield* this.#certain(node.input[0]);
    switch (node.type) {
      case 'bgp':
      case 'path':
        return yield* edgesOf(node);
      case 'join':
        for (const input of node.input) yield* this.#certain(input);
        return;
      case 'extend':
        yield* this.#certain(node.input);
        // BIND (?x AS ?y) gives the same node another name.
        if (node.expression.subType === 'term' && this.#isBound(node.expression.term, node.input))
          yield { subject: node.expression.term, object: node.variable, predicate: undefined, step: 'none' };
        return;
      case 'filter':
      case 'orderby':
      case 'distinct':
      case 'reduced':
        return yield* this.#certain(node.input);
      case 'graph':
        if (!this.#isApart(node)) yield* this.#certain(node.input);
        return;
      default:
    }
  }

  #isBound(term: RDF.Term, input: Operation): boolean {
    return this.everywhere.has(term.value) || certainVariables(input).has(term.value);
  }

  #read({ subject, predicate, object, step }: Edge, ways: Ways): void {
    if (step === 'none') return;
    const [from, to] = [wayTo(subject, ways), wayTo(object, ways)];
    const isForward = from !== undefined && (to === undefined || from.steps.length <= to.steps.length);
    const way = isForward ? from : to;
    if (way === undefined) this.touched.push({ subject: constant(subject), predicate, object: constant(object) });
    else if (step === undefined) this.paths.push({ ...way, edges: isForward ? 'out' : 'in' });
    else this.paths.push({ ...way, steps: [...way.steps, isForward ? step : { type: 'inv', path: step }] });
    if (step !== undefined && isNullable(step) && [subject, object].every(isVariable)) this.#readNode(way);
  }

  /** A path without steps is one of each node that stands in the data at all. A node behind an edge does. */
  #readNode(way: Way | undefined): void {
    if (way === undefined) this.touched.push({});
    else if (way.steps.every(isNullable)) this.paths.push({ ...way, edges: 'out' }, { ...way, edges: 'in' });
  }
}

const isVariable = ({ termType }: RDF.Term): boolean => termType === 'Variable';

const wayTo = (term: RDF.Term, ways: Ways): Way | undefined =>
  term.termType === 'Variable' ? ways.get(term.value) : undefined;

const constant = (term: RDF.Term): RDF.Term | undefined =>
  term.termType === 'NamedNode' || term.termType === 'BlankNode' ? term : undefined;

function* edgesOf(node: Operation & { type: 'bgp' | 'path' }): Generator<Edge> {
  if (node.type === 'path') {
    const { subject, object, predicate: path } = node;
    // A path whose edges may have any predicate is read from everywhere.
    if (isOpen(path)) yield { subject: ANYTHING, object: ANYTHING, predicate: undefined, step: undefined };
    else yield { subject, object, predicate: undefined, step: path };
    return;
  }
  for (const pattern of node.patterns) yield edgeOf(pattern);
}

function edgeOf({ subject, predicate, object }: Pattern): Edge {
  const isKnown = predicate.termType === 'NamedNode';
  return {
    subject,
    object,
    predicate: isKnown ? predicate : undefined,
    step: isKnown ? { type: 'link', iri: predicate } : undefined,
  };
}

const ANYTHING = { termType: 'DefaultGraph', value: '' } as RDF.DefaultGraph;

/** Whether a path leads from a node to itself without an edge. */
function isNullable(path: PropertyPath): boolean {
  switch (path.type) {
    case 'ZeroOrMorePath':
    case 'ZeroOrOnePath':
      return true;
    case 'OneOrMorePath':
    case 'inv':
      return isNullable(path.path);
    case 'seq':
      return path.input.every(isNullable);
    case 'alt':
      return path.input.some(isNullable);
    default:
      return false;
  }
}

function isOpen(path: PropertyPath): boolean {
  if (path.type === 'nps') return true;
  if (path.type === 'link') return false;
  return 'path' in path ? isOpen(path.path) : path.input.some(isOpen);
}
