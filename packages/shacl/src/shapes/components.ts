/** Constraint components that the shapes define in SPARQL. */
import type * as RDF from '@rdfjs/types';
import { literal, termToNTriples } from '@quadrille/model';
import { SH } from '../vocabulary.js';
import { invalid, shownTerm, type Warnings } from './invalid.js';
import { isTrue } from './parameters.js';
import { filled } from './query-text.js';
import { askConstraint, selectConstraint, type SparqlContext } from './sparql-constraint.js';
import type { Constraint } from './shape.js';
import type { TermGraph } from './term-graph.js';

interface Parameter {
  readonly path: string;
  /** The name of its variable: what follows the last `#` or `/` of its path. */
  readonly name: string;
  readonly optional: boolean;
}

/** A component, or a type of targets: both have parameters. */
export interface Parameterised {
  readonly node: RDF.Term;
  readonly parameters: readonly Parameter[];
}

const NAME = /[\p{L}_][\p{L}\p{N}_]*$/u;

/** What the parameters of a node are. @throws ShapesError `SHAPES_INVALID` */
export function parametersOf(graph: TermGraph, node: RDF.Term): readonly Parameter[] {
  return graph.sh(node, 'parameter').map((parameter) => {
    const path = graph.one(parameter, 'path');
    if (path?.termType !== 'NamedNode') throw invalid(node, 'a parameter needs sh:path with an IRI');
    const name = NAME.exec(path.value)?.[0];
    if (name === undefined)
      throw invalid(node, `the parameter ${shownTerm(path)} does not end with a name of a variable`);
    if (RESERVED.has(name)) throw invalid(node, `a parameter cannot have the name ${name}`);
    return { path: path.value, name, optional: isTrue(node, graph.one(parameter, 'optional'), 'optional') };
  });
}

const RESERVED: ReadonlySet<string> = new Set(['this', 'shapesGraph', 'currentShape', 'path', 'PATH', 'value']);

/** The components that a graph defines, but those of SHACL itself. */
export function componentsOf(graph: TermGraph): readonly Parameterised[] {
  const found: Parameterised[] = [];
  for (const { node } of graph.subjects()) {
    if (node.value.startsWith(SH) || !graph.isInstance(node, [`${SH}ConstraintComponent`])) continue;
    const parameters = parametersOf(graph, node);
    if (parameters.some(({ optional }) => !optional)) found.push({ node, parameters });
  }
  return found;
}

/** The values of parameters that a node has, once for each value of a single one; none if it lacks one. */
export function* valuesOf(
  graph: TermGraph,
  { node: component, parameters }: Parameterised,
  node: RDF.Term,
): Generator<Record<string, RDF.Term>> {
  const mandatory = parameters.filter(({ optional }) => !optional);
  if (!mandatory.every(({ path }) => graph.values(node, path).length > 0)) return;
  if (parameters.length === 1) {
    const [{ path, name }] = parameters as [Parameter];
    for (const value of graph.values(node, path)) yield { [name]: value };
    return;
  }
  const values: Record<string, RDF.Term> = {};
  for (const { path, name } of parameters) {
    const [value, ...others] = graph.values(node, path);
    if (others.length > 0)
      throw invalid(node, `it has several values of <${path}>, of which ${shownTerm(component)} takes one`);
    if (value !== undefined) values[name] = value;
  }
  yield values;
}

export type ComponentContext = Omit<SparqlContext, 'component' | 'parameters' | 'messages'>;

/** The constraints of a shape by components of its graph. */
export function* componentConstraints(
  components: readonly Parameterised[],
  context: ComponentContext,
  warnings: Warnings,
): Generator<Constraint> {
  const { graph, owner } = context.place;
  for (const component of components) {
    for (const parameters of valuesOf(graph, component, owner)) {
      const kind = context.path === undefined ? 'nodeValidator' : 'propertyValidator';
      const own = graph.sh(component.node, kind);
      const validators = own.length > 0 ? own : graph.sh(component.node, 'validator');
      const validator = validators.find((node) => graph.sh(node, 'select').length + graph.sh(node, 'ask').length > 0);
      if (validator === undefined) {
        const [{ path }] = component.parameters as [Parameter];
        const text = shownTerm(component.node);
        warnings.add(owner, `<${path}>`, `the component ${text} has no validator in SPARQL for such shapes`);
        continue;
      }
      yield constraintOf(component, validator, parameters, context);
    }
  }
}

function constraintOf(
  { node: component }: Parameterised,
  validator: RDF.Term,
  parameters: Record<string, RDF.Term>,
  context: ComponentContext,
): Constraint {
  const { graph, owner } = context.place;
  const said = graph.sh(component, 'message');
  const labels = filled(graph.sh(component, 'labelTemplate'), parameters);
  const whole: SparqlContext = {
    ...context,
    place: { graph, owner, node: validator },
    component: component.termType === 'NamedNode' ? component.value : termToNTriples(component),
    parameters,
    messages: said.length > 0 ? said : labels.map(({ value }) => literal(value)),
  };
  return graph.sh(validator, 'ask').length > 0 ? askConstraint(whole) : selectConstraint(whole);
}
