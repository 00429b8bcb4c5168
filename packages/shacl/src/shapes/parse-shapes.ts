/** Reads a graph of shapes. */
import type * as RDF from '@rdfjs/types';
import { iri, termToNTriples } from '@quadrille/model';
import { linearLibrary } from '@quadrille/sparql';
import { OWL_CLASS, RDF_TYPE, RDFS_CLASS, SH, SUB_CLASS_OF } from '../vocabulary.js';
import { invalid, shownTerm } from './invalid.js';
import * as logic from './logic.js';
import { isTrue, OF_PROPERTIES, PARAMETERS, type ShapeReader, SINGLE, wholeNumber } from './parameters.js';
import { parsePath } from './parse-path.js';
import type { BoundTerm, Path } from './paths.js';
import type { Constraint, Shape, Target } from './shape.js';
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
}

/** Shapes within shapes. Deeper ones could overflow the stack. */
const MOST_DEPTH = 100;

const TARGETS = {
  targetNode: 'node',
  targetClass: 'class',
  targetSubjectsOf: 'subjectsOf',
  targetObjectsOf: 'objectsOf',
};

/** Predicates of SHACL that shapes may have, and that are no constraints. */
const OTHERS: ReadonlySet<string> = new Set(
  [
    Object.keys(TARGETS),
    ['path', 'property', 'flags', 'ignoredProperties', 'severity', 'message', 'deactivated'],
    ['qualifiedValueShape', 'qualifiedMinCount', 'qualifiedMaxCount', 'qualifiedValueShapesDisjoint'],
    ['name', 'description', 'order', 'group', 'defaultValue', 'rule', 'declare', 'prefixes', 'entailment'],
  ].flat(),
);

/** @throws ShapesError `SHAPES_INVALID` for a shape that is not well formed, or that needs more than SHACL Core */
export async function parseShapes(quads: Iterable<RDF.Quad>): Promise<ShapesGraph> {
  // Regular expressions are compiled while the shapes are read.
  await linearLibrary.load();
  return new ShapesParser(new TermGraph(quads)).parse();
}

class ShapesParser {
  readonly #bound = new Map<string, BoundTerm>();
  readonly #shapes = new Map<string, Shape>();
  /** Shapes that are being read. */
  readonly #open: RDF.Term[] = [];
  readonly #list: Shape[] = [];
  readonly #type = this.#bind(iri(RDF_TYPE));
  readonly #subClassOf = this.#bind(iri(SUB_CLASS_OF));
  readonly #typePath: Path = {
    kind: 'sequence',
    paths: [
      { kind: 'predicate', predicate: this.#type },
      { kind: 'repeat', path: { kind: 'predicate', predicate: this.#subClassOf }, least: 0, many: true },
    ],
  };

  constructor(private readonly graph: TermGraph) {}

  parse(): ShapesGraph {
    for (const { node } of this.graph.subjects()) if (this.#isShape(node)) this.#shape(node);
    const [type, subClassOf, typePath] = [this.#type, this.#subClassOf, this.#typePath];
    return { shapes: this.#list, terms: [...this.#bound.values()], type, subClassOf, typePath };
  }

  #bind(term: RDF.Term): BoundTerm {
    const key = termToNTriples(term);
    let bound = this.#bound.get(key);
    if (bound === undefined) this.#bound.set(key, (bound = { term, id: 0 }));
    return bound;
  }

  // Those that are said to be shapes, and those with targets. Others are found through the shapes that name them.
  #isShape(node: RDF.Term): boolean {
    const { graph } = this;
    const types = graph.values(node, RDF_TYPE);
    if (types.some(({ value }) => value === `${SH}NodeShape` || value === `${SH}PropertyShape`)) return true;
    return Object.keys(TARGETS).some((name) => graph.sh(node, name).length > 0);
  }

  #shape(node: RDF.Term): Shape {
    const key = termToNTriples(node);
    const known = this.#shapes.get(key);
    if (known !== undefined) return known;
    if (node.termType === 'Literal') throw invalid(this.#open.at(-1) ?? node, `${shownTerm(node)} is no shape`);
    if (this.#open.some((open) => open.equals(node)))
      throw invalid(node, 'it refers to itself, and SHACL does not define what that means; sh:class asks for a class');
    if (this.#open.length >= MOST_DEPTH)
      throw invalid(node, `more than ${String(MOST_DEPTH)} shapes contain each other`);
    this.#open.push(node);
    const shape = this.#read(node);
    this.#open.pop();
    this.#list.push(shape);
    this.#shapes.set(key, shape);
    return shape;
  }

  #read(owner: RDF.Term): Shape {
    const { graph } = this;
    const paths = graph.sh(owner, 'path');
    if (paths.length > 1) throw invalid(owner, `it has ${String(paths.length)} values of sh:path, not one`);
    const [pathNode] = paths;
    const isType = (name: string): boolean => graph.values(owner, RDF_TYPE).some(({ value }) => value === SH + name);
    if (pathNode === undefined && isType('PropertyShape')) throw invalid(owner, 'a property shape needs sh:path');
    if (pathNode !== undefined && isType('NodeShape')) throw invalid(owner, 'a node shape cannot have sh:path');
    const bind = (term: RDF.Term): BoundTerm => this.#bind(term);
    const shape = (node: RDF.Term): Shape => this.#shape(node);
    const isProperty = pathNode !== undefined;
    const reader: ShapeReader = { graph, owner, isProperty, bind, shape, typePath: this.#typePath };
    const path = pathNode && parsePath(graph, owner, pathNode, bind);
    const constraints = [...this.#constraints(reader), ...this.#qualified(reader)];
    const properties = graph.sh(owner, 'property').map((node) => {
      const property = this.#shape(node);
      if (property.path === undefined) throw invalid(node, 'a property shape needs sh:path');
      return property;
    });
    return {
      node: owner,
      path,
      constraints,
      properties,
      targets: this.#targets(owner),
      severity: this.#severity(owner),
      messages: graph.sh(owner, 'message'),
      deactivated: isTrue(owner, graph.one(owner, 'deactivated'), 'deactivated'),
    };
  }

  *#constraints(reader: ShapeReader): Generator<Constraint> {
    const { owner, isProperty } = reader;
    for (const [predicate, values] of this.graph.subject(owner)?.values ?? []) {
      if (!predicate.startsWith(SH)) continue;
      const name = predicate.slice(SH.length);
      if (OTHERS.has(name)) continue;
      const parameter = Object.hasOwn(PARAMETERS, name) ? PARAMETERS[name]! : undefined;
      if (parameter === undefined) throw invalid(owner, `sh:${name} is no parameter of SHACL Core`);
      if (!isProperty && OF_PROPERTIES.has(name)) throw invalid(owner, `sh:${name} is for property shapes alone`);
      if (SINGLE.has(name)) this.graph.one(owner, name);
      for (const value of values) {
        const constraint = parameter(reader, value, name);
        if (constraint !== undefined) yield constraint;
      }
    }
  }

  *#qualified(reader: ShapeReader): Generator<Constraint> {
    const { graph, owner } = reader;
    const [min, max] = [graph.one(owner, 'qualifiedMinCount'), graph.one(owner, 'qualifiedMaxCount')];
    const shapes = graph.sh(owner, 'qualifiedValueShape');
    if (shapes.length > 0 && !reader.isProperty)
      throw invalid(owner, 'sh:qualifiedValueShape is for property shapes alone');
    const isDisjoint = isTrue(owner, graph.one(owner, 'qualifiedValueShapesDisjoint'), 'qualifiedValueShapesDisjoint');
    for (const node of shapes) {
      const shape = this.#shape(node);
      const others = isDisjoint ? this.#siblings(owner, node).map((sibling) => this.#shape(sibling)) : [];
      if (min) yield logic.qualified(shape, others, 'QualifiedMinCount', wholeNumber(reader, min, 'qualifiedMinCount'));
      if (max) yield logic.qualified(shape, others, 'QualifiedMaxCount', wholeNumber(reader, max, 'qualifiedMaxCount'));
    }
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
    return targets;
  }

  #iri(owner: RDF.Term, term: RDF.Term): BoundTerm {
    if (term.termType === 'NamedNode') return this.#bind(term);
    throw invalid(owner, `its target must be an IRI, not ${shownTerm(term)}`);
  }

  #severity(owner: RDF.Term): RDF.Term {
    const severity = this.graph.one(owner, 'severity');
    if (severity === undefined) return iri(`${SH}Violation`);
    if (severity.termType === 'NamedNode') return severity;
    throw invalid(owner, `sh:severity must be an IRI, not ${shownTerm(severity)}`);
  }
}
