/**
 * Creates the terms of one document and passes them to the sink. It checks that IRIs are absolute, language tags are well-formed
 * and strings are Unicode. It gives every blank node a label that all formats can write.
 */
import {
  isBlankNodeLabel,
  isLanguageTag,
  isWellFormed,
  RDF_DIR_LANG_STRING,
  RDF_LANG_STRING,
  XSD_STRING,
} from '@quadrille/model';
import type { QuadSink } from '@quadrille/model';
import { SinkTermFactory } from './sink-term-factory.js';
import type { SinkTerm, SkipTerm } from './sink-term-factory.js';

/** Memory for the names of one document, and overhead of one name besides its characters, in bytes. */
const MAX_KEPT_BYTES = 64 * 1024 * 1024;
const ENTRY_BYTES = 64;

/** Datatype, language and direction of a literal. */
export interface LiteralParts {
  readonly datatype?: string | undefined;
  readonly language?: string | undefined;
  readonly direction?: string | undefined;
}

/** A triple that may become a statement or a triple term. */
export interface Triple {
  readonly subject: SinkTerm;
  readonly predicate: SinkTerm;
  readonly object: SinkTerm;
}

export class DocumentTerms {
  readonly #factory: SinkTermFactory;
  readonly #fail: (reason: string) => Error;
  /** Labels that are illegal in N-Quads, and their nodes. */
  readonly #relabelled = new Map<string, SinkTerm>();
  #keptBytes = 0;

  /** The parameters are those of {@link SinkTermFactory}. */
  constructor(sink: QuadSink, maxTermBytes: number, fail: (reason: string) => Error, skip?: SkipTerm, blankNodes = 0) {
    this.#fail = fail;
    this.#factory = new SinkTermFactory(sink, maxTermBytes, fail, skip, blankNodes);
  }

  iri(value: string): SinkTerm {
    return this.#factory.namedNode(value);
  }

  /** The cached term of an IRI, if there is one. */
  knownIri(value: string): SinkTerm | undefined {
    return this.#factory.knownNode(value);
  }

  /** The blank node of a label, or a new blank node without one. */
  blankNode(label?: string): SinkTerm {
    if (label === undefined || isBlankNodeLabel(label)) return this.#factory.blankNode(label);
    let node = this.#relabelled.get(label);
    if (node === undefined) {
      this.keep(label);
      this.#relabelled.set(label, (node = this.#factory.blankNode()));
    }
    return node;
  }

  /** Counts the memory of a name that is kept until the end of the parse. */
  keep(name: string): void {
    this.#keptBytes += ENTRY_BYTES + 2 * name.length;
    if (this.#keptBytes > MAX_KEPT_BYTES) throw this.#fail('the document has too many names to keep in memory');
  }

  literal(value: string, { datatype, language, direction }: LiteralParts = {}): SinkTerm {
    if (!isWellFormed(value)) throw this.#fail('lone surrogate in a literal');
    if (language === undefined) {
      if (datatype === RDF_LANG_STRING || datatype === RDF_DIR_LANG_STRING) {
        throw this.#fail('a literal of rdf:langString or rdf:dirLangString needs a language tag');
      }
      return this.#factory.literal(value, this.iri(datatype ?? XSD_STRING));
    }
    if (!isLanguageTag(language))
      return this.#factory.bad(`not a language tag: ${JSON.stringify(language.slice(0, 100))}`, language);
    if (direction === undefined) return this.#factory.literal(value, language);
    if (direction !== 'ltr' && direction !== 'rtl') throw this.#fail('the base direction must be "ltr" or "rtl"');
    return this.#factory.literal(value, { language, direction });
  }

  tripleTerm({ subject, predicate, object }: Triple): SinkTerm {
    return this.#factory.quad(subject, predicate, object, this.#factory.defaultGraph());
  }

  defaultGraph(): SinkTerm {
    return this.#factory.defaultGraph();
  }

  /** Passes a statement to the sink. */
  statement({ subject, predicate, object }: Triple, graph: SinkTerm = this.#factory.defaultGraph()): void {
    this.#factory.statement(subject, predicate, object, graph);
  }
}
