/** Templates filled with solutions by ids (SPARQL 1.2, section 16.2): for CONSTRUCT and for updates. */
import type * as RDF from '@rdfjs/types';
import { DEFAULT_GRAPH } from '@quadrille/model';
import { termVariables, type Pattern } from '../../algebra/algebra.js';
import { mapTripleTerm } from '../../algebra/terms.js';
import { MISS } from '../../dataset/id-dataset.js';
import type { Batch } from '../../execute/core/batch.js';
import type { Session } from '../execution.js';
import { LegalIds } from './legal-ids.js';

/** One place of a template. */
type Place =
  | { readonly kind: 'id'; readonly id: number }
  | { readonly kind: 'column'; readonly column: number }
  /** A new blank node for each solution, the same wherever its label stands. */
  | { readonly kind: 'blank'; readonly label: number }
  | { readonly kind: 'triple'; readonly term: RDF.Term };

type Emit = (s: number, p: number, o: number, g: number) => void;

/** Quads that are made before the event loop may get its turn. */
const QUADS_PER_CHECKPOINT = 256;

export class Template {
  readonly #places: (readonly [Place, Place, Place, Place])[] = [];
  readonly #labels = new Map<string, number>();
  readonly #legal: LegalIds;
  #blankIds: number[] = [];
  /** A new blank node that has no id yet. */
  #blankNode: RDF.BlankNode | undefined;
  /** Ids of the triple terms of the present solution. */
  #tripleIds = new Map<Place, number>();
  /** Where to go on: the solution, and the pattern. */
  #row = 0;
  #pattern = 0;
  #quads = 0;

  private constructor(
    private readonly session: Session,
    private readonly variables: readonly string[],
  ) {
    this.#legal = new LegalIds(session.dataset);
  }

  static async open(patterns: readonly Pattern[], variables: readonly string[], session: Session): Promise<Template> {
    const template = new Template(session, variables);
    for (const { subject, predicate, object, graph } of patterns) {
      template.#places.push([
        await template.#place(subject),
        await template.#place(predicate),
        await template.#place(object),
        graph.termType === 'DefaultGraph' ? { kind: 'id', id: DEFAULT_GRAPH } : await template.#place(graph),
      ]);
    }
    return template;
  }

  async #place(term: RDF.Term): Promise<Place> {
    if (term.termType === 'Variable') return this.#variablePlace(term.value);
    if (term.termType === 'Quad' && termVariables(term).length > 0) return { kind: 'triple', term };
    return { kind: 'id', id: await this.session.terms.intern(this.session.resolve(term)) };
  }

  #variablePlace(name: string): Place {
    if (!name.startsWith('_:')) return { kind: 'column', column: this.variables.indexOf(name) };
    let label = this.#labels.get(name);
    if (label === undefined) this.#labels.set(name, (label = this.#labels.size));
    return { kind: 'blank', label };
  }

  /**
   * Calls `emit` for the quads of each solution that are complete and legal RDF. A promise only where something has to be fetched
   * or the event loop is due.
   */
  fill(batch: Batch, emit: Emit): Promise<void> | undefined {
    this.#row = 0;
    this.#beginRow();
    const wait = this.#goOn(batch, emit);
    return wait === undefined ? undefined : this.#fillRest(wait, batch, emit);
  }

  async #fillRest(first: Promise<void>, batch: Batch, emit: Emit): Promise<void> {
    for (let wait: Promise<void> | undefined = first; wait !== undefined; wait = this.#goOn(batch, emit)) await wait;
  }

  #beginRow(): void {
    this.#pattern = 0;
    if (this.#labels.size > 0) this.#blankIds = [];
    if (this.#tripleIds.size > 0) this.#tripleIds = new Map();
  }

  #goOn(batch: Batch, emit: Emit): Promise<void> | undefined {
    for (; this.#row < batch.length; this.#row++, this.#beginRow()) {
      for (; this.#pattern < this.#places.length; this.#pattern++) {
        if (++this.#quads % QUADS_PER_CHECKPOINT === 0) {
          const pause = this.session.control.checkpoint();
          if (pause !== undefined) return pause;
        }
        const wait = this.#emitQuad(this.#places[this.#pattern]!, batch, emit);
        if (wait !== undefined) return wait;
      }
    }
    return undefined;
  }

  #emitQuad(places: readonly [Place, Place, Place, Place], batch: Batch, emit: Emit): Promise<void> | undefined {
    for (const place of places) {
      if (place.kind !== 'triple' || this.#tripleIds.has(place)) continue;
      return this.#makeTriple(place, batch);
    }
    const s = this.#idAt(places[0], batch);
    if (s === MISS) return this.session.terms.fetch();
    const p = this.#idAt(places[1], batch);
    const o = this.#idAt(places[2], batch);
    if (o === MISS) return this.session.terms.fetch();
    const g = this.#idAt(places[3], batch);
    if (g === MISS) return this.session.terms.fetch();
    if (s === 0 || p === 0 || o === 0 || g === 0) return undefined;
    const legal = this.#legal.isLegal(s, p, o, g);
    if (legal === undefined) return this.session.terms.fetch();
    if (legal) emit(s, p, o, g);
    return undefined;
  }

  /** {@link MISS} where something has to be fetched first. */
  #idAt(place: Place, batch: Batch): number {
    switch (place.kind) {
      case 'id':
        return place.id;
      case 'column':
        return place.column === -1 ? 0 : batch.columns[place.column]![this.#row]!;
      case 'blank':
        return this.#blankIds[place.label] ?? this.#newBlank(place.label);
      default:
        return this.#tripleIds.get(place)!;
    }
  }

  #newBlank(label: number): number {
    // The same node is tried again after a fetch: what was fetched is of no use for another one.
    this.#blankNode ??= this.session.newBlankNode();
    const id = this.session.terms.tryTerm(this.#blankNode, true);
    if (id === MISS) return MISS;
    this.#blankNode = undefined;
    this.#blankIds[label] = id;
    return id;
  }

  /** Makes a triple term of the present solution; its id is 0 where a member is unbound. */
  async #makeTriple(place: Place & { readonly kind: 'triple' }, batch: Batch): Promise<void> {
    let complete = true;
    const { terms } = this.session;
    const members = new Map<RDF.Term, RDF.Term>();
    const collect = async (part: RDF.Term): Promise<void> => {
      if (part.termType === 'Quad') {
        for (const member of [part.subject, part.predicate, part.object]) await collect(member);
      } else if (part.termType === 'Variable') {
        const at = this.#variablePlace(part.value);
        let id = this.#idAt(at, batch);
        for (; id === MISS; id = this.#idAt(at, batch)) await this.session.terms.fetch();
        if (id === 0) complete = false;
        else members.set(part, await terms.term(id));
      }
    };
    await collect(place.term);
    const build = (part: RDF.Term): RDF.Term =>
      part.termType === 'Quad' ? mapTripleTerm(part, build) : (members.get(part) ?? this.session.resolve(part));
    this.#tripleIds.set(place, complete ? await terms.intern(build(place.term)) : 0);
  }
}
