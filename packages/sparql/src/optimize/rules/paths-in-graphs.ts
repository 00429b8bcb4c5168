/** Paths in GRAPH with a variable: what has a fixed length is patterns; a search needs to know its graph. */
import type * as RDF from '@rdfjs/types';
import { defaultGraph } from '@quadrille/model';
import type { Operation, Path, PropertyPath } from '../../algebra/algebra.js';
import { makePattern, makeVariable } from '../../algebra/terms.js';

type NewName = () => string;
interface Closure {
  readonly type: 'ZeroOrMorePath' | 'OneOrMorePath' | 'ZeroOrOnePath';
  readonly path: PropertyPath;
}

const DEFAULT = defaultGraph();

/**
 * The inputs of a join with their paths taken apart as far as algebra can express them. A join among them is opened if `opens` says
 * so: it may have paths.
 */
export function pathsInGraph(
  inputs: readonly Operation[],
  newName: NewName,
  opens: (join: Operation) => boolean,
): { readonly parts: Operation[]; readonly paths: PathInGraph[] } {
  const parts: Operation[] = [];
  const paths: PathInGraph[] = [];
  const add = (subject: RDF.Term, predicate: PropertyPath, object: RDF.Term): void => {
    switch (predicate.type) {
      case 'link':
        parts.push({ type: 'bgp', patterns: [makePattern(subject, predicate.iri, object, DEFAULT)] });
        return;
      case 'nps':
        parts.push(...notAmong(predicate, subject, object, newName));
        return;
      case 'inv':
        add(object, predicate.path, subject);
        return;
      case 'alt':
        parts.push({ type: 'union', input: predicate.input.map((path) => pathOf(subject, path, object)) });
        return;
      case 'seq': {
        let from = subject;
        for (const [i, step] of predicate.input.entries()) {
          const to = i === predicate.input.length - 1 ? object : makeVariable(newName());
          add(from, step, to);
          from = to;
        }
        return;
      }
      default:
        paths.push(new PathInGraph(subject, { type: predicate.type, path: predicate.path }, object));
    }
  };
  const open = inputs.toReversed();
  for (let input = open.pop(); input !== undefined; input = open.pop()) {
    if (input.type === 'join' && opens(input)) for (const part of input.input.toReversed()) open.push(part);
    else if (input.type === 'path') add(input.subject, input.predicate, input.object);
    else parts.push(input);
  }
  return { parts, paths };
}

// A pattern with a filter.
function notAmong(
  { iris }: PropertyPath & { type: 'nps' },
  subject: RDF.Term,
  object: RDF.Term,
  newName: NewName,
): Operation[] {
  const predicate = makeVariable(newName());
  const input: Operation = { type: 'bgp', patterns: [makePattern(subject, predicate, object, DEFAULT)] };
  if (iris.length === 0) return [input];
  const args = [predicate, ...iris].map((term) => ({ type: 'expression', subType: 'term', term }) as const);
  return [{ type: 'filter', input, expression: { type: 'expression', subType: 'operator', operator: 'notin', args } }];
}

const pathOf = (subject: RDF.Term, predicate: PropertyPath, object: RDF.Term): Path => ({
  type: 'path',
  subject,
  predicate,
  object,
  graph: DEFAULT,
});

/** A search of any length, or of length zero or one, in a graph that another part of the join gives. */
export class PathInGraph {
  readonly operation: Path;

  constructor(
    private readonly subject: RDF.Term,
    private readonly closure: Closure,
    private readonly object: RDF.Term,
  ) {
    this.operation = pathOf(subject, closure, object);
  }

  /** Whether an end is a term or one of these variables. */
  isFrom(known: ReadonlySet<string>): boolean {
    return [this.subject, this.object].some((end) => isKnown(end, known));
  }

  /**
   * The graphs, with the nodes, where the search can begin; perhaps others too: with patterns without a graph. `undefined`: it can begin in
   * every graph.
   */
  binder(known: ReadonlySet<string>, newName: NewName): Operation | undefined {
    const isBackward = !isKnown(this.subject, known) && isKnown(this.object, known);
    const start = isBackward ? this.object : this.subject;
    const variables = start.termType === 'Variable' ? [start] : [];
    const pairs = (patterns: readonly Operation[]): Operation => {
      const input: Operation = patterns.length === 1 ? patterns[0]! : { type: 'union', input: patterns };
      return { type: 'distinct', input: { type: 'project', variables, input } };
    };
    if (this.closure.type !== 'OneOrMorePath') {
      if (this.isFrom(known)) return undefined;
      // Length zero joins each node with itself.
      return pairs([anyStep(start, true, newName), anyStep(start, false, newName)]);
    }
    const first = firstSteps(this.closure.path, !isBackward, start, newName);
    return first && pairs(first);
  }
}

const isKnown = (end: RDF.Term, known: ReadonlySet<string>): boolean =>
  end.termType === 'Variable' ? known.has(end.value) : true;

/** Patterns of which one matches where a path can leave `start`; `undefined` where it can stay there. */
function firstSteps(path: PropertyPath, forward: boolean, start: RDF.Term, newName: NewName): Operation[] | undefined {
  switch (path.type) {
    case 'link':
      return [step(start, path.iri, forward, newName)];
    case 'nps':
      return [anyStep(start, forward, newName)];
    case 'inv':
      return firstSteps(path.path, !forward, start, newName);
    case 'seq':
      return firstSteps(path.input.at(forward ? 0 : -1)!, forward, start, newName);
    case 'alt': {
      const all = path.input.map((one) => firstSteps(one, forward, start, newName));
      return all.every((one) => one !== undefined) ? all.flat() : undefined;
    }
    case 'OneOrMorePath':
      return firstSteps(path.path, forward, start, newName);
    default:
      return undefined;
  }
}

const anyStep = (start: RDF.Term, forward: boolean, newName: NewName): Operation =>
  step(start, makeVariable(newName()), forward, newName);

function step(start: RDF.Term, predicate: RDF.Term, forward: boolean, newName: NewName): Operation {
  const end = makeVariable(newName());
  const [subject, object] = forward ? [start, end] : [end, start];
  return { type: 'bgp', patterns: [makePattern(subject, predicate, object, DEFAULT)] };
}
