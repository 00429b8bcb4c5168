/** The base and the prefixes of a request, and the IRIs that its terms mean by them. */
import { iri } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import { resolveLegalIri } from '../../algebra/resolve-iri.js';
import { isDigit, isLetter } from '../lexer/characters.js';

/** The most IRIs whose terms are kept and reused. */
const MOST_KEPT = 4096;

export interface PrologueOptions {
  /** Default prefixes; one that the text declares wins. */
  readonly prefixes?: Readonly<Record<string, string>> | undefined;
  /** Resolves relative IRIs. */
  readonly baseIRI?: string | undefined;
  /** The IRIs that are aggregates, as names of members. Other IRIs are functions. */
  readonly aggregates?: Readonly<Record<string, unknown>> | undefined;
}

export class Prologue {
  baseIRI: string | undefined;
  /** The prefixes that names have, with what they stand for. */
  readonly used = new Map<string, string>();
  readonly #declared = new Map<string, string>();
  readonly #defaults: Readonly<Record<string, string>>;
  readonly #aggregates: Readonly<Record<string, unknown>>;
  /** Terms by the text of their tokens. */
  readonly #terms = new Map<string, RDF.NamedNode>();

  constructor({ prefixes = {}, baseIRI, aggregates = {} }: PrologueOptions) {
    this.#defaults = prefixes;
    this.#aggregates = aggregates;
    this.baseIRI = baseIRI;
  }

  isAggregate(iri: string): boolean {
    return Object.hasOwn(this.#aggregates, iri);
  }

  setBase(base: string): void {
    this.baseIRI = base;
    this.#terms.clear();
  }

  declare(prefix: string, namespace: string): void {
    this.#declared.set(prefix, namespace);
    this.#terms.clear();
  }

  namespace(prefix: string): string | undefined {
    return this.#declared.get(prefix) ?? (Object.hasOwn(this.#defaults, prefix) ? this.#defaults[prefix] : undefined);
  }

  /** The term that a token had before. */
  known(token: string): RDF.NamedNode | undefined {
    return this.#terms.get(token);
  }

  /** The term of an IRI as it is written; `undefined` where it is relative and cannot be resolved. */
  term(token: string, reference: string): RDF.NamedNode | undefined {
    const value = this.resolve(reference);
    if (value === undefined) return undefined;
    const term = iri(value);
    if (this.#terms.size < MOST_KEPT) this.#terms.set(token, term);
    return term;
  }

  resolve(reference: string): string | undefined {
    return resolveReference(reference, this.baseIRI);
  }
}

/** The IRI that is meant; `undefined` for one that is relative and cannot be resolved. */
export const resolveReference = (reference: string, baseIRI: string | undefined): string | undefined =>
  hasScheme(reference) ? reference : resolveLegalIri(reference, baseIRI);

function hasScheme(reference: string): boolean {
  if (!isLetter(reference.charCodeAt(0))) return false;
  for (let at = 1; ; at++) {
    const code = reference.charCodeAt(at);
    if (isLetter(code) || isDigit(code) || code === 0x2b || code === 0x2d || code === 0x2e) continue;
    return code === 0x3a;
  }
}
