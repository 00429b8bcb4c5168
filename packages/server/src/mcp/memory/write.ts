/** The changes of the memory of an agent. Each is one revision, or none where nothing changes. */
import { randomUUID } from 'node:crypto';
import type * as RDF from '@rdfjs/types';
import { iri, literal, quad } from 'quadrille';
import type { Repository, Revision, Transaction } from 'quadrille';
import type { RecordChange } from 'quadrille/host';
import type { Commit, Made } from '../origin.js';
import { ToolError } from '../tool-error.js';
import {
  type Annotation,
  CONFIDENCE,
  type Entity,
  entityIri,
  NAME,
  numberLiteral,
  observationQuad,
  ORDER,
  orderLiteral,
  reifierPattern,
  REIFIES,
  type Relation,
  relationQuad,
  SOURCE,
  timeLiteral,
  TYPE,
  VALID_FROM,
  VALID_TO,
} from './terms.js';

/** A change is tried again where another process has changed the memory meanwhile. */
const RETRIES = 50;
/** Revisions that a session can undo. */
const MOST_MADE = 1000;

/** What a change needs of its call. */
export interface Changing {
  readonly context: { readonly made: Made[] };
  readonly signal: AbortSignal;
  readonly commit: Commit;
}

/** Records that are written with the revision of a change, which has this result. */
type Records<T> = (revision: Revision, repository: string, result: T) => readonly RecordChange[];

/** Makes the changes of memories. A session makes one after the other. */
export class MemoryWriter {
  #order = 0;

  /** Runs a change as one revision, which the session may undo. */
  async change<T>(
    repository: Repository,
    { context, signal, commit }: Changing,
    tool: string,
    run: (staged: Staged) => Promise<T>,
    records?: Records<T>,
  ): Promise<T> {
    let result: { readonly value: T } | undefined;
    const before = await repository.revision();
    const revision = await repository.transaction(
      async (transaction) => {
        result = { value: await run(new Staged(transaction, () => this.#nextOrder())) };
      },
      {
        ...commit(tool),
        retries: RETRIES,
        signal,
        ...(records && { records: (made: Revision) => records(made, repository.name, result!.value) }),
      },
    );
    if (revision.id !== before.id) note(context, repository.name, revision);
    return result!.value;
  }

  /** Grows with time, so that two processes need not ask each other for the next one. */
  #nextOrder(): number {
    this.#order = Math.max(this.#order + 1, Date.now() * 1000);
    return this.#order;
  }
}

/** Keeps a revision as one that the session has made. */
export function note({ made }: Changing['context'], repository: string, { id }: Pick<Revision, 'id'>): void {
  if (made.push({ repository, id }) > MOST_MADE) made.shift();
}

/** A change that is not committed yet, with what it reads. */
export class Staged {
  constructor(
    private readonly transaction: Transaction,
    private readonly nextOrder: () => number,
  ) {}

  has(name: string): Promise<boolean> {
    return this.#isThere({ subject: entityIri(name), predicate: NAME });
  }

  /** @throws ToolError where there is no such entity */
  async require(name: string): Promise<void> {
    if (!(await this.has(name))) throw new ToolError(`Entity with name ${name} not found`);
  }

  async #isThere(pattern: Parameters<Transaction['quads']>[0]): Promise<boolean> {
    return (await this.transaction.quads(pattern).first()) !== undefined;
  }

  /** False where the entity is there already: it stays as it is. */
  async createEntity({ name, entityType, observations }: Entity): Promise<boolean> {
    if (await this.has(name)) return false;
    const entity = entityIri(name);
    await this.transaction.add([
      quad(entity, NAME, literal(name)),
      quad(entity, TYPE, literal(entityType)),
      quad(entity, ORDER, orderLiteral(this.nextOrder())),
    ]);
    for (const text of observations) await this.#addOnce(observationQuad(name, text));
    return true;
  }

  /** False where the relation is there already. */
  addRelation(relation: Relation): Promise<boolean> {
    return this.#addOnce(relationQuad(relation));
  }

  /** False where the observation is there already. */
  addObservation(entity: string, text: string, annotation: Annotation): Promise<boolean> {
    return this.#addOnce(observationQuad(entity, text), annotation);
  }

  async #addOnce(triple: RDF.Quad, { source, confidence, validFrom, validTo }: Annotation = {}): Promise<boolean> {
    if (await this.#isThere(triple)) return false;
    const reifier = iri(`urn:uuid:${randomUUID()}`);
    const said: [RDF.NamedNode, RDF.Term | undefined][] = [
      [REIFIES, reifierPattern(triple).object],
      [ORDER, orderLiteral(this.nextOrder())],
      [SOURCE, source === undefined ? undefined : literal(source)],
      [CONFIDENCE, confidence === undefined ? undefined : numberLiteral(confidence)],
      [VALID_FROM, validFrom === undefined ? undefined : timeLiteral(validFrom)],
      [VALID_TO, validTo === undefined ? undefined : timeLiteral(validTo)],
    ];
    const quads = said.flatMap(([predicate, object]) =>
      object === undefined ? [] : [quad(reifier, predicate, object as RDF.Quad_Object)],
    );
    await this.transaction.add([triple, ...quads]);
    return true;
  }

  /** Removes an entity with all that is said of it, and its relations. False where there is none. */
  async deleteEntity(name: string): Promise<boolean> {
    if (!(await this.has(name))) return false;
    const entity = entityIri(name);
    const quads = [
      ...(await this.transaction.quads({ subject: entity }).toArray()),
      ...(await this.transaction.quads({ object: entity }).toArray()),
    ];
    for (const each of quads) await this.#remove(each);
    return true;
  }

  deleteObservation(entity: string, text: string): Promise<boolean> {
    return this.#removeIfThere(observationQuad(entity, text));
  }

  deleteRelation(relation: Relation): Promise<boolean> {
    return this.#removeIfThere(relationQuad(relation));
  }

  async #removeIfThere(triple: RDF.Quad): Promise<boolean> {
    if (!(await this.#isThere(triple))) return false;
    await this.#remove(triple);
    return true;
  }

  /** Removes a triple, and what its reifiers say. */
  async #remove(triple: RDF.Quad): Promise<void> {
    const reifying = await this.transaction.quads(reifierPattern(triple)).toArray();
    for (const { subject } of reifying) await this.transaction.remove({ subject });
    await this.transaction.remove(triple);
  }
}
