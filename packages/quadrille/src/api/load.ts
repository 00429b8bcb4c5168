/** Loads: their options, sources and progress. */
import type * as RDF from '@rdfjs/types';
import type { Revision } from '@quadrille/core';
import type { DocumentLoader, JsonLdOptions } from '@quadrille/formats';
import type { CommitOptions } from './commit.js';

export type LoadPhase = 'reading' | 'indexing' | 'committing' | 'done';
/** What is known of a load under way. */
export interface LoadProgress {
  readonly phase: LoadPhase;
  /** Bytes of the source consumed so far (compressed ones where it is gzipped). */
  readonly bytesRead: number;
  /** Length of the source, where it is known. */
  readonly bytesTotal: number | undefined;
  /** Quads parsed so far. */
  readonly quads: number;
  /** How much of the work on those is done: their terms found, they themselves sorted and written. 0 … 1. */
  readonly indexedShare: number;
  /** 0 … 1, never falling; 1 only after the commit; `undefined` where the length is unknown and it is not done. */
  readonly fraction: number | undefined;
}
export interface LoadOptions extends CommitOptions {
  /** A media type, a format name or an extension. Default: by the file's name. */
  readonly format?: string;
  /** Load everything into this graph; graph names of the document are dropped. */
  readonly graph?: RDF.NamedNode | RDF.BlankNode | RDF.DefaultGraph;
  /** What relative IRIs resolve against. Default: the IRI of the file, `file:///…`; other sources have none. */
  readonly baseIRI?: string;
  /** The document becomes the whole content (of `graph`, where one is given), in one revision. Default false. */
  readonly replace?: boolean;
  readonly onProgress?: (progress: LoadProgress) => void;
  /** Named in errors; default the path. */
  readonly sourceName?: string;
  /** Length of a stream, where the caller knows it, for `fraction`. */
  readonly bytesTotal?: number;
  /** How many of `bytesTotal` have come, where the stream is not what they count: it was unpacked on its way, or is a part. */
  readonly bytesRead?: () => number;
  /** A longer document is refused with `INPUT_TOO_LARGE`; counted after decompression. Default: any length. */
  readonly maxBytes?: number;
  /** Of decompressed to compressed bytes, looked at from 1 MB on; more is `INPUT_TOO_LARGE`. Default: any. */
  readonly maxRatio?: number;
  /** Brings the contexts that a JSON-LD document refers to. Without it such documents are refused. */
  readonly loadDocument?: DocumentLoader;
  /** How JSON-LD is read: `rdfDirection`, `expandContext`, `processingMode`. Other formats ignore it. */
  readonly jsonLd?: JsonLdOptions;
  /** For servers: `Database.records` that become true with the revision, written in one batch with it. */
  readonly records?: (revision: Revision) => readonly { readonly key: string; readonly value?: unknown }[];
}
/** A path, a file URL, bytes, text, or a stream of bytes (web or Node, any async iterable). */
export type LoadSource =
  string | URL | Uint8Array | { readonly text: string } | AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>;
