/** The interfaces and options of the parsers. */
import type { ParseError, QuadSink } from '@quadrille/model';
import type { JsonLdOptions } from './json-ld-options.js';

/** A synchronous parser of bytes: the sink has every complete statement of a chunk when `push` returns. */
export interface RdfParser {
  /**
   * Parses a chunk; it may be cut anywhere. The chunk may be reused when the call returns.
   * @throws ParseError `RDF_SYNTAX`; the parser must not be used after that.
   */
  push(chunk: Uint8Array): void;
  /**
   * Parses the remaining bytes and checks that the document is complete. Call it once, after the last chunk.
   * @throws ParseError `RDF_SYNTAX`
   */
  end(): void;
}

/** Describes the part of a document that one parser has read, for the parser that continues. It can be cloned. */
export interface ReadSoFar {
  /** The end of that part: offset in bytes, line from 1, column from 0. */
  readonly offset: number;
  /** Number of the line, from 1. */
  readonly line: number;
  /** Number of the column, from 1. */
  readonly column: number;
  /** The base of relative IRIs. */
  readonly base: string | undefined;
  /** The start of a document with the same declarations and the same open elements, one entry for each line. */
  readonly head: readonly string[];
  /** Whether anything was read. */
  readonly started: boolean;
  /** Number of blank nodes without a label that were read. The parser that continues numbers its own from there. */
  readonly blankNodes?: number | undefined;
}

/** A fast parser for the common part of a format. Another parser continues where it stops. */
export interface FastParser {
  /** Like {@link RdfParser.push}. When it stops, it returns the bytes for the other parser, which then gets all further chunks. */
  push(chunk: Uint8Array): readonly Uint8Array[] | undefined;
  /** Ends the document; the bytes that are left for another parser. */
  end(): readonly Uint8Array[] | undefined;
  /** How far it has come, for the parser that goes on. */
  readonly readSoFar: ReadSoFar;
}

/** Like {@link RdfParser}, for formats whose parsers wait, for example for a remote context of JSON-LD. */
export interface AsyncRdfParser {
  /** Parses a chunk. Await it before the next call; the chunk may then be reused. It rejects where {@link RdfParser.push} throws. */
  push(chunk: Uint8Array): Promise<void>;
  /** Parses the remaining bytes. Call it once, after the last chunk. It rejects where {@link RdfParser.end} throws. */
  end(): Promise<void>;
}

/** What a document has and its format leaves out, because it is no RDF. */
export interface DroppedStatement {
  /** Its place: a JSON Pointer (RFC 6901), such as `/potentialAction/target`. Empty where it is not known. */
  readonly path: string;
  /** Why it is no RDF. */
  readonly reason: string;
}

/** Fetches a document that another document refers to. If it throws, its error is the `cause` of the FetchError. */
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

/** The bounds of parsers, where the options do not say otherwise. */
export const DEFAULT_LIMITS: Required<ParserLimits> = {
  maxTermBytes: 16 * 1024 * 1024,
  maxLineBytes: 32 * 1024 * 1024,
  maxDepth: 1000,
  maxPrefixes: 10_000,
  maxDocumentBytes: 64 * 1024 * 1024,
};

/** Options of parsers. */
export interface ParserOptions {
  /** Receives terms and statements. */
  readonly sink: QuadSink;
  /** Name of the document for error messages: a path, an address. */
  readonly source?: string | undefined;
  /** What relative IRIs of Turtle and TriG resolve against. Without it they are refused. */
  readonly baseIRI?: string | undefined;
  /** Bounds that differ from the default. */
  readonly limits?: ParserLimits | undefined;
  /**
   * Called for each line of N-Triples and N-Quads that is not well formed, with the line, cut after 500 bytes. In other formats it is called
   * for each IRI and each language tag that is not well formed, with its text. The statements that have it are left out. Then the parser goes on
   * behind it. An error that it throws ends the parse. Without it the first such line or term does. What is too long ends the parse anyway.
   */
  readonly onFault?: ((error: ParseError, line: string) => void) | undefined;
  /** What a {@link FastParser} has read of the document. */
  readonly readSoFar?: ReadSoFar | undefined;
}

/** Options of parsers that wait. */
export interface AsyncParserOptions extends ParserOptions {
  /** Ends the parse between two steps, with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** Brings the contexts that a JSON-LD document refers to. Without it they are refused. */
  readonly loadDocument?: DocumentLoader | undefined;
  /** How JSON-LD is read. */
  readonly jsonLd?: JsonLdOptions | undefined;
  /** Called with what a part of a JSON-LD document has and is no RDF. An error that it throws ends the parse. */
  readonly onDropped?: ((dropped: readonly DroppedStatement[]) => void) | undefined;
  /**
   * Awaited within `push` and `end` after a large number of statements, so that the receiver can process them. Synchronous
   * parsers need not call it.
   */
  readonly onBatch?: (() => Promise<void> | void) | undefined;
}
