/** Parses RDF Patch from chunks of bytes, row by row. */
import { DEFAULT_LIMITS } from '../parser.js';
import type { ParserLimits, RdfParser } from '../parser.js';
import { TokenDocument } from '../turtle/token-document.js';
import { TurtleText } from '../turtle/turtle-text.js';
import { PatchGrammar } from './patch-grammar.js';
import { PatchScanner } from './patch-scanner.js';
import type { PatchSink } from './patch-sink.js';

/** Smallest chunk, in bytes, for which the scanner is worth setting up. */
export const SCANNED_BYTES = 32 * 1024;

/** Options of {@link createPatchParser}. */
export interface PatchParserOptions {
  /** Receives terms and rows. */
  readonly sink: PatchSink;
  /** Name of the document for error messages. */
  readonly source?: string | undefined;
  /** `maxLineBytes` bounds a row, `maxDepth` triple terms. */
  readonly limits?: ParserLimits | undefined;
}

/** A parser whose rows are passed on as far as they are complete, when it is asked to. */
export interface PatchParser extends RdfParser {
  /** Passes on the complete rows. */
  flush(): void;
}

/**
 * A parser for RDF Patch. It holds the row that a chunk cuts and nothing else. Space, line ends and comments may stand between all
 * tokens. A `TX` must end with `TC` or `TA` before the next one and before the end of the document.
 */
export function createPatchParser({ sink, source, limits: given }: PatchParserOptions): PatchParser {
  const limits = { ...DEFAULT_LIMITS, ...given };
  const text = new TurtleText();
  const grammar = new PatchGrammar(text, sink, limits);
  let scanner: PatchScanner | undefined;
  const scannerFor = (length: number): PatchScanner | undefined =>
    length < SCANNED_BYTES || sink.terms === undefined
      ? undefined
      : (scanner ??= PatchScanner.create(text, sink, limits));
  return new TokenDocument({ text, grammar, limits, source, scannerFor });
}
