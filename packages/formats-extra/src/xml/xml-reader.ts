/**
 * XML that nobody vouches for, as events: saxes behind checks of the encoding, depth, length of a token and entities. Every
 * fault is a ParseError with line and column.
 */
import { DEFAULT_LIMITS, Utf8Decoder } from '@quadrille/formats';
import type { ParserLimits, ReadSoFar } from '@quadrille/formats';
import { MAX_IRI_BYTES, ParseError } from '@quadrille/model';
import { SaxesParser } from 'saxes';
import type { SaxesAttributeNS, SaxesTagNS } from 'saxes';
import { MarkupWatch } from './markup-watch.js';
import type { LongPart } from './markup-watch.js';

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
  /** Text between two events; a text may come in several. */
  text(text: string): void;
  comment?(text: string): void;
  instruction?(target: string, body: string): void;
  /** Why a part is too long. Asked for parts longer than {@link MAX_IRI_BYTES}, which may not be complete. */
  tooLong?(part: LongPart): string | undefined;
}

export interface XmlReaderOptions {
  readonly source: string | undefined;
  readonly limits: ParserLimits | undefined;
  /** Whether a document type may declare abbreviations of IRIs; without it no document type is allowed. */
  readonly entities: boolean;
}

interface Place {
  readonly line: number;
  readonly column: number;
}

const SLICE_BYTES = 64 * 1024;
const MAX_ENTITIES = 1000;
const MAX_ENTITY_LENGTH = 1024;
/** What the entities within one token may become. */
const MAX_EXPANSION = 1024 * 1024;
const UTF_8 = /^(?:utf-?8|us-ascii|ascii)$/i;
// Of a document type: a declaration, a comment, and what else may stand in it and means nothing to RDF.
const ENTITY = /<!ENTITY\s+([^\s%"'<>&]+)\s+(?:"([^"]*)"|'([^']*)')\s*>/gy;
const SKIPPED = /\s+|<!--[\s\S]*?-->/gy;

export class XmlReader {
  readonly #parser = new SaxesParser({ xmlns: true });
  #decoder: Utf8Decoder;
  /** Line of the document less that of saxes. */
  #lineShift = 0;
  readonly #source: string | undefined;
  readonly #maxTokenBytes: number;
  readonly #maxDepth: number;
  #depth = 0;
  #bytesSinceToken = 0;
  readonly #watch: MarkupWatch;
  /** What saxes was given last, and UTF-16 units before it. */
  #given = '';
  #before = 0;
  /** Where the last tag ended, and how far the document was looked at for long parts. */
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
    this.#decoder = new Utf8Decoder(source);
    this.#maxTokenBytes = limits?.maxLineBytes ?? DEFAULT_LIMITS.maxLineBytes;
    this.#maxDepth = limits?.maxDepth ?? MAX_XML_DEPTH;
    this.#listen(events, entities);
  }

  /** Goes on behind what was read: tells saxes what is open, and begins in the same column. */
  goOn({ offset, line, column, head }: ReadSoFar): void {
    this.#decoder = new Utf8Decoder(this.#source, offset, line);
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

  /** @throws ParseError `RDF_SYNTAX` where the document is cut off */
  end(): void {
    this.#parser.write(this.#decoder.decode(new Uint8Array(0), true)).close();
  }

  /** The namespace of a prefix in the element that is open. */
  namespace(prefix: string): string | undefined {
    return this.#parser.resolve(prefix);
  }

  #write(text: string): void {
    this.#before += this.#given.length;
    this.#given = text;
    this.#parser.write(text);
    this.#look(this.#before + text.length);
  }

  /** Looks for long parts up to where saxes is, if there can be one. */
  #lookIfLong(): void {
    const { position } = this.#parser;
    if (position - this.#markupEnd > MAX_IRI_BYTES) this.#look(position);
  }

  /** Looks for long parts up to a place. */
  #look(end: number): void {
    const text = this.#given.slice(this.#looked - this.#before, end - this.#before);
    this.#looked = end;
    this.#watch.look(text);
  }

  /** An error, by default at the place where the parse is. */
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
    parser.on('xmldecl', ({ encoding }) => {
      this.#markup();
      if (encoding !== undefined && !UTF_8.test(encoding)) {
        throw this.error(`the encoding is declared as ${JSON.stringify(encoding.slice(0, 40))}; only UTF-8 is read`);
      }
    });
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

  /** Behind a tag, a comment and the like. */
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

  /** Knows the entities of a document type, which must be short texts that mean only themselves. */
  #declareEntities(doctype: string): void {
    this.#markup();
    const open = doctype.indexOf('[');
    const head = open === -1 ? doctype : doctype.slice(0, open);
    if (/\b(?:SYSTEM|PUBLIC)\b/.test(head)) throw this.error('a document type that stands elsewhere is not allowed');
    if (open === -1) return;
    const close = doctype.lastIndexOf(']');
    for (let at = open + 1, count = 0; at < close;) {
      SKIPPED.lastIndex = at;
      if (SKIPPED.test(doctype)) {
        at = SKIPPED.lastIndex;
        continue;
      }
      ENTITY.lastIndex = at;
      const [, name, double, single] = ENTITY.exec(doctype) ?? [];
      if (name === undefined) throw this.error('a document type may only declare entities that stand for plain text');
      if (++count > MAX_ENTITIES) throw this.error(`more than ${MAX_ENTITIES} entities`);
      this.#declareEntity(name, double ?? single ?? '');
      at = ENTITY.lastIndex;
    }
  }

  #declareEntity(name: string, value: string): void {
    if (/[&%<]/.test(value)) throw this.error(`the entity ${JSON.stringify(name.slice(0, 40))} is not plain text`);
    if (value.length > MAX_ENTITY_LENGTH) throw this.error(`an entity is longer than ${MAX_ENTITY_LENGTH} characters`);
    // The first declaration counts, and none may change what XML itself declares.
    if (name in this.#parser.ENTITIES) return;
    const get = (): string => {
      this.#expanded += value.length;
      if (this.#expanded > MAX_EXPANSION) throw this.error('entities become too long a text');
      return value;
    };
    Object.defineProperty(this.#parser.ENTITIES, name, { get, enumerable: true });
  }
}

/**
 * saxes adds a property by a computed name for each event. With more than six of them V8 keeps the parser in a hash table,
 * and reading a document takes three times as long; properties that are there by name cost nothing.
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
