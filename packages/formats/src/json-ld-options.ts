/** The options of JSON-LD, and their check. The parser and the serialiser are in `@quadrille/formats-extra`. */
import { InvalidArgumentError } from '@quadrille/model';

/** How JSON-LD is read. The names are those of the JSON-LD 1.1 API. Other formats ignore them. */
export interface JsonLdOptions {
  /**
   * What a string with a base direction becomes: a literal with a datatype below `https://www.w3.org/ns/i18n#`, or a blank node with
   * `rdf:value`, `rdf:language` and `rdf:direction`. Default: a literal of RDF 1.2, whose direction is lost where it has no language.
   */
  readonly rdfDirection?: RdfDirection | undefined;
  /** A context that comes before the contexts of the document: its address, which needs `loadDocument`, or JSON. Default: none. */
  readonly expandContext?: string | object | undefined;
  /** Default `json-ld-1.1`. */
  readonly processingMode?: 'json-ld-1.0' | 'json-ld-1.1' | undefined;
}

/** The forms of a base direction in RDF 1.1. */
export type RdfDirection = 'i18n-datatype' | 'compound-literal';

/** How JSON-LD is written: the forms of {@link RdfDirection} become strings with `@direction`. Default: they are written as they are. */
export type JsonLdWriteOptions = Pick<JsonLdOptions, 'rdfDirection'>;

/** Deepest nesting of a context that is an option. */
const MAX_CONTEXT_DEPTH = 32;
const DIRECTIONS: readonly unknown[] = ['i18n-datatype', 'compound-literal'];
const MODES: readonly unknown[] = ['json-ld-1.0', 'json-ld-1.1'];

/** Checks each option. A check returns what the option must be, in words, if the value is wrong. */
const PROBLEMS: Readonly<Record<keyof JsonLdOptions, (value: unknown) => string | undefined>> = {
  rdfDirection: (value) => (DIRECTIONS.includes(value) ? undefined : "'i18n-datatype' or 'compound-literal'"),
  expandContext: (value) =>
    isContext(value)
      ? undefined
      : `the address of a context, or an object or a list of JSON with at most ${MAX_CONTEXT_DEPTH} levels`,
  processingMode: (value) => (MODES.includes(value) ? undefined : "'json-ld-1.0' or 'json-ld-1.1'"),
};
const READ_OPTIONS = Object.keys(PROBLEMS) as readonly (keyof JsonLdOptions)[];
/** The names of the options of writing. */
export const JSON_LD_WRITE_OPTIONS: readonly (keyof JsonLdWriteOptions)[] = ['rdfDirection'];

/**
 * Checks options of JSON-LD.
 * @param call the name of the call, for messages
 * @param known the options that the call has
 * @throws InvalidArgumentError `INVALID_OPTION`, which names the option
 */
export function checkJsonLdOptions(
  options: unknown,
  call: string,
  known: readonly (keyof JsonLdOptions)[] = READ_OPTIONS,
): void {
  if (options === undefined) return;
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw invalid(`${call}: jsonLd must be an object`, 'jsonLd');
  }
  for (const [name, value] of Object.entries(options)) {
    const option = known.find((one) => one === name);
    if (option === undefined) {
      throw invalid(`${call}: unknown option jsonLd.${name.slice(0, 100)} (known: ${known.join(', ')})`, name);
    }
    const expected = value === undefined ? undefined : PROBLEMS[option](value);
    if (expected !== undefined) throw invalid(`${call}: jsonLd.${option} must be ${expected}`, option);
  }
}

function invalid(message: string, option: string): InvalidArgumentError {
  return new InvalidArgumentError('INVALID_OPTION', message, { details: { option } });
}

const isContext = (value: unknown): boolean =>
  typeof value === 'string' ? value !== '' : typeof value === 'object' && value !== null && isJson(value, 1);

function isJson(value: unknown, depth: number): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return ['string', 'boolean', 'object'].includes(typeof value);
  if (depth > MAX_CONTEXT_DEPTH) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (!Array.isArray(value) && prototype !== Object.prototype && prototype !== null) return false;
  return Object.values(value).every((member) => isJson(member, depth + 1));
}
