/** Templates filled with solutions by ids (SPARQL 1.2, section 16.2): for CONSTRUCT and for updates. */
import type * as RDF from '@rdfjs/types';
import { DEFAULT_GRAPH } from '@quadrille/model';
import { termVariables, type Pattern } from '../algebra/algebra.js';
import type { Batch } from '../execute/core/batch.js';
import { mapTripleTerm } from '../algebra/terms.js';
import type { Session } from './execution.js';

/** What stands at one place of a template. */
type Place =
  | { readonly kind: 'id'; readonly id: number }
  | { readonly kind: 'column'; readonly column: number }
  /** A new blank node for each solution, the same wherever its label stands. */
  | { readonly kind: 'blank'; readonly label: number }
  | { readonly kind: 'triple'; readonly term: RDF.Term };

export class Template {
  #places: (readonly [Place, Place, Place, Place])[] = [];
  readonly #labels: string[] = [];
  #blankIds: number[] = [];

  private constructor(
    private readonly session: Session,
    private readonly variables: readonly string[],
  ) {}

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
    if (term.termType === 'Variable') {
      if (term.value.startsWith('_:')) return { kind: 'blank', label: this.#label(term.value) };
      return { kind: 'column', column: this.variables.indexOf(term.value) };
    }
    if (term.termType === 'Quad' && termVariables(term).length > 0) return { kind: 'triple', term };
    return { kind: 'id', id: await this.session.terms.intern(this.session.resolve(term)) };
  }

  #label(label: string): number {
    const known = this.#labels.indexOf(label);
    return known === -1 ? this.#labels.push(label) - 1 : known;
  }

  /** Hands over the quads of each solution, but for those that are incomplete or not RDF. */
  async fill(batch: Batch, emit: (s: number, p: number, o: number, g: number) => void): Promise<void> {
    for (let row = 0; row < batch.length; row++) {
      this.#blankIds = [];
      for (const places of this.#places) {
        const s = await this.#idAt(places[0], batch, row);
        const p = await this.#idAt(places[1], batch, row);
        const o = await this.#idAt(places[2], batch, row);
        const g = await this.#idAt(places[3], batch, row);
        if (s === 0 || p === 0 || o === 0 || g === 0) continue;
        const legal = this.#isLegal(s, p, o, g);
        if (typeof legal === 'boolean' ? legal : await legal) emit(s, p, o, g);
      }
    }
  }

  #idAt(place: Place, batch: Batch, row: number): number | Promise<number> {
    switch (place.kind) {
      case 'id':
        return place.id;
      case 'column':
        return place.column === -1 ? 0 : batch.columns[place.column]![row]!;
      case 'blank':
        return this.#blankIds[place.label] ?? this.#newBlank(place.label);
      default:
        return this.#triple(place.term, batch, row);
    }
  }

  async #newBlank(label: number): Promise<number> {
    const id = await this.session.terms.intern(this.session.newBlankNode());
    this.#blankIds[label] = id;
    return id;
  }

  async #triple(term: RDF.Term, batch: Batch, row: number): Promise<number> {
    let complete = true;
    const terms = new Map<RDF.Term, RDF.Term>();
    const collect = async (part: RDF.Term): Promise<void> => {
      if (part.termType === 'Quad') {
        for (const member of [part.subject, part.predicate, part.object]) await collect(member);
      } else if (part.termType === 'Variable') {
        const id = await this.#idAt(await this.#place(part), batch, row);
        if (id === 0) complete = false;
        else terms.set(part, await this.session.terms.term(id));
      }
    };
    await collect(term);
    if (!complete) return 0;
    const build = (part: RDF.Term): RDF.Term =>
      part.termType === 'Quad' ? mapTripleTerm(part, build) : (terms.get(part) ?? this.session.resolve(part));
    return this.session.terms.intern(build(term));
  }

  // Most terms are at hand; what is not has to be fetched first.
  #isLegal(s: number, p: number, o: number, g: number): boolean | Promise<boolean> {
    const { dataset, terms } = this.session;
    const subject = dataset.term(s);
    const predicate = subject && dataset.term(p);
    const object = predicate && dataset.term(o);
    const graph = object && (g === DEFAULT_GRAPH ? DEFAULT : dataset.term(g));
    if (graph !== undefined) return isLegal(subject!, predicate!, object!, graph);
    return (async () =>
      isLegal(
        await terms.term(s),
        await terms.term(p),
        await terms.term(o),
        g === DEFAULT_GRAPH ? DEFAULT : await terms.term(g),
      ))();
  }
}

const DEFAULT = { termType: 'DefaultGraph' } as RDF.DefaultGraph;
const isNode = ({ termType }: { termType: string }): boolean => termType === 'NamedNode' || termType === 'BlankNode';

function isLegal(
  subject: RDF.Term,
  predicate: RDF.Term,
  object: RDF.Term,
  graph: { readonly termType: string },
): boolean {
  return (
    isNode(subject) &&
    predicate.termType === 'NamedNode' &&
    (object.termType !== 'Quad' || isLegal(object.subject, object.predicate, object.object, DEFAULT)) &&
    object.termType !== 'Variable' &&
    (graph.termType === 'DefaultGraph' || isNode(graph))
  );
}
