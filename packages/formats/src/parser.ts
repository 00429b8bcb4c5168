/** What every parser of this package takes and is. */
import type { QuadSink } from '@quadrille/model';
import type { JsonLdOptions } from './json-ld-options.js';

/** A parser that is fed with bytes. Synchronous: the sink has every statement of a chunk when `push` returns. */
export interface RdfParser {
  /**
   * Parses a chunk; it may be cut anywhere. The chunk may be reused when the call returns.
   * @throws ParseError `RDF_SYNTAX`; the parser must not be used after that.
   */
  push(chunk: Uint8Array): void;
  /**
   * Parses what is left and checks that the document is complete. Call it once, after the last chunk.
   * @throws ParseError `RDF_SYNTAX`
   */
  end(): void;
}

/** What was read of a document, for a parser that goes on behind it. Can be cloned. */
export interface ReadSoFar {
  /** The place: bytes before it, its line from 1, its column from 0. */
  readonly offset: number;
  readonly line: number;
  readonly column: number;
  readonly base: string | undefined;
  /** The declarations that hold, and what is open, as a document would begin that has them; a line each. */
  readonly head: readonly string[];
  /** Whether anything was read. */
  readonly started: boolean;
  /** Number of blank nodes that the document does not name. They got the labels of the first ones of the other parser. */
  readonly blankNodes?: number | undefined;
}

/** Reads what documents of a format mostly are, very fast, and stops where they are not: another parser has to go on. */
export interface FastParser {
  /** As {@link RdfParser.push}. Returns the bytes that are the other one's, once there are such; none come here then. */
  push(chunk: Uint8Array): readonly Uint8Array[] | undefined;
  end(): readonly Uint8Array[] | undefined;
  readonly readSoFar: ReadSoFar;
}

/** As {@link RdfParser}, for formats that have to wait: for a context of JSON-LD that stands elsewhere. */
export interface AsyncRdfParser {
  /** Parses a chunk; wait for it before the next one. The chunk may be reused then. Rejects as {@link RdfParser.push} throws. */
  push(chunk: Uint8Array): Promise<void>;
  /** Parses what is left. Call it once, after the last chunk. Rejects as {@link RdfParser.end} throws. */
  end(): Promise<void>;
}

/** Fetches a document that another one refers to. What it throws stands in the error of the parse as its cause. */
export type DocumentLoader = (url: string, signal?: AbortSignal) => Promise<Uint8Array | string>;

/** Bounds that keep a hostile document from taking all memory. */
export interface ParserLimits {
  /** Longest term, in bytes of canonical N-Triples. Default 16 MiB. */
  readonly maxTermBytes?: number;
  /** Longest line of N-Triples and N-Quads and longest token of Turtle and TriG, in bytes. Default 32 MiB. */
  readonly maxLineBytes?: number;
  /** Deepest nesting of triple terms, and in Turtle of `[`, `(` and `{|`. Default 1,000. */
  readonly maxDepth?: number;
  /** Most prefixes of a Turtle or TriG document. Default 10,000. */
  readonly maxPrefixes?: number;
  /** Longest JSON that has to be held as a whole: a document, or an element of an array at its root. Default 64 MiB. */
  readonly maxDocumentBytes?: number;
}

export const DEFAULT_LIMITS: Required<ParserLimits> = {
  maxTermBytes: 16 * 1024 * 1024,
  maxLineBytes: 32 * 1024 * 1024,
  maxDepth: 1000,
  maxPrefixes: 10_000,
  maxDocumentBytes: 64 * 1024 * 1024,
};

export interface ParserOptions {
  /** Where terms and statements go. */
  readonly sink: QuadSink;
  /** Name of the document for error messages: a path, an address. */
  readonly source?: string | undefined;
  /** What relative IRIs of Turtle and TriG resolve against. Without it they are refused. */
  readonly baseIRI?: string | undefined;
  readonly limits?: ParserLimits | undefined;
  /** What a {@link FastParser} has read of the document. */
  readonly readSoFar?: ReadSoFar | undefined;
}

export interface AsyncParserOptions extends ParserOptions {
  /** Ends the parse between two steps, with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** Brings the contexts that a JSON-LD document refers to. Without it they are refused. */
  readonly loadDocument?: DocumentLoader | undefined;
  /** How JSON-LD is read. */
  readonly jsonLd?: JsonLdOptions | undefined;
  /**
   * Awaited where much was handed to the sink within one `push` or `end`, so that the receiver can deal with it. A parser
   * that does not wait itself need not call it.
   */
  readonly onBatch?: (() => Promise<void> | void) | undefined;
}
