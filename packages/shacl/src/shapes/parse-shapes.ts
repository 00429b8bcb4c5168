/** Reads a graph of shapes. */
import type * as RDF from '@rdfjs/types';
import { iri, termToNTriples } from '@quadrille/model';
import { linearLibrary } from '@quadrille/sparql';
import { OWL_CLASS, RDF_REIFIES, RDF_TYPE, RDFS_CLASS, SH, SUB_CLASS_OF } from '../vocabulary.js';
import { type ComponentContext, componentConstraints, componentsOf, type Parameterised } from './components.js';
import { invalid, shownTerm, type ShapesWarning, Warnings } from './invalid.js';
import * as logic from './logic.js';
import { noMeaning, warnOfRest } from './meaning.js';
import { isTrue, OF_PROPERTIES, PARAMETERS, type ShapeReader, SINGLE, wholeNumber } from './parameters.js';
import { parsePath } from './parse-path.js';
import type { BoundTerm, Path } from './paths.js';
import { SPARQL_COMPONENT } from './query-text.js';
import { markRecursion } from './mark-recursion.js';
import type { Constraint, Shape, Target } from './shape.js';
import { selectConstraint } from './sparql-constraint.js';
import { queryTarget } from './sparql-target.js';
import { TermGraph } from './term-graph.js';

/** A graph of shapes that is well formed. */
export interface ShapesGraph {
  /** All shapes; those with targets are validated. */
  readonly shapes: readonly Shape[];
  /** The terms whose numbers in the data must be known before it is used. */
  readonly terms: readonly BoundTerm[];
  /** `rdf:type`. */
  readonly type: BoundTerm;
  /** `rdfs:subClassOf`. */
  readonly subClassOf: BoundTerm;
  /** From a node to its classes and their superclasses. */
  readonly typePath: Path;
  /** Statements without meaning. */
  readonly warnings: readonly ShapesWarning[];
}

/** What shapes are read with. */
export interface ShapesOptions {
  /** The name of their graph, which queries know as `$shapesGraph`. */
  readonly graph: RDF.NamedNode;
  /** Whether statements without meaning, and shapes that refer to themselves, are errors. Default false. */
  readonly strict?: boolean | undefined;
}

/** Shapes within shapes. Deeper ones could overflow the stack. */
const MOST_DEPTH = 100;

const TARGETS = ['targetNode', 'targetClass', 'targetSubjectsOf', 'targetObjectsOf', 'target'];

/** @throws ShapesError `SHAPES_INVALID` for a shape that is not well formed */
export async function parseShapes(quads: Iterable<RDF.Quad>, options: ShapesOptions): Promise<ShapesGraph> {
  // Regular expressions are compiled while the shapes are read.
  await linearLibrary.load();
  return new ShapesParser(new TermGraph(quads), options).parse();
}

type Draft = { -readonly [K in keyof Shape]: Shape[K] };

class ShapesParser {
  readonly #bound = new Map<string, BoundTerm>();
  readonly #shapes = new Map<string, Draft>();
  /** Shapes that are being read. */
  readonly #open: RDF.Term[] = [];
  readonly #list: Draft[] = [];
  readonly #type = this.#bind(iri(RDF_TYPE));
  readonly #subClassOf = this.#bind(iri(SUB_CLASS_OF));
  readonly #typePath: Path = {
    kind: 'sequence',
    paths: [
      { kind: 'predicate', predicate: this.#type },
      { kind: 'repeat', path: { kind: 'predicate', predicate: this.#subClassOf }, least: 0, many: true },
    ],
  };
  readonly #warnings: Warnings;
  readonly #components: readonly Parameterised[];

  constructor(
    private readonly graph: TermGraph,
    private readonly options: ShapesOptions,
  ) {
    this.#warnings = new Warnings(options.strict === true);
    this.#components = componentsOf(graph);
  }

  parse(): ShapesGraph {
    const { graph, options } = this;
    for (const { node } of graph.subjects()) if (this.#isShape(node)) this.#shape(node);
    const recursive = markRecursion(this.#list);
    if (recursive !== undefined && options.strict === true)
      throw invalid(
        recursive.node,
        'it refers to itself, and SHACL does not define what that means; sh:class asks for a class',
      );
    warnOfRest(graph, (node) => this.#shapes.has(termToNTriples(node)), this.#warnings);
    const name = options.graph;
    if (graph.isEmpty) this.#warnings.add(name, 'the graph', 'it does not exist or is empty, so nothing is checked');
    else if (!this.#list.some(({ targets, deactivated }) => targets.length > 0 && !deactivated))
      this.#warnings.add(name, 'the graph', 'none of its shapes has a target, so nothing is checked');
    return {
      shapes: this.#list,
      terms: [...this.#bound.values()],
      type: this.#type,
      subClassOf: this.#subClassOf,
      typePath: this.#typePath,
      warnings: this.#warnings.list,
    };
  }

  #bind(term: RDF.Term): BoundTerm {
    const key = termToNTriples(term);
    let bound = this.#bound.get(key);
    if (bound === undefined) this.#bound.set(key, (bound = { term, id: 0 }));
    return bound;
  }

  // Those that are said to be shapes, and those with targets. Others are found through the shapes that name them.
  #isShape(node: RDF.Term): boolean {
    return (
      this.#isOf(node, 'NodeShape') ||
      this.#isOf(node, 'PropertyShape') ||
      TARGETS.some((name) => this.graph.sh(node, name).length > 0)
    );
  }

  #isOf(node: RDF.Term, type: string): boolean {
    return this.graph.values(node, RDF_TYPE).some(({ value }) => value === SH + type);
  }

  #shape(node: RDF.Term): Shape {
    const key = termToNTriples(node);
    const known = this.#shapes.get(key);
    if (known !== undefined) return known;
    if (node.termType === 'Literal') throw invalid(this.#open.at(-1) ?? node, `${shownTerm(node)} is no shape`);
    if (this.#open.length >= MOST_DEPTH)
      throw invalid(node, `more than ${String(MOST_DEPTH)} shapes contain each other`);
    // A shape that refers to itself finds this one.
    const shape: Draft = { ...NOTHING, node };
    this.#shapes.set(key, shape);
    this.#open.push(node);
    this.#read(shape);
    this.#open.pop();
    this.#list.push(shape);
    return shape;
  }

  #read(shape: Draft): void {
    const { graph } = this;
    const owner = shape.node;
    const paths = graph.sh(owner, 'path');
    if (paths.length > 1) throw invalid(owner, `it has ${String(paths.length)} values of sh:path, not one`);
    const [pathNode] = paths;
    if (pathNode === undefined && this.#isOf(owner, 'PropertyShape')) {
      shape.deactivated = true;
      return this.#warnings.add(owner, 'a sh:PropertyShape', 'a property shape needs sh:path, so nothing is checked');
    }
    if (pathNode !== undefined && this.#isOf(owner, 'NodeShape'))
      this.#warnings.add(owner, 'a sh:NodeShape', 'a node shape cannot have sh:path: it is taken as a property shape');
    const bind = (term: RDF.Term): BoundTerm => this.#bind(term);
    const read = (node: RDF.Term): Shape => this.#shape(node);
    const isProperty = pathNode !== undefined;
    const reader: ShapeReader = { graph, owner, isProperty, bind, shape: read, typePath: this.#typePath };
    shape.path = pathNode && parsePath(graph, owner, pathNode, bind);
    shape.severity = this.#severity(owner) ?? NOTHING.severity;
    shape.messages = graph.sh(owner, 'message');
    shape.deactivated = isTrue(owner, graph.one(owner, 'deactivated'), 'deactivated');
    shape.targets = this.#targets(owner);
    shape.properties = [...this.#properties(owner)];
    shape.constraints = [
      ...this.#constraints(reader),
      ...this.#qualified(reader),
      ...this.#reifierShapes(reader, shape.path),
      ...this.#inSparql(owner, shape.path),
    ];
  }

  *#properties(owner: RDF.Term): Generator<Shape> {
    for (const node of this.graph.sh(owner, 'property')) {
      const property = this.#shape(node);
      if (this.graph.sh(node, 'path').length > 0) yield property;
      else
        this.#warnings.add(
          owner,
          `sh:property ${shownTerm(node)}`,
          'a property shape needs sh:path, so nothing is checked',
        );
    }
  }

  *#constraints(reader: ShapeReader): Generator<Constraint> {
    const { owner, isProperty } = reader;
    for (const [predicate, values] of this.graph.subject(owner)?.values ?? []) {
      if (!predicate.startsWith(SH)) continue;
      const name = predicate.slice(SH.length);
      const parameter = Object.hasOwn(PARAMETERS, name) ? PARAMETERS[name]! : undefined;
      const reason =
        !isProperty && OF_PROPERTIES.has(name)
          ? `sh:${name} is for property shapes alone`
          : noMeaning(this.graph, owner, name);
      if (reason !== undefined) {
        for (const value of values) this.#warnings.add(owner, `sh:${name} ${shownTerm(value)}`, reason);
        continue;
      }
      if (parameter === undefined) continue;
      if (SINGLE.has(name)) this.graph.one(owner, name);
      for (const value of values) {
        const constraint = parameter(reader, value, name);
        if (constraint !== undefined) yield constraint;
      }
    }
  }

  *#inSparql(owner: RDF.Term, path: Path | undefined): Generator<Constraint> {
    const { graph } = this;
    const context = (node: RDF.Term): ComponentContext => ({
      place: { graph, owner, node },
      path,
      bind: (term) => this.#bind(term),
      shapesGraph: this.options.graph,
    });
    for (const node of graph.sh(owner, 'sparql')) {
      // The shape itself may be the node.
      if (!node.equals(owner) && isTrue(owner, graph.one(node, 'deactivated'), 'deactivated')) continue;
      const component = SPARQL_COMPONENT.value;
      const made = selectConstraint({ ...context(node), component, parameters: {}, messages: [] });
      yield { ...made, source: node, severity: this.#severity(node) };
    }
    yield* componentConstraints(this.#components, context(owner), this.#warnings);
  }

  *#qualified(reader: ShapeReader): Generator<Constraint> {
    const { graph, owner } = reader;
    const [min, max] = [graph.one(owner, 'qualifiedMinCount'), graph.one(owner, 'qualifiedMaxCount')];
    const shapes = reader.isProperty ? graph.sh(owner, 'qualifiedValueShape') : [];
    const isDisjoint = isTrue(owner, graph.one(owner, 'qualifiedValueShapesDisjoint'), 'qualifiedValueShapesDisjoint');
    for (const node of shapes) {
      const shape = this.#shape(node);
      const others = isDisjoint ? this.#siblings(owner, node).map((sibling) => this.#shape(sibling)) : [];
      if (min) yield logic.qualified(shape, others, 'QualifiedMinCount', wholeNumber(reader, min, 'qualifiedMinCount'));
      if (max) yield logic.qualified(shape, others, 'QualifiedMaxCount', wholeNumber(reader, max, 'qualifiedMaxCount'));
    }
  }

  *#reifierShapes({ graph, owner }: ShapeReader, path: Path | undefined): Generator<Constraint> {
    const shapes = path === undefined ? [] : graph.sh(owner, 'reifierShape');
    if (shapes.length === 0) return;
    if (path?.kind !== 'predicate')
      throw invalid(
        owner,
        'sh:reifierShape needs sh:path with an IRI: only a triple has reifiers, and a longer path has no triple',
      );
    const isRequired = isTrue(owner, graph.one(owner, 'reificationRequired'), 'reificationRequired');
    const walk = { kind: 'reifiers', predicate: path.predicate, reifies: this.#bind(iri(RDF_REIFIES)) } as const;
    yield logic.reifierShapes(
      shapes.map((node) => this.#shape(node)),
      walk,
      isRequired,
    );
  }

  // The qualified shapes of the property shapes beside this one.
  #siblings(owner: RDF.Term, own: RDF.Term): readonly RDF.Term[] {
    const found = new Map<string, RDF.Term>();
    for (const { node } of this.graph.subjects()) {
      const properties = this.graph.sh(node, 'property');
      if (!properties.some((property) => property.equals(owner))) continue;
      for (const property of properties)
        for (const shape of this.graph.sh(property, 'qualifiedValueShape'))
          if (!shape.equals(own)) found.set(termToNTriples(shape), shape);
    }
    return [...found.values()];
  }

  #targets(owner: RDF.Term): readonly Target[] {
    const targets: Target[] = [];
    for (const node of this.graph.sh(owner, 'targetNode')) targets.push({ kind: 'node', node: this.#bind(node) });
    for (const type of this.graph.sh(owner, 'targetClass'))
      targets.push({ kind: 'class', class: this.#iri(owner, type) });
    // A shape that is a class is for its instances.
    if (owner.termType === 'NamedNode' && this.#isShape(owner) && this.graph.isInstance(owner, [RDFS_CLASS, OWL_CLASS]))
      targets.push({ kind: 'class', class: this.#bind(owner) });
    for (const predicate of this.graph.sh(owner, 'targetSubjectsOf'))
      targets.push({ kind: 'subjectsOf', predicate: this.#iri(owner, predicate) });
    for (const predicate of this.graph.sh(owner, 'targetObjectsOf'))
      targets.push({ kind: 'objectsOf', predicate: this.#iri(owner, predicate) });
    for (const node of this.graph.sh(owner, 'target')) {
      const target = queryTarget({ graph: this.graph, owner, node }, this.options.graph, (term) => this.#bind(term));
      if (target !== undefined) targets.push(target);
      else
        this.#warnings.add(
          owner,
          `sh:target ${shownTerm(node)}`,
          'it is no target in SPARQL, so it has no focus nodes',
        );
    }
    return targets;
  }

  #iri(owner: RDF.Term, term: RDF.Term): BoundTerm {
    if (term.termType === 'NamedNode') return this.#bind(term);
    throw invalid(owner, `its target must be an IRI, not ${shownTerm(term)}`);
  }

  #severity(owner: RDF.Term): RDF.Term | undefined {
    const severity = this.graph.one(owner, 'severity');
    if (severity === undefined || severity.termType === 'NamedNode') return severity;
    throw invalid(owner, `sh:severity must be an IRI, not ${shownTerm(severity)}`);
  }
}

const NOTHING: Omit<Shape, 'node'> = {
  path: undefined,
  constraints: [],
  properties: [],
  targets: [],
  severity: iri(`${SH}Violation`),
  messages: [],
  deactivated: false,
  recursion: 'none',
};
