/** The rows of a whole patch, from text or from chunks of bytes. */
import { paced } from '@quadrille/model';
import type { ParserLimits } from '../parser.js';
import { slicesOf } from '../slices.js';
import { createPatchParser } from './patch-parser.js';
import { PatchCollector } from './patch-rows.js';
import type { PatchRow } from './patch-rows.js';

/** Options of {@link readPatch}. */
export interface ReadPatchOptions {
  /** Name of the document for error messages. */
  readonly source?: string | undefined;
  /** Limits of size and depth. Default: those of all parsers. */
  readonly limits?: ParserLimits | undefined;
}

/**
 * The rows of a patch in the order of the document, in batches: those that are complete after each 64 KB. Holds one batch, and the row
 * that is cut.
 * @throws ParseError `RDF_SYNTAX` with line and column, through the iterator, behind the batches before it.
 * @example for await (const rows of readPatch('A <a:s> <a:p> "o" .')) console.log(rows[0].type); // 'add'
 */
export async function* readPatch(
  source: AsyncIterable<Uint8Array> | string,
  options: ReadPatchOptions = {},
): AsyncIterable<readonly PatchRow[]> {
  const sink = new PatchCollector();
  const parser = createPatchParser({ sink, source: options.source, limits: options.limits });
  const chunks = typeof source === 'string' ? [new TextEncoder().encode(source)] : source;
  // Neither the parser nor the reader need wait.
  for await (const slice of paced(slicesOf(chunks))) {
    parser.push(slice);
    const rows = sink.take();
    if (rows.length > 0) yield rows;
  }
  parser.end();
  const rows = sink.take();
  if (rows.length > 0) yield rows;
}
