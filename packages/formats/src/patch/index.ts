/**
 * RDF Patch (https://jena.apache.org/documentation/rdf-patch/): changes of a dataset as text. It is not a format of quads, so the
 * registry does not know it. An entry of its own: programs without patches do not load it.
 */
export { createPatchParser, SCANNED_BYTES } from './patch-parser.js';
export type { PatchParser, PatchParserOptions } from './patch-parser.js';
export { PatchCollector } from './patch-rows.js';
export type { AddPrefixRow, DeletePrefixRow, HeaderRow, MarkRow, PatchRow, QuadRow } from './patch-rows.js';
export type { PatchMark, PatchSink } from './patch-sink.js';
export { patchRowText } from './patch-writer.js';
export type { PatchRowInput } from './patch-writer.js';
export { loadScanner } from '../scanner/scanner.js';
export { readPatch } from './read-patch.js';
export type { ReadPatchOptions } from './read-patch.js';

/** The media type of RDF Patch. */
export const RDF_PATCH_TYPE = 'application/rdf-patch';
/** The extension of files with RDF Patch, without the dot. */
export const RDF_PATCH_EXTENSION = 'rdfp';
