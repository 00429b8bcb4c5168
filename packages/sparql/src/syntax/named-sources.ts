/** What FROM and SERVICE of a text name, and where. */
import type { ParsedSparql } from '../algebra/request.js';

/**
 * An IRI of FROM or SERVICE, and where it stands.
 * @since 0.1.0
 */
export interface NamedSource {
  /** The IRI, without prefix and base. */
  readonly iri: string;
  /** Where its name begins in the text, in UTF-16 units. */
  readonly start: number;
  /** Behind its name. */
  readonly end: number;
  /** What it is named for. */
  readonly clause: 'FROM' | 'SERVICE' | 'SERVICE SILENT';
}

/** By what a text was parsed to. Texts of the same shape share that, and differ in their places: they have none here. */
const sources = new WeakMap<ParsedSparql, readonly NamedSource[]>();

export function withSources<T extends ParsedSparql>(parsed: T, named: readonly NamedSource[]): T {
  if (named.length > 0) sources.set(parsed, named);
  return parsed;
}

/** In the order of the text. */
export const sourcesOf = (parsed: ParsedSparql): readonly NamedSource[] => sources.get(parsed) ?? [];
