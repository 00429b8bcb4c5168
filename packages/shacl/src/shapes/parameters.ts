/** The parameters of shapes: from the values of a predicate of SHACL to constraints. */
import type * as RDF from '@rdfjs/types';
import { isWellFormedLiteral, regexOrFault } from '@quadrille/sparql';
import { XSD } from '@quadrille/model';
import * as values from './constraints.js';
import { invalid, shownTerm } from './invalid.js';
import * as logic from './logic.js';
import * as relations from './relations.js';
import type { BoundTerm, Path } from './paths.js';
import type { Constraint, Shape } from './shape.js';
import type { TermGraph } from './term-graph.js';

/** What the parameters of one shape are read with. */
export interface ShapeReader {
  readonly graph: TermGraph;
  /** The shape. */
  readonly owner: RDF.Term;
  readonly isProperty: boolean;
  bind(term: RDF.Term): BoundTerm;
  /** The shape that a node is. */
  shape(node: RDF.Term): Shape;
  /** The path from a node to its classes and their superclasses. */
  readonly typePath: Path;
}

type Parameter = (reader: ShapeReader, value: RDF.Term, name: string) => Constraint | undefined;

const fault = ({ owner }: ShapeReader, name: string, expected: string, value: RDF.Term): Error =>
  invalid(owner, `sh:${name} must be ${expected}, not ${shownTerm(value)}`);

function iri(reader: ShapeReader, value: RDF.Term, name: string): BoundTerm {
  if (value.termType !== 'NamedNode') throw fault(reader, name, 'an IRI', value);
  return reader.bind(value);
}

export function wholeNumber(reader: ShapeReader, value: RDF.Term, name: string): number {
  const number = value.termType === 'Literal' && isWellFormedLiteral(value) ? Number(value.value) : Number.NaN;
  if (
    value.termType === 'Literal' &&
    value.datatype.value.startsWith(XSD) &&
    Number.isSafeInteger(number) &&
    number >= 0
  )
    return number;
  throw fault(reader, name, 'a whole number', value);
}

/** @throws ShapesError `SHAPES_INVALID` if it is neither true nor false */
export function isTrue(owner: RDF.Term, value: RDF.Term | undefined, name: string): boolean {
  if (value === undefined) return false;
  const isBoolean = value.termType === 'Literal' && value.datatype.value === `${XSD}boolean`;
  if (isBoolean && /^(?:true|false|0|1)$/.test(value.value)) return value.value === 'true' || value.value === '1';
  throw invalid(owner, `sh:${name} must be true or false, not ${shownTerm(value)}`);
}

const ranges =
  (component: string): Parameter =>
  (reader, value, name) => {
    if (value.termType !== 'Literal') throw fault(reader, name, 'a literal', value);
    return values.range(component, value);
  };

const counted =
  (component: 'MinCount' | 'MaxCount'): Parameter =>
  (reader, value, name) =>
    values.count(component, wholeNumber(reader, value, name));

const lengths =
  (component: 'MinLength' | 'MaxLength'): Parameter =>
  (reader, value, name) =>
    values.textLength(component, wholeNumber(reader, value, name));

const shapesOf =
  (make: (shapes: readonly Shape[]) => Constraint): Parameter =>
  ({ graph, owner, shape }, value, name) =>
    make(graph.list(value, owner, name).map(shape));

function pattern(reader: ShapeReader, value: RDF.Term): Constraint {
  const flags = reader.graph.one(reader.owner, 'flags');
  if (value.termType !== 'Literal') throw fault(reader, 'pattern', 'a string', value);
  if (flags !== undefined && flags.termType !== 'Literal') throw fault(reader, 'flags', 'a string', flags);
  const regex = regexOrFault(value.value, flags?.value ?? '');
  if (regex instanceof Error)
    throw fault(reader, 'pattern', `a regular expression that REGEX of SPARQL takes (${regex.message})`, value);
  return values.pattern(regex, shownTerm(value));
}

function languages({ graph, owner }: ShapeReader, value: RDF.Term, name: string): Constraint {
  const members = graph.list(value, owner, name);
  const wrong = members.find(({ termType }) => termType !== 'Literal');
  if (wrong !== undefined) throw invalid(owner, `sh:languageIn has a member that is no string: ${shownTerm(wrong)}`);
  return values.languageIn(members.map((member) => member.value));
}

function closed({ graph, owner, bind }: ShapeReader, value: RDF.Term): Constraint | undefined {
  if (!isTrue(owner, value, 'closed')) return undefined;
  const ignored = graph.one(owner, 'ignoredProperties');
  const allowed = ignored === undefined ? [] : [...graph.list(ignored, owner, 'ignoredProperties')];
  for (const property of graph.sh(owner, 'property'))
    for (const path of graph.sh(property, 'path')) if (path.termType === 'NamedNode') allowed.push(path);
  return relations.closed(allowed.map(bind));
}

/** Parameters that a shape has once at most, and those that it may have several times. */
export const SINGLE: ReadonlySet<string> = new Set([
  'datatype',
  'nodeKind',
  'minCount',
  'maxCount',
  'minExclusive',
  'minInclusive',
  'maxExclusive',
  'maxInclusive',
  'minLength',
  'maxLength',
  'languageIn',
  'uniqueLang',
  'in',
  'closed',
  'pattern',
]);
/** Parameters of property shapes alone. */
export const OF_PROPERTIES: ReadonlySet<string> = new Set([
  'minCount',
  'maxCount',
  'uniqueLang',
  'lessThan',
  'lessThanOrEquals',
  'qualifiedValueShape',
  'reifierShape',
  'reificationRequired',
]);

export const PARAMETERS: Readonly<Record<string, Parameter>> = {
  class: (reader, value, name) => values.classOf(iri(reader, value, name), reader.typePath),
  datatype: (reader, value, name) => values.datatype(iri(reader, value, name)),
  nodeKind: (reader, value, name) => {
    const { term } = iri(reader, value, name);
    const constraint = values.nodeKind(term.value.replace(/^http:\/\/www\.w3\.org\/ns\/shacl#/, ''));
    if (constraint === undefined) throw fault(reader, name, 'a kind of node, such as sh:IRI', value);
    return constraint;
  },
  minCount: counted('MinCount'),
  maxCount: counted('MaxCount'),
  minExclusive: ranges('MinExclusive'),
  minInclusive: ranges('MinInclusive'),
  maxExclusive: ranges('MaxExclusive'),
  maxInclusive: ranges('MaxInclusive'),
  minLength: lengths('MinLength'),
  maxLength: lengths('MaxLength'),
  pattern,
  languageIn: languages,
  // By the specification only the text `true` turns it on.
  uniqueLang: ({ owner }, value, name) =>
    isTrue(owner, value, name) && value.value === 'true' ? values.uniqueLang() : undefined,
  equals: (reader, value, name) => relations.equalValues(iri(reader, value, name)),
  disjoint: (reader, value, name) => relations.disjointValues(iri(reader, value, name)),
  lessThan: (reader, value, name) => relations.lessThan(iri(reader, value, name), false),
  lessThanOrEquals: (reader, value, name) => relations.lessThan(iri(reader, value, name), true),
  not: ({ shape }, value) => logic.not(shape(value)),
  and: shapesOf(logic.and),
  or: shapesOf(logic.or),
  xone: shapesOf(logic.xone),
  node: ({ shape }, value) => logic.node(shape(value)),
  closed,
  hasValue: ({ bind }, value) => values.hasValue(bind(value)),
  in: ({ graph, owner, bind }, value, name) => values.oneOf(graph.list(value, owner, name).map(bind)),
};
