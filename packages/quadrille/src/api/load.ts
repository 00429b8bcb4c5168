/** Loads: their options, sources and progress. */
import type * as RDF from '@rdfjs/types';
import type { DocumentLoader, DroppedStatement, JsonLdOptions } from '@quadrille/formats';
import type { PatchOptions } from './commit.js';
import type { Revision } from '@quadrille/core';

/**
 * The steps of a load, in this order. `indexing` and `committing` begin when the whole document has been parsed.
 * @since 0.1.0
 */
export type LoadPhase = 'reading' | 'indexing' | 'committing' | 'done';
/**
 * The progress of a running load.
 * @since 0.1.0
 */
export interface LoadProgress {
  /** The step that runs now. */
  readonly phase: LoadPhase;
  /** Bytes of the source consumed so far (compressed ones where it is compressed). */
  readonly bytesRead: number;
  /** Length of the source in bytes, if it is known. */
  readonly bytesTotal: number | undefined;
  /** Quads parsed so far. */
  readonly quads: number;
  /** Share of the further work on these quads that is done (finding terms, sorting, writing), from 0 to 1. */
  readonly indexedShare: number;
  /** From 0 to 1, never decreasing, and 1 only after the commit. `undefined` before the end if the length is unknown. */
  readonly fraction: number | undefined;
}
/**
 * A line or a term of a document that is not well formed.
 * @since 0.1.0
 */
export interface SkippedLine {
  /** A line or a term that `onError: 'skip'` has left out. */
  readonly kind: 'skipped';
  /** Number of the line, from 1. */
  readonly line: number;
  /** In characters, from 1. */
  readonly column: number;
  /** The fault in the line. */
  readonly message: string;
  /** The line as it stands, cut after 500 bytes. */
  readonly text: string;
}
/**
 * What a JSON-LD document has and is no RDF, so that its statements are left out: a key without an IRI, an IRI that is none.
 * @since 0.1.0
 */
export interface DroppedPart {
  /** A part that the format leaves out. */
  readonly kind: 'dropped';
  /** Its place in the document, a JSON Pointer: `/potentialAction/target`. Empty where it is not known. */
  readonly path: string;
  /** Why it is no RDF. */
  readonly message: string;
}
/**
 * What a load has left out.
 * @since 0.1.0
 */
export type LoadProblem = SkippedLine | DroppedPart;
/**
 * The revision of a load.
 * @since 0.1.0
 */
export interface LoadedRevision extends Revision {
  /** Of a JSON-LD document with parts that are no RDF, and of a table with rows of which the mapping makes nothing at all. */
  readonly dropped?: DroppedParts;
}
/**
 * The parts of a document that are no RDF.
 * @since 0.1.0
 */
export interface DroppedParts {
  /** Number of all. */
  readonly count: number;
  /** The first ten. */
  readonly first: readonly DroppedStatement[];
}
/**
 * Options of `load`.
 * @since 0.1.0
 */
export interface LoadOptions extends PatchOptions {
  /**
   * A media type, a format name or an extension. A compressed source is recognised by its first bytes: gzip, and of files also bzip2 and zstd.
   * @defaultValue by the extension of the file's name; other sources need it
   */
  readonly format?: string | undefined;
  /**
   * Reads a table: a CONSTRUCT that is evaluated once for each row, with the columns as variables and `?row` as its number. Its WHERE looks at
   * the row alone, by BIND, FILTER, OPTIONAL, UNION and VALUES, and has the prefixes of the repository. The format is `csv`, `tsv`, `json` (an array
   * of objects, or one) or `jsonl`, given or by the extension of the file's name.
   * @defaultValue none: the source is an RDF document
   */
  readonly mapping?: string | undefined;
  /** Load everything into this graph; graph names of the document are dropped. */
  readonly graph?: RDF.NamedNode | RDF.BlankNode | RDF.DefaultGraph | undefined;
  /**
   * Base of relative IRIs, until the document declares another one.
   * @defaultValue the IRI of the file, `file:///…`; other sources have none, and a relative IRI in them is `RDF_SYNTAX`
   */
  readonly baseIRI?: string | undefined;
  /**
   * Whether the document replaces the whole content, or that of `graph`, in one revision.
   * @defaultValue `false`
   */
  readonly replace?: boolean | undefined;
  /** Called about five times a second, at each new phase, and at the end. An error that it throws ends the load. */
  readonly onProgress?: ((progress: LoadProgress) => void) | undefined;
  /**
   * What happens at a line of N-Triples and N-Quads, and in other formats at an IRI or a language tag, that is not well formed. `fail`: the
   * load fails, and nothing is kept. `skip`: the line, or the statements that have the term, are left out, and the load goes on. Other faults of
   * the syntax end the load anyway.
   * @defaultValue `'fail'`
   */
  readonly onError?: 'fail' | 'skip' | undefined;
  /**
   * With `onError: 'skip'`: the largest number of skipped lines or terms. The load fails at the next one.
   * @defaultValue `1000`
   */
  readonly maxErrors?: number | undefined;
  /**
   * Refuses a JSON-LD document with anything that is no RDF, with `RDF_SYNTAX` and its place. Also refuses a table of which the mapping makes
   * nothing at all. Otherwise that is left out, as the specification says, and told by `onProblem` and in the result.
   * @defaultValue `false`
   */
  readonly safe?: boolean | undefined;
  /** Called for each thing that is left out, while the document is read. An error that it throws ends the load. */
  readonly onProblem?: ((problem: LoadProblem) => void) | undefined;
  /** Length of a stream in bytes, for the progress, if the caller knows it. */
  readonly bytesTotal?: number | undefined;
  /** Returns how many of `bytesTotal` were consumed, if the stream has other bytes: it was decompressed, or it is one part. */
  readonly bytesRead?: (() => number) | undefined;
  /**
   * Largest document in bytes after decompression. A larger one is `INPUT_TOO_LARGE`.
   * @defaultValue no limit
   */
  readonly maxBytes?: number | undefined;
  /**
   * Largest ratio of decompressed to compressed bytes, checked from 1 MB on. A larger one is `INPUT_TOO_LARGE`.
   * @defaultValue no limit
   */
  readonly maxRatio?: number | undefined;
  /**
   * Contexts of JSON-LD by their addresses: JSON, or the path of a file that has it. They come before those of `open` and before `loadDocument`.
   * http and https are one address, with and without a slash at the end.
   * @defaultValue none
   */
  readonly contexts?: JsonLdContexts | undefined;
  /**
   * Loads the contexts that a JSON-LD document refers to and `contexts` has not. Without it such a document is refused with `URL_NOT_ALLOWED`;
   * where it fails, with `FETCH_FAILED`.
   */
  readonly loadDocument?: DocumentLoader | undefined;
  /** How JSON-LD is read: `rdfDirection`, `expandContext`, `processingMode`. Other formats ignore it. */
  readonly jsonLd?: JsonLdOptions | undefined;
}
/**
 * Contexts of JSON-LD by their addresses: JSON, with or without `@context` around it, or the path of a file. Browsers have no paths.
 * @since 0.1.0
 */
export type JsonLdContexts = Readonly<Record<string, string | object>>;
type ByteStream = AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>;
/**
 * Opens a stream of the same bytes from this one on. A load calls it with 0, and again where the stream has failed: it goes on with what
 * is missing, and the whole is one revision. After six failures without a byte between them the load fails with the last one.
 * @since 0.1.0
 */
export type ReopenedSource = (offset: number) => ByteStream | Promise<ByteStream>;
/**
 * A path, a file URL, bytes, text, a stream of bytes (web or Node, any async iterable), or a function that opens one. A path is relative
 * to the working directory. Browsers have no paths and no file URLs.
 * @since 0.1.0
 */
export type LoadSource =
  | string
  | URL
  | Uint8Array
  | {
      /** The document itself. */
      readonly text: string;
    }
  | ByteStream
  | ReopenedSource;
