/** The template of a mapping: solutions become statements in a sink of quads. */
import type * as RDF from '@rdfjs/types';
import { DEFAULT_GRAPH_HANDLE, escapeLexicalForm, isLongIri, LONG_IRI, termToText } from '@quadrille/model';
import type { QuadSink, TermHandle } from '@quadrille/model';
import { type Pattern, termVariables } from '../algebra/algebra.js';
import { termOf, type Value, valueOf } from '../expression/values/value.js';
import type { Solution } from './row-solutions.js';

/** One place of a template. */
type Place =
  | { readonly kind: 'handle'; readonly handle: TermHandle }
  | { readonly kind: 'slot'; readonly slot: number }
  /** A new blank node for each solution, the same wherever its label stands. */
  | { readonly kind: 'blank'; readonly label: number }
  | { readonly kind: 'triple'; readonly parts: readonly [Place, Place, Place] };

/** Where terms go that are longer than a store takes. */
export interface TemplateOptions {
  readonly sink: QuadSink;
  /** Longest term, in bytes of N-Triples. */
  readonly maxTermBytes: number;
  /** Makes the error for a term that cannot be stored. */
  readonly fail: (reason: string) => Error;
}

const NODE = (value: Value): boolean => value.kind === 'iri' || value.kind === 'blankNode';
const IRI = (value: Value): boolean => value.kind === 'iri';
const ANY = (value: Value): boolean => value.kind !== 'error';

/** A statement needs all of its handles; 0 is none. */
const NONE: TermHandle = 0;

export class RowTemplate {
  readonly #patterns: (readonly [Place, Place, Place])[];
  readonly #labels = new Map<string, number>();
  /** Handles of the present solution, by column and by label; 0 where it was not asked for one. */
  #handles: TermHandle[] = [];
  #blanks: TermHandle[] = [];
  #solutions = 0;
  /** Number of statements so far. */
  statements = 0;
  #scratch = new Uint8Array(4096);
  readonly #encoder = new TextEncoder();

  constructor(
    patterns: readonly Pattern[],
    private readonly slotOf: (name: string) => number,
    private readonly options: TemplateOptions,
  ) {
    this.#patterns = patterns.map(({ subject, predicate, object }) => [
      this.#place(subject),
      this.#place(predicate),
      this.#place(object),
    ]);
  }

  #place(term: RDF.Term): Place {
    if (term.termType === 'Variable') {
      if (!term.value.startsWith('_:')) return { kind: 'slot', slot: this.slotOf(term.value) };
      let label = this.#labels.get(term.value);
      if (label === undefined) this.#labels.set(term.value, (label = this.#labels.size));
      return { kind: 'blank', label };
    }
    if (term.termType === 'Quad' && termVariables(term).length > 0) {
      const { subject, predicate, object } = term;
      return { kind: 'triple', parts: [this.#place(subject), this.#place(predicate), this.#place(object)] };
    }
    return { kind: 'handle', handle: this.#handleOf(valueOf(term)) };
  }

  /** Emits the statements of a solution that are complete, and RDF. */
  fill(solution: Solution): void {
    this.#solutions++;
    this.#handles = [];
    this.#blanks = [];
    for (const parts of this.#patterns) {
      const [s, p, o] = this.#triple(parts, solution);
      if (s === NONE) continue;
      this.statements++;
      this.options.sink.quad(s, p, o, DEFAULT_GRAPH_HANDLE);
    }
  }

  #triple(
    [subject, predicate, object]: readonly [Place, Place, Place],
    solution: Solution,
  ): readonly [TermHandle, TermHandle, TermHandle] {
    const s = this.#handle(subject, solution, NODE);
    const p = s === NONE ? NONE : this.#handle(predicate, solution, IRI);
    const o = p === NONE ? NONE : this.#handle(object, solution, ANY);
    return o === NONE ? [NONE, NONE, NONE] : [s, p, o];
  }

  #handle(place: Place, solution: Solution, fits: (value: Value) => boolean): TermHandle {
    switch (place.kind) {
      case 'handle':
        return place.handle;
      case 'slot': {
        const value = solution[place.slot];
        if (value === undefined || !fits(value)) return NONE;
        return (this.#handles[place.slot] ??= this.#handleOf(value));
      }
      case 'blank':
        return (this.#blanks[place.label] ??= this.#blankNode(`t${String(this.#solutions)}n${String(place.label)}`));
      default: {
        const [s, p, o] = this.#triple(place.parts, solution);
        return s === NONE || fits !== ANY ? NONE : this.options.sink.tripleTerm(s, p, o);
      }
    }
  }

  #handleOf(value: Value): TermHandle {
    switch (value.kind) {
      case 'string':
        return this.#term(`"${escapeLexicalForm(value.value)}"`);
      case 'iri':
        if (isLongIri(value.value)) throw this.options.fail(LONG_IRI);
        return this.#term(`<${value.value}>`);
      case 'blankNode':
        return this.#blankNode(value.value);
      case 'triple': {
        const { subject, predicate, object } = value;
        const [s, p, o] = [this.#handleOf(subject), this.#handleOf(predicate), this.#handleOf(object)];
        return this.options.sink.tripleTerm(s, p, o);
      }
      default:
        return this.#term(termToText(termOf(value)));
    }
  }

  #blankNode(label: string): TermHandle {
    const length = this.#encode(label);
    return this.options.sink.blankNode(this.#scratch, 0, length);
  }

  #term(text: string): TermHandle {
    const length = this.#encode(text);
    return this.options.sink.term(this.#scratch, 0, length);
  }

  /** Writes a text into the scratch buffer, which may be another one then. Returns its length in bytes. */
  #encode(text: string): number {
    const { maxTermBytes, fail } = this.options;
    const tooLong = (): Error => fail(`a term is longer than ${String(maxTermBytes)} bytes`);
    if (text.length > maxTermBytes) throw tooLong();
    if (text.length * 3 > this.#scratch.length) this.#scratch = new Uint8Array(text.length * 3);
    const { written } = this.#encoder.encodeInto(text, this.#scratch);
    if (written > maxTermBytes) throw tooLong();
    return written;
  }
}
