/** Names of elements and attributes as handles of their IRIs; see fast-rdf-xml.ts. */
import { KnownIris, MIN_KNOWN_BYTES } from '@quadrille/formats';
import { isAbsoluteIri, isLongIri, RDF_NS } from '@quadrille/model';
import type { QuadSink, TermHandle } from '@quadrille/model';
import type { XmlCursor } from './fast-xml-cursor.js';
import { isNodeElement, isPropertyElement } from './rdf-xml-names.js';

/** Stands for the type of an element that has none: rdf:Description. */
export const DESCRIPTION = 0xffff_ffff;
/** Stands for the predicate of a member of a container: rdf:li. */
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

  /** The type that the name of a node element stands for; 0 where it may not be one. */
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

  /** The predicate that the name of a property element stands for; 0 where it may not be one. */
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

  /** The term of an IRI; 0 where it is too long. */
  term(iri: string): TermHandle {
    const text = utf8.encode(`<${iri}>`);
    return text.length > this.maxTermBytes ? 0 : this.#sink.term(text, 0, text.length);
  }

  /** Prefix and local name; the prefix is empty where there is none. Undefined where it is not a qualified name. */
  split(start: number, end: number): readonly [string, string] | undefined {
    const name = this.#cursor.ascii(start, end);
    const colon = name.indexOf(':');
    const local = name.slice(colon + 1);
    // A local name is a name itself.
    if (!/^[A-Za-z_]/.test(local) || local.includes(':')) return undefined;
    return [name.slice(0, Math.max(0, colon)), local];
  }

  #elementIri(start: number, end: number): string | undefined {
    const name = this.split(start, end);
    return name && this.iri(...name);
  }

  /** The IRI of a name; undefined where its prefix is not declared, or it is none. */
  iri(prefix: string, local: string): string | undefined {
    const namespace = this.namespaces.get(prefix);
    const iri = namespace === undefined ? '' : namespace + local;
    return isAbsoluteIri(iri) && !isLongIri(iri) ? iri : undefined;
  }
}
