/**
 * Reads untrusted XML as events. It uses saxes and adds checks of the encoding, the depth, the length of tokens, and entities. Every
 * fault is a ParseError with line and column.
 */
import { DEFAULT_LIMITS } from '@quadrille/formats';
import type { ParserLimits, ReadSoFar } from '@quadrille/formats';
import { MAX_IRI_BYTES, ParseError } from '@quadrille/model';
import { SaxesParser } from 'saxes';
import type { SaxesAttributeNS, SaxesTagNS } from 'saxes';
import { Entities } from './document-type.js';
import { MarkupWatch } from './markup-watch.js';
import type { LongPart } from './markup-watch.js';
import { XmlDecoder } from './xml-decoder.js';

export type XmlElement = SaxesTagNS;
export type XmlAttribute = SaxesAttributeNS;

export const XML_NS = 'http://www.w3.org/XML/1998/namespace';
export const XMLNS_NS = 'http://www.w3.org/2000/xmlns/';
export const ITS_NS = 'http://www.w3.org/2005/11/its';
/** Deepest nesting of elements, unless the limits say otherwise. */
export const MAX_XML_DEPTH = 256;

export interface XmlEvents {
  open(element: XmlElement): void;
  close(element: XmlElement): void;
  /** A part of the text between two other events. */
  text(text: string): void;
  comment?(text: string): void;
  instruction?(target: string, body: string): void;
  /** The reason why a part is too long, if it is. Called for parts longer than {@link MAX_IRI_BYTES}, which may be incomplete. */
  tooLong?(part: LongPart): string | undefined;
}

export interface XmlReaderOptions {
  readonly source: string | undefined;
  readonly limits: ParserLimits | undefined;
  /** Whether a document type may declare entities. Otherwise document types are refused. */
  readonly entities: boolean;
}

interface Place {
  readonly line: number;
  readonly column: number;
}

const SLICE_BYTES = 64 * 1024;
/** Length to which the entities of one token may expand. */
const MAX_EXPANSION = 1024 * 1024;

export class XmlReader {
  readonly #parser = new SaxesParser({ xmlns: true });
  #decoder: XmlDecoder;
  /** Difference between the line of the document and that of saxes. */
  #lineShift = 0;
  readonly #source: string | undefined;
  readonly #maxTokenBytes: number;
  readonly #maxDepth: number;
  #depth = 0;
  #bytesSinceToken = 0;
  readonly #watch: MarkupWatch;
  /** The last text that saxes was given, and number of UTF-16 units before it. */
  #given = '';
  #before = 0;
  /** End of the last tag, and end of the part that was searched for long parts. */
  #markupEnd = 0;
  #looked = 0;
  #expanded = 0;

  constructor(events: XmlEvents, { source, limits, entities }: XmlReaderOptions) {
    this.#watch = new MarkupWatch({
      length: MAX_IRI_BYTES,
      onLong: (part) => {
        const reason = events.tooLong?.(part);
        if (reason !== undefined) throw this.error(reason, undefined, part);
      },
    });
    this.#source = source;
    this.#decoder = new XmlDecoder(source);
    this.#maxTokenBytes = limits?.maxLineBytes ?? DEFAULT_LIMITS.maxLineBytes;
    this.#maxDepth = limits?.maxDepth ?? MAX_XML_DEPTH;
    this.#listen(events, entities);
  }

  /** Continues behind the part that was read. Saxes gets the open elements and starts in the same column. */
  goOn({ offset, line, column, head }: ReadSoFar): void {
    this.#decoder = new XmlDecoder(this.#source, { offset, line });
    this.#write(head.map((one) => `${one}\n`).join('') + ' '.repeat(column));
    this.#lineShift = line - 1 - head.length;
  }

  /** @throws ParseError `RDF_SYNTAX` */
  push(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length; at += SLICE_BYTES) {
      const slice = chunk.subarray(at, at + SLICE_BYTES);
      this.#bytesSinceToken += slice.length;
      this.#write(this.#decoder.decode(slice, false));
      if (this.#bytesSinceToken > this.#maxTokenBytes) {
        throw this.error(`a token is longer than ${this.#maxTokenBytes} bytes`);
      }
    }
  }

  /** @throws ParseError `RDF_SYNTAX` if the document is truncated */
  end(): void {
    this.#parser.write(this.#decoder.decode(new Uint8Array(0), true)).close();
  }

  /** The namespace of a prefix in the open element. */
  namespace(prefix: string): string | undefined {
    return this.#parser.resolve(prefix);
  }

  #write(text: string): void {
    this.#before += this.#given.length;
    this.#given = text;
    this.#parser.write(text);
    this.#look(this.#before + text.length);
  }

  /** Searches for long parts up to the position of saxes, if there can be one. */
  #lookIfLong(): void {
    const { position } = this.#parser;
    if (position - this.#markupEnd > MAX_IRI_BYTES) this.#look(position);
  }

  /** Searches for long parts up to an offset. */
  #look(end: number): void {
    const text = this.#given.slice(this.#looked - this.#before, end - this.#before);
    this.#looked = end;
    this.#watch.look(text);
  }

  /** Creates an error, by default at the position of the parser. */
  error(reason: string, cause?: unknown, { line, column }: Place = this.#parser): ParseError {
    return new ParseError(
      'RDF_SYNTAX',
      reason,
      { source: this.#source, line: line + this.#lineShift, column: column + 1 },
      { cause },
    );
  }

  #listen(events: XmlEvents, entities: boolean): void {
    const parser = this.#parser;
    reserveHandlers(parser);
    parser.on('error', (error) => {
      throw this.error(`not XML: ${error.message.replace(/^\d+:\d+: /, '')}`);
    });
    parser.on('xmldecl', () => this.#markup());
    parser.on('doctype', (doctype) => {
      if (!entities) throw this.error('a document type is not allowed');
      this.#declareEntities(doctype);
    });
    parser.on('opentag', (element) => {
      this.#markup();
      if (++this.#depth > this.#maxDepth) throw this.error(`elements are nested deeper than ${this.#maxDepth}`);
      events.open(element);
    });
    parser.on('closetag', (element) => {
      this.#markup();
      this.#depth--;
      events.close(element);
    });
    parser.on('text', (chars) => {
      this.#token();
      this.#lookIfLong();
      events.text(chars);
    });
    parser.on('cdata', (chars) => {
      this.#markup();
      events.text(chars);
    });
    parser.on('comment', (comment) => {
      this.#markup();
      events.comment?.(comment);
    });
    parser.on('processinginstruction', ({ target, body }) => {
      this.#markup();
      events.instruction?.(target, body);
    });
  }

  /** Called after each tag, comment or other markup. */
  #markup(): void {
    this.#token();
    this.#lookIfLong();
    const { position, line, column } = this.#parser;
    this.#looked = this.#markupEnd = position;
    this.#watch.restart(line, column);
  }

  #token(): void {
    this.#bytesSinceToken = 0;
    this.#expanded = 0;
  }

  /** Declares the entities of a document type. Each is expanded where it is used first. */
  #declareEntities(doctype: string): void {
    this.#markup();
    const entities = new Entities(doctype, (reason) => this.error(reason));
    const { ENTITIES } = this.#parser;
    for (const name of entities.names()) {
      // Predefined entities cannot be redeclared.
      if (name in ENTITIES) continue;
      const get = (): string => {
        const value = entities.text(name);
        this.#expanded += value.length;
        if (this.#expanded > MAX_EXPANSION) throw this.error('the expanded entities are too long');
        return value;
      };
      Object.defineProperty(ENTITIES, name, { get, enumerable: true });
    }
  }
}

/**
 * Saxes adds a property with a computed name for each event. With more than six of them V8 stores the parser as a hash table, which
 * makes reading three times slower. Properties that are assigned by name first avoid this.
 */
function reserveHandlers(parser: object): void {
  const handlers = parser as Record<string, undefined>;
  handlers.xmldeclHandler = undefined;
  handlers.doctypeHandler = undefined;
  handlers.textHandler = undefined;
  handlers.cdataHandler = undefined;
  handlers.commentHandler = undefined;
  handlers.piHandler = undefined;
  handlers.openTagHandler = undefined;
  handlers.closeTagHandler = undefined;
}
