/** Parses TriX: named graphs as XML. A triple in the position of an object is a triple term; its:dir is a base direction. */
import { DEFAULT_LIMITS } from '@quadrille/formats';
import type { ParserOptions, RdfParser } from '@quadrille/formats';
import { tooLongTerm } from '../terms/sink-term-factory.js';
import type { SinkTerm } from '../terms/sink-term-factory.js';
import { LONG_IRI, MAX_IRI_BYTES } from '@quadrille/model';
import type { ParseError } from '@quadrille/model';
import { DocumentTerms } from '../terms/document-terms.js';
import { ITS_NS, XML_NS, XmlReader } from '../xml/xml-reader.js';
import type { LongPart } from '../xml/markup-watch.js';
import type { XmlElement, XmlEvents } from '../xml/xml-reader.js';

export const TRIX_NS = 'http://www.w3.org/2004/03/trix/trix-1/';

/** Creates a parser for TriX. */
export function createTrixParser(options: ParserOptions): RdfParser {
  return new TrixBuilder(options).reader;
}

const TERMS = ['uri', 'id', 'plainLiteral', 'typedLiteral', 'triple'];
const CHILDREN: Readonly<Record<string, readonly string[]>> = {
  '': ['TriX', 'trix'],
  TriX: ['graph'],
  trix: ['graph'],
  graph: ['uri', 'id', 'triple'],
  triple: TERMS,
};
const WITH_TEXT = new Set(['uri', 'id', 'plainLiteral', 'typedLiteral']);

interface Frame {
  readonly name: string;
  readonly element: XmlElement | undefined;
  text: string;
  /** The terms of a triple, or the name of a graph. */
  readonly terms: SinkTerm[];
}

class TrixBuilder implements XmlEvents {
  readonly reader: XmlReader;
  readonly #terms: DocumentTerms;
  readonly #maxTermBytes: number;
  readonly #frames: Frame[] = [{ name: '', element: undefined, text: '', terms: [] }];
  #hasTriples = false;
  readonly #fail = (reason: string): ParseError => this.reader.error(reason);

  constructor({ sink, source, limits, onFault }: ParserOptions) {
    this.reader = new XmlReader(this, { source, limits, entities: false });
    this.#maxTermBytes = limits?.maxTermBytes ?? DEFAULT_LIMITS.maxTermBytes;
    this.#terms = new DocumentTerms(sink, this.#maxTermBytes, this.#fail, onFault);
  }

  open(element: XmlElement): void {
    const parent = this.#frames.at(-1)!;
    const name = element.local;
    if (element.uri !== TRIX_NS || CHILDREN[parent.name]?.includes(name) !== true) {
      throw this.#fail(`unexpected element ${JSON.stringify(element.name.slice(0, 100))}`);
    }
    if (name === 'graph') this.#hasTriples = false;
    this.#frames.push({ name, element, text: '', terms: [] });
  }

  text(text: string): void {
    const frame = this.#frames.at(-1)!;
    if (WITH_TEXT.has(frame.name)) {
      frame.text += text;
      const reason = this.#longText(frame, frame.text.trim().length);
      if (reason !== undefined) throw this.#fail(reason);
    } else if (/[^ \t\r\n]/.test(text)) throw this.#fail('text is not allowed here');
  }

  tooLong({ kind, name, length }: LongPart): string | undefined {
    if (kind === 'text') return this.#longText(this.#frames.at(-1)!, length);
    return kind === 'attribute' && name === 'datatype' ? LONG_IRI : undefined;
  }

  /** The reason why a text of this length is too long for its element, if it is. */
  #longText({ name }: Frame, length: number): string | undefined {
    if (name === 'uri') return length > MAX_IRI_BYTES ? LONG_IRI : undefined;
    return length > this.#maxTermBytes ? tooLongTerm(this.#maxTermBytes) : undefined;
  }

  close(): void {
    const frame = this.#frames.pop()!;
    const parent = this.#frames.at(-1)!;
    if (!TERMS.includes(frame.name)) return;
    if (parent.name === 'graph' && frame.name === 'triple') {
      this.#hasTriples = true;
      this.#terms.statement(this.#tripleOf(frame), parent.terms[0]);
      return;
    }
    if (parent.name === 'graph' && (this.#hasTriples || parent.terms.length > 0)) {
      throw this.#fail('the name of a graph must stand once, before its triples');
    }
    const term = this.#termOf(frame);
    if (term !== undefined) parent.terms.push(term);
  }

  #termOf(frame: Frame): SinkTerm | undefined {
    const text = frame.text.replaceAll(/^[ \t\r\n]+|[ \t\r\n]+$/g, '');
    switch (frame.name) {
      case 'uri':
        // An empty name means the default graph.
        return text === '' && this.#frames.at(-1)?.name === 'graph' ? undefined : this.#terms.iri(text);
      case 'id':
        return this.#terms.blankNode(text.startsWith('_:') ? text.slice(2) : text);
      case 'triple':
        return this.#terms.tripleTerm(this.#tripleOf(frame));
      default:
        return this.#literal(frame);
    }
  }

  #literal({ name, element, text }: Frame): SinkTerm {
    const language = attribute(element, XML_NS, 'lang');
    const direction = attribute(element, ITS_NS, 'dir');
    const datatype = attribute(element, '', 'datatype');
    if (name === 'plainLiteral') return this.#terms.literal(text, language === '' ? {} : { language, direction });
    if (datatype === undefined) throw this.#fail('a typedLiteral needs a datatype');
    return this.#terms.literal(text, { datatype });
  }

  #tripleOf({ terms }: Frame): { subject: SinkTerm; predicate: SinkTerm; object: SinkTerm } {
    const [subject, predicate, object] = terms;
    if (subject === undefined || predicate === undefined || object === undefined || terms.length > 3) {
      throw this.#fail(`a triple has three terms, not ${terms.length}`);
    }
    if (!['NamedNode', 'BlankNode'].includes(subject.termType)) throw this.#fail(`a ${subject.termType} is no subject`);
    if (predicate.termType !== 'NamedNode') throw this.#fail(`a ${predicate.termType} is no predicate`);
    return { subject, predicate, object };
  }
}

function attribute(element: XmlElement | undefined, uri: string, local: string): string | undefined {
  return Object.values(element?.attributes ?? {}).find((one) => one.uri === uri && one.local === local)?.value;
}
