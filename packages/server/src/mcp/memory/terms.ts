/**
 * How the memory of an agent lies in a repository. An entity is an IRI made of its name, with its name and type; a relation is a
 * triple between two of them; an observation is a triple with a literal. Relations and observations have reifiers, with the order in
 * which they came and, of an observation, where it is from and when it holds. So SPARQL can ask all of it.
 */
import type * as RDF from '@rdfjs/types';
import { defaultGraph, iri, literal, quad } from 'quadrille';

const BASE = 'urn:quadrille:memory';
const term = (name: string): RDF.NamedNode => iri(`${BASE}#${name}`);
const XSD = 'http://www.w3.org/2001/XMLSchema#';

export const NAME = term('name');
export const TYPE = term('entityType');
export const OBSERVATION = term('observation');
/** A number that grows with each thing that is added. */
export const ORDER = term('order');
export const SOURCE = term('source');
export const CONFIDENCE = term('confidence');
export const VALID_FROM = term('validFrom');
export const VALID_TO = term('validTo');
export const REIFIES = iri('http://www.w3.org/1999/02/22-rdf-syntax-ns#reifies');

const ENTITY = `${BASE}:entity:`;
const RELATION = `${BASE}:relation:`;

export const entityIri = (name: string): RDF.NamedNode => iri(ENTITY + encodeURIComponent(name));
export const relationIri = (type: string): RDF.NamedNode => iri(RELATION + encodeURIComponent(type));
export const isRelation = ({ value }: RDF.Term): boolean => value.startsWith(RELATION);
export const relationType = ({ value }: RDF.Term): string => decoded(value.slice(RELATION.length));
export const entityName = ({ value }: RDF.Term): string => decoded(value.slice(ENTITY.length));
export const isEntity = ({ value }: RDF.Term): boolean => value.startsWith(ENTITY);

/** Others may write such IRIs, too, and not as we do. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export const orderLiteral = (order: number): RDF.Literal => literal(String(order), iri(`${XSD}integer`));
export const numberLiteral = (value: number): RDF.Literal => literal(String(value), iri(`${XSD}decimal`));
export const timeLiteral = (value: string): RDF.Literal =>
  literal(value, iri(XSD + (value.length === 10 ? 'date' : 'dateTime')));

export const relationQuad = ({ from, to, relationType: type }: Relation): RDF.Quad =>
  quad(entityIri(from), relationIri(type), entityIri(to));
export const observationQuad = (entity: string, text: string): RDF.Quad =>
  quad(entityIri(entity), OBSERVATION, literal(text));

/** The pattern of what is said about a triple. */
export const reifierPattern = (triple: RDF.Quad): { predicate: RDF.Term; object: RDF.Term } => ({
  predicate: REIFIES,
  object: quad(triple.subject, triple.predicate, triple.object, defaultGraph()),
});

/** An entity as the tools show it. */
export interface Entity {
  readonly name: string;
  readonly entityType: string;
  readonly observations: readonly string[];
}

/** A relation as the tools show it. */
export interface Relation {
  readonly from: string;
  readonly to: string;
  readonly relationType: string;
}

/** Where an observation is from, how sure it is, and when it holds. */
export interface Annotation {
  readonly source?: string;
  readonly confidence?: number;
  readonly validFrom?: string;
  readonly validTo?: string;
}

export interface Graph {
  readonly entities: Entity[];
  readonly relations: Relation[];
}
