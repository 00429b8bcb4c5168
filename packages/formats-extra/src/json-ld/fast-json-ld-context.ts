/** A simple JSON-LD context: prefixes, terms with or without a type, a vocabulary, and aliases of keywords. */
import { isObject } from '../json/canonical-json.js';
import type { Json, JsonObject } from '../json/json-document.js';
import { FallBack } from '../fall-back.js';

export interface FastTerm {
  readonly iri: string;
  /** Whether the part before a colon may be this term. */
  readonly isPrefix: boolean;
  /** The type of its values: `@id` for references, or a datatype. */
  readonly type: string | undefined;
}

const KEYWORDS = new Set(['@id', '@type', '@graph']);
/** Keywords that may have aliases. */
const ALIASED = new Set<Json>(['@id', '@type']);
// Words with "@" are excluded. jsonld accepts slightly more as absolute IRIs.
const ABSOLUTE = /^[A-Za-z][A-Za-z0-9+.-]*:\S*$/;
const HIERARCHICAL = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/\S*$/;
/** Last characters of IRIs that may be prefixes without `@prefix`. */
const DELIMITERS = ':/?#[]@';
const MAX_NAMES = 10_000;

export class FastContext {
  readonly #terms = new Map<string, FastTerm>();
  readonly #aliases = new Map<string, string>();
  #vocabulary: string | undefined;
  /** Keys that were expanded. */
  readonly #names = new Map<string, string>();

  /** @throws FallBack */
  constructor(context: Json) {
    if (!isObject(context)) throw new FallBack();
    const others: [string, Json][] = [];
    for (const [key, value] of Object.entries(context)) {
      if (key === '@version' && value === 1.1) continue;
      if (key === '@vocab') this.#vocabulary = hierarchical(value);
      else if (key === '' || key.startsWith('@')) throw new FallBack();
      else if (isHierarchical(value) && !/[:/]/.test(key)) this.#terms.set(key, simpleTerm(value));
      else others.push([key, value]);
    }
    // The ones before are whole IRIs; these may be names that begin with them, and with nothing else that is declared.
    const isOpen = (prefix: string): boolean => others.some(([key]) => key === prefix);
    const defined = others.map(([key, value]) => [key, this.#define(key, value, isOpen)] as const);
    for (const [key, term] of defined) if (term !== undefined) this.#terms.set(key, term);
  }

  term(key: string): FastTerm | undefined {
    return this.#terms.get(key);
  }

  /** Expands a key or a type to an IRI or a keyword. */
  name(key: string): string {
    let name = this.#names.get(key);
    if (name === undefined) {
      name = this.#newName(key);
      if (this.#names.size < MAX_NAMES) this.#names.set(key, name);
    }
    return name;
  }

  /** Expands a reference to an IRI. Labels of blank nodes remain unchanged. */
  iri(value: string): string {
    return value.startsWith('_:') ? value : this.#compact(value, (prefix) => this.#aliases.has(prefix));
  }

  #newName(key: string): string {
    if (KEYWORDS.has(key)) return key;
    const name = this.#aliases.get(key) ?? this.#terms.get(key)?.iri;
    if (name !== undefined) return name;
    if (key.startsWith('@')) throw new FallBack();
    return absolute(key.includes(':') ? this.iri(key) : this.#inVocabulary(key));
  }

  #inVocabulary(key: string): string {
    if (this.#vocabulary === undefined) throw new FallBack();
    return this.#vocabulary + key;
  }

  /** @param isOpen whether a prefix may mean what is not known here */
  #compact(value: string, isOpen: (prefix: string) => boolean): string {
    const colon = value.indexOf(':');
    if (colon <= 0) throw new FallBack();
    if (value.startsWith('//', colon + 1)) return absolute(value);
    const prefix = value.slice(0, colon);
    const term = this.#terms.get(prefix);
    if (term === undefined && !isOpen(prefix)) return absolute(value);
    if (term?.isPrefix !== true) throw new FallBack();
    return term.iri + value.slice(colon + 1);
  }

  #define(key: string, value: Json, isOpen: (prefix: string) => boolean): FastTerm | undefined {
    if (ALIASED.has(value)) {
      if (/[:/]/.test(key)) throw new FallBack();
      this.#aliases.set(key, value as string);
      return undefined;
    }
    const definition: JsonObject = isObject(value) ? value : { '@id': value };
    const { '@id': id, '@type': type, ...others } = definition;
    if (Object.keys(others).length > 0 || (id !== undefined && /[:/]/.test(key))) throw new FallBack();
    const implied = (): string => (key.includes(':') ? key : this.#inVocabulary(key));
    const name = id === undefined ? implied() : id;
    const iri = absolute(this.#compact(text(name), isOpen));
    if (type === undefined) return isObject(value) ? { iri, isPrefix: false, type: undefined } : simpleTerm(iri);
    const datatype = type === '@id' ? type : absolute(this.#compact(text(type), isOpen));
    return { iri, isPrefix: false, type: datatype };
  }
}

const simpleTerm = (iri: string): FastTerm => ({ iri, isPrefix: DELIMITERS.includes(iri.at(-1)!), type: undefined });

const isHierarchical = (value: Json): value is string => typeof value === 'string' && HIERARCHICAL.test(value);

function hierarchical(value: Json): string {
  if (!isHierarchical(value)) throw new FallBack();
  return value;
}

function absolute(iri: string): string {
  if (!ABSOLUTE.test(iri)) throw new FallBack();
  return iri;
}

function text(value: Json): string {
  if (typeof value !== 'string') throw new FallBack();
  return value;
}
