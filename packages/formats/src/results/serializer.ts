/** SPARQL results as text: what every format offers. */
import type * as RDF from '@rdfjs/types';

/** A solution by variable name; an unbound variable has no member. */
export type ResultRow = Readonly<Record<string, RDF.Term>>;

/**
 * Writes one answer, in parts: `head`, then `rows` as often as there are more, then `end`; or `boolean` alone. The parts
 * together are the document.
 */
export interface ResultSerializer {
  head(variables: readonly string[]): string;
  rows(rows: readonly ResultRow[]): string;
  end(): string;
  /** The whole document of an ASK. */
  boolean(value: boolean): string;
}

/** A format of results in the registry. */
export interface ResultFormat {
  /** The media type that an answer has, with its charset. */
  readonly contentType: string;
  readonly mediaTypes: readonly string[];
  /** Names that stand for it, such as file extensions. */
  readonly names: readonly string[];
  /** Whether it can hold the rows of a SELECT. */
  readonly bindings: boolean;
  readonly create: () => ResultSerializer;
}

export const XSD_STRING = 'http://www.w3.org/2001/XMLSchema#string';
