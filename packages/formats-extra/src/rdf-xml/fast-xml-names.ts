/** Maps names of elements and attributes to handles of their IRIs; see fast-rdf-xml.ts. */
import { KnownIris, MIN_KNOWN_BYTES } from '@quadrille/formats';
import { isAbsoluteIri, isLongIri, RDF_NS } from '@quadrille/model';
import type { QuadSink, TermHandle } from '@quadrille/model';
import type { XmlCursor } from './fast-xml-cursor.js';
import { isNodeElement, isPropertyElement } from './rdf-xml-names.js';

/** Result for rdf:Description, which has no type. */
export const DESCRIPTION = 0xffff_ffff;
/** Result for rdf:li, whose predicate depends on its position. */
export const MEMBER = 0xffff_fffe;

const utf8 = new TextEncoder();

export class FastXmlNames {
  namespaces: ReadonlyMap<string, string> = new Map();
  readonly #sink: QuadSink;
  readonly #cursor: XmlCursor;
  readonly #types = new KnownIris();
  readonly #predicates = new KnownIris();
  readonly #vocabulary = new Map<string, TermHandle>();

  constructor(
    sink: QuadSink,
    cursor: XmlCursor,
    private readonly maxTermBytes: number,
  ) {
    this.#sink = sink;
    this.#cursor = cursor;
  }

  /** The type of a node element by its name, or 0 if the name is not legal there. */
  type(start: number, end: number): TermHandle {
    const { view } = this.#cursor;
    const canKnow = end - start >= MIN_KNOWN_BYTES;
    const known = canKnow ? this.#types.find(view, start, end) : undefined;
    if (known !== undefined) return known.handle;
    const iri = this.#elementIri(start, end);
    if (iri === undefined || !isNodeElement(iri)) return 0;
    const handle = iri === `${RDF_NS}Description` ? DESCRIPTION : this.term(iri);
    if (canKnow && handle !== 0) this.#types.add(view, start, end, handle);
    return handle;
  }

  /** The predicate of a property element by its name, or 0 if the name is not legal there. */
  predicate(start: number, end: number): TermHandle {
    const { view } = this.#cursor;
    const canKnow = end - start >= MIN_KNOWN_BYTES;
    const known = canKnow ? this.#predicates.find(view, start, end) : undefined;
    if (known !== undefined) return known.handle;
    const iri = this.#elementIri(start, end);
    if (iri === undefined || !isPropertyElement(iri)) return 0;
    const handle = iri === `${RDF_NS}li` ? MEMBER : this.term(iri);
    if (canKnow && handle !== 0) this.#predicates.add(view, start, end, handle);
    return handle;
  }

  /** A term of the vocabulary `rdf:`. */
  rdf(name: string): TermHandle {
    let handle = this.#vocabulary.get(name);
    if (handle === undefined) this.#vocabulary.set(name, (handle = this.term(RDF_NS + name)));
    return handle;
  }

  /** The term of an IRI, or 0 if it is too long. */
  term(iri: string): TermHandle {
    const text = utf8.encode(`<${iri}>`);
    return text.length > this.maxTermBytes ? 0 : this.#sink.term(text, 0, text.length);
  }

  /** Prefix and local name. The prefix is empty if there is none. Undefined if the name is not a qualified one. */
  split(start: number, end: number): readonly [string, string] | undefined {
    const name = this.#cursor.ascii(start, end);
    const colon = name.indexOf(':');
    const local = name.slice(colon + 1);
    // A local name may not begin with a digit, a hyphen or a dot.
    if (!/^[A-Za-z_]/.test(local) || local.includes(':')) return undefined;
    return [name.slice(0, Math.max(0, colon)), local];
  }

  #elementIri(start: number, end: number): string | undefined {
    const name = this.split(start, end);
    return name && this.iri(...name);
  }

  /** The IRI of a name. Undefined if the prefix is not declared or the result is not an IRI. */
  iri(prefix: string, local: string): string | undefined {
    const namespace = this.namespaces.get(prefix);
    const iri = namespace === undefined ? '' : namespace + local;
    return isAbsoluteIri(iri) && !isLongIri(iri) ? iri : undefined;
  }
}
