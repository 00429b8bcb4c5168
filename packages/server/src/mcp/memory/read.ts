/** Reads the memory of an agent from a repository, a past revision or a transaction. */
import type * as RDF from '@rdfjs/types';
import type { QuadPattern, ReadView, Transaction } from 'quadrille';
import {
  type Entity,
  entityIri,
  entityName,
  type Graph,
  isEntity,
  isRelation,
  NAME,
  OBSERVATION,
  ORDER,
  REIFIES,
  type Relation,
  relationType,
  TYPE,
} from './terms.js';

export type Source = Pick<ReadView | Transaction, 'quads'>;

interface Sorted<T> {
  readonly order: number;
  readonly value: T;
}
const inOrder = <T>(items: readonly Sorted<T>[]): T[] =>
  items.toSorted((x, y) => x.order - y.order).map(({ value }) => value);

/** Everything, in the order in which it came. */
export async function readGraph(source: Source, signal?: AbortSignal): Promise<Graph> {
  const reader = new GraphReader();
  for await (const quad of source.quads({}, { signal })) reader.add(quad);
  return reader.graph();
}

/** The entities of some names, and the relations that begin or end there. */
export async function openNodes(source: Source, names: readonly string[], signal?: AbortSignal): Promise<Graph> {
  const asked = new Set(names);
  const reader = new GraphReader();
  for (const entity of [...asked].map(entityIri))
    for (const pattern of [{ subject: entity }, { object: entity }]) await add(source, pattern, reader, signal);
  const { entities, relations } = reader.graph();
  return { entities: entities.filter(({ name }) => asked.has(name)), relations };
}

/** An entity of which is known that it is there. */
export async function readEntity(source: Source, subject: RDF.NamedNode, signal?: AbortSignal): Promise<Entity> {
  const reader = new GraphReader();
  await add(source, { subject }, reader, signal);
  return reader.graph().entities[0]!;
}

/** The relations that begin or end at some entities. */
export async function readRelations(
  source: Source,
  entities: readonly RDF.NamedNode[],
  signal?: AbortSignal,
): Promise<readonly Relation[]> {
  const reader = new GraphReader();
  for (const entity of entities) {
    for await (const quad of source.quads({ subject: entity }, { signal }))
      if (isRelation(quad.predicate)) await addWhole(source, quad, reader);
    await add(source, { object: entity }, reader, signal);
  }
  return reader.graph().relations;
}

/** A graph of which only that is read that is shown. */
export interface Shown {
  /** Number of the entities. */
  readonly size: number;
  entity(index: number): Promise<Entity> | Entity;
  relations(): Promise<readonly Relation[]> | readonly Relation[];
}

export const shown = ({ entities, relations }: Graph): Shown => ({
  size: entities.length,
  entity: (index) => entities[index]!,
  relations: () => relations,
});

async function add(source: Source, pattern: QuadPattern, reader: GraphReader, signal?: AbortSignal): Promise<void> {
  for await (const quad of source.quads(pattern, { signal })) await addWhole(source, quad, reader);
}

async function addWhole(source: Source, quad: RDF.Quad, reader: GraphReader): Promise<void> {
  reader.add(quad);
  if (quad.predicate.equals(OBSERVATION) || isRelation(quad.predicate)) await addReifiers(source, quad, reader);
}

async function addReifiers(source: Source, quad: RDF.Quad, reader: GraphReader): Promise<void> {
  for await (const reifying of source.quads({ predicate: REIFIES, object: quad })) {
    reader.add(reifying);
    for await (const said of source.quads({ subject: reifying.subject, predicate: ORDER })) reader.add(said);
  }
}

/** Collects quads in any order. */
class GraphReader {
  readonly #names = new Map<string, string>();
  readonly #types = new Map<string, string>();
  readonly #observations = new Map<string, RDF.Quad[]>();
  readonly #relations = new Map<string, RDF.Quad>();
  /** The order of a subject: an entity or a reifier. */
  readonly #orders = new Map<string, number>();
  /** The reifier of a triple, by a key of the triple. */
  readonly #reifiers = new Map<string, string>();

  add(quad: RDF.Quad): void {
    const { subject, predicate, object } = quad;
    if (predicate.equals(NAME)) this.#names.set(subject.value, object.value);
    else if (predicate.equals(TYPE)) this.#types.set(subject.value, object.value);
    else if (predicate.equals(ORDER)) this.#orders.set(subject.value, Number(object.value));
    else if (predicate.equals(REIFIES) && object.termType === 'Quad') this.#reifiers.set(keyOf(object), subject.value);
    else if (predicate.equals(OBSERVATION)) this.#observe(quad);
    else if (isRelation(predicate) && isEntity(subject) && isEntity(object)) this.#relations.set(keyOf(quad), quad);
  }

  #observe(quad: RDF.Quad): void {
    const known = this.#observations.get(quad.subject.value);
    if (known === undefined) this.#observations.set(quad.subject.value, [quad]);
    else if (!known.some(({ object }) => object.equals(quad.object))) known.push(quad);
  }

  graph(): Graph {
    const entities = [...this.#names].map(([subject, name]): Sorted<Entity> => {
      const observations = (this.#observations.get(subject) ?? []).map((quad): Sorted<string> => ({
        order: this.#orderOf(quad),
        value: quad.object.value,
      }));
      const entityType = this.#types.get(subject) ?? '';
      const value = { name, entityType, observations: inOrder(observations) };
      return { order: this.#orders.get(subject) ?? 0, value };
    });
    const relations = [...this.#relations.values()].map((quad): Sorted<Relation> => {
      const { subject, predicate, object } = quad;
      const value = { from: entityName(subject), to: entityName(object), relationType: relationType(predicate) };
      return { order: this.#orderOf(quad), value };
    });
    return { entities: inOrder(entities), relations: inOrder(relations) };
  }

  #orderOf(quad: RDF.Quad): number {
    const reifier = this.#reifiers.get(keyOf(quad));
    return (reifier === undefined ? undefined : this.#orders.get(reifier)) ?? 0;
  }
}

const keyOf = ({ subject, predicate, object }: RDF.BaseQuad): string =>
  `${subject.value} ${predicate.value} ${object.termType} ${object.value}`;
