/** Compact IRIs for the JSON-LD serialiser: checks the prefixes of the context and shortens IRIs. */
import { isAbsoluteIri } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import type { Json } from '../json/json-document.js';

const PREFIX_NAME = /^[\p{L}][\p{L}\p{N}_.-]*$/u;
const LOCAL_NAME = /^[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_-])?$/;
const GENERAL_DELIMITER = /[:/?#[\]@]$/;
const SCHEME = /^([^:]+):(?!\/\/)/;

export class JsonLdNames {
  /** Pairs of name and namespace. The longest namespace is first. */
  readonly #prefixes: readonly (readonly [string, string])[];
  readonly #declared: ReadonlySet<string>;

  constructor(prefixes: Readonly<Record<string, string>>) {
    const legal = Object.entries(prefixes).filter(([name, iri]) => PREFIX_NAME.test(name) && isAbsoluteIri(iri));
    const names = new Set(legal.map(([name]) => name));
    // A reader would take a namespace with this form for a compact IRI.
    const usable = legal.filter(([, iri]) => !names.has(schemeOf(iri) ?? ''));
    this.#prefixes = usable.sort(([, a], [, b]) => b.length - a.length);
    this.#declared = new Set(this.#prefixes.map(([name]) => name));
  }

  get isEmpty(): boolean {
    return this.#prefixes.length === 0;
  }

  get context(): Json {
    const entries = this.#prefixes.map(([name, iri]): [string, Json] => [
      name,
      GENERAL_DELIMITER.test(iri) ? iri : { '@id': iri, '@prefix': true },
    ]);
    return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** The prefixes that equal the scheme of an IRI among these terms. They cannot be used in the same document. */
  takenBy(terms: Iterable<RDF.Term>): Set<string> {
    const taken = new Set<string>();
    if (this.isEmpty) return taken;
    for (const term of terms) {
      const scheme = term.termType === 'NamedNode' ? schemeOf(term.value) : undefined;
      if (scheme !== undefined && this.#declared.has(scheme)) taken.add(scheme);
    }
    return taken;
  }

  /** The text of an IRI: `name:local` or the full IRI. */
  textOf(iri: string, taken: ReadonlySet<string>): string {
    for (const [name, namespace] of this.#prefixes) {
      if (!taken.has(name) && iri.startsWith(namespace) && LOCAL_NAME.test(iri.slice(namespace.length))) {
        return `${name}:${iri.slice(namespace.length)}`;
      }
    }
    return iri;
  }
}

/** The text before the first colon, if a reader may take it for a prefix. */
const schemeOf = (iri: string): string | undefined => SCHEME.exec(iri)?.[1];
