/**
 * Expands ordinary JSON-LD without the library: nodes with names from a simple context, texts, numbers, typed and tagged values,
 * and references. The library expands documents with anything else, and all wrong ones.
 */
import { isArray, isObject } from '../json/canonical-json.js';
import type { Json, JsonObject } from '../json/json-document.js';
import { FastContext } from './fast-json-ld-context.js';
import type { FastTerm } from './fast-json-ld-context.js';
import { FallBack } from '../fall-back.js';

type Expanded = Record<string, Json>;

/** The expanded document. It differs from that of the library in the order of keys only. `undefined` if it is not an ordinary one. */
export function expandFast(document: Json): readonly JsonObject[] | undefined {
  try {
    return expanded(document);
  } catch (error) {
    if (error instanceof FallBack) return undefined;
    throw error;
  }
}

function expanded(document: Json): readonly JsonObject[] {
  if (isArray(document)) {
    const expander = new FastExpander(new FastContext({}));
    return document.map((node) => expander.statedNode(node));
  }
  if (!isObject(document)) throw new FallBack();
  const { '@context': context = {}, ...node } = document;
  const expander = new FastExpander(new FastContext(context));
  const nodes = node['@graph'];
  // A graph without a name is the default graph of the document.
  if (isArray(nodes) && Object.keys(node).length === 1) return nodes.map((one) => expander.statedNode(one));
  return [expander.statedNode(node)];
}

class FastExpander {
  constructor(private readonly context: FastContext) {}

  /** Expands a node that is not the value of a property. The library drops such nodes if they are empty. */
  statedNode(node: Json): JsonObject {
    if (!isObject(node)) throw new FallBack();
    const result = this.#node(node);
    const keys = Object.keys(result);
    if (keys.length === 0 || (keys.length === 1 && keys[0] === '@id')) throw new FallBack();
    return result;
  }

  #node(node: JsonObject): JsonObject {
    const result: Expanded = {};
    for (const key of Object.keys(node)) {
      const value = node[key]!;
      const name = this.context.name(key);
      // Two keys expand to the same IRI. The library has the rules for their order.
      if (Object.hasOwn(result, name)) throw new FallBack();
      result[name] = name.startsWith('@') ? this.#keyword(name, value) : this.#values(value, this.context.term(key));
    }
    return result;
  }

  #keyword(name: string, value: Json): Json {
    if (name === '@id' && typeof value === 'string') return this.context.iri(value);
    if (name === '@graph' && isArray(value)) return value.map((node) => this.statedNode(node));
    if (name !== '@type') throw new FallBack();
    const types = isArray(value) ? value : [value];
    if (types.length === 0) throw new FallBack();
    return types.map((type) => this.#type(type));
  }

  #type(type: Json | undefined): string {
    const name = typeof type === 'string' ? this.context.name(type) : '@';
    if (name.startsWith('@')) throw new FallBack();
    return name;
  }

  #values(value: Json, term: FastTerm | undefined): Json[] {
    return isArray(value) ? value.map((item) => this.#value(item, term)) : [this.#value(value, term)];
  }

  #value(value: Json, term: FastTerm | undefined): Json {
    if (value === null || isArray(value)) throw new FallBack();
    if (typeof value === 'object') {
      return Object.hasOwn(value, '@value') ? this.#valueObject(value) : this.#node(value);
    }
    const type = term?.type;
    if (type === undefined) return { '@value': value };
    if (type !== '@id') return { '@type': type, '@value': value };
    if (typeof value !== 'string') throw new FallBack();
    return { '@id': this.context.iri(value) };
  }

  #valueObject(object: JsonObject): Json {
    const { '@value': value, '@type': type, '@language': language, ...others } = object;
    if (value === null || typeof value === 'object' || Object.keys(others).length > 0) throw new FallBack();
    if (language === undefined) {
      return type === undefined ? { '@value': value! } : { '@type': this.#type(type), '@value': value! };
    }
    if (typeof language !== 'string' || typeof value !== 'string' || type !== undefined) throw new FallBack();
    return { '@value': value, '@language': language.toLowerCase() };
  }
}
