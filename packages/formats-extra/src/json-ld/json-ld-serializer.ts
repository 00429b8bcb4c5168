/**
 * Writes JSON-LD 1.1: one node object for consecutive statements of one subject. With prefixes the document is compact, without
 * them it is expanded. Sort the quads by graph and subject. Lists remain rdf:first and rdf:rest.
 */
import type { RdfDirection, RdfSerializer, SerializerOptions } from '@quadrille/formats';
import { checkJsonLdOptions, JSON_LD_WRITE_OPTIONS } from '@quadrille/formats';
import { EvaluationError, printTerm, RDF_NS, XSD, XSD_STRING } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import { canonicalJson } from '../json/canonical-json.js';
import type { Json } from '../json/json-document.js';
import { CompoundLiterals } from './compound-literals.js';
import { JsonLdNames } from './json-ld-names.js';
import { textOfI18n } from './text-direction.js';
import type { DirectedText } from './text-direction.js';

/**
 * @throws InvalidArgumentError `INVALID_OPTION` for wrong options; EvaluationError `UNSUPPORTED`, from `write` and `end`, for a
 * triple term and for a JSON literal that is no JSON
 */
export function createJsonLdSerializer(options: SerializerOptions = {}): RdfSerializer {
  const { prefixes = {}, jsonLd } = options;
  checkJsonLdOptions(jsonLd, 'createJsonLdSerializer', JSON_LD_WRITE_OPTIONS);
  return new JsonLdSerializer(new JsonLdNames(prefixes), jsonLd?.rdfDirection);
}

const RDF_TYPE = `${RDF_NS}type`;
const RDF_JSON = `${RDF_NS}JSON`;
/** A subject with more statements is written as several node objects. */
const MAX_NODE_QUADS = 1000;
const CANONICAL_INTEGER = /^(?:0|-?[1-9]\d{0,14})$/;

class JsonLdSerializer implements RdfSerializer {
  readonly #names: JsonLdNames;
  #started = false;
  /** Separator before the next object. */
  #separator = '\n';
  #graph: RDF.Term | undefined;
  #graphTaken: ReadonlySet<string> = new Set();
  /** Statements of the unfinished node. They have the same graph and subject. */
  #node: RDF.Quad[] = [];
  readonly #compounds: CompoundLiterals | undefined;
  /** Strings that replace the objects of their statements. */
  #texts: ReadonlyMap<RDF.Quad, DirectedText> = new Map();

  constructor(
    names: JsonLdNames,
    private readonly rdfDirection: RdfDirection | undefined,
  ) {
    this.#names = names;
    this.#compounds = rdfDirection === 'compound-literal' ? new CompoundLiterals() : undefined;
  }

  write(quads: readonly RDF.Quad[]): string {
    return this.#write(this.#compounds?.take(quads) ?? quads);
  }

  #write(quads: readonly RDF.Quad[]): string {
    let text = this.#head();
    for (const quad of quads) {
      const [first] = this.#node;
      const same = first?.subject.equals(quad.subject) === true && first.graph.equals(quad.graph);
      if (!same || this.#node.length >= MAX_NODE_QUADS) text += this.#closeNode() + this.#enterGraph(quad.graph);
      this.#node.push(quad);
    }
    return text;
  }

  end(): string {
    const rest = this.#compounds?.rest();
    this.#texts = rest?.texts ?? this.#texts;
    return `${this.#write(rest?.quads ?? [])}${this.#closeNode()}${this.#closeGraph()}\n]${this.#names.isEmpty ? '' : '}'}\n`;
  }

  #head(): string {
    if (this.#started) return '';
    this.#started = true;
    return this.#names.isEmpty ? '[' : `{"@context":${JSON.stringify(this.#names.context)},"@graph":[`;
  }

  #enterGraph(graph: RDF.Term): string {
    if ((this.#graph?.equals(graph) ?? graph.termType === 'DefaultGraph') === true) return '';
    const closing = this.#closeGraph();
    if (graph.termType === 'DefaultGraph') return closing;
    this.#graph = graph;
    const taken = this.#names.takenBy([graph]);
    this.#graphTaken = taken;
    const start = `${this.#separator}{${this.#localContext(taken)}"@id":${JSON.stringify(this.#id(graph, taken))},"@graph":[`;
    this.#separator = '\n';
    return closing + start;
  }

  #closeGraph(): string {
    if (this.#graph === undefined) return '';
    this.#graph = undefined;
    this.#graphTaken = new Set();
    this.#separator = ',\n';
    return '\n]}';
  }

  #closeNode(): string {
    const [first] = this.#node;
    if (first === undefined) return '';
    const taken = new Set([...this.#graphTaken, ...this.#names.takenBy(termsOf(this.#node))]);
    const members = [...this.#members(taken)].map(([key, values]) => `${JSON.stringify(key)}:${this.#values(values)}`);
    const id = JSON.stringify(this.#id(first.subject, taken));
    const text = `${this.#separator}{${this.#localContext(taken)}"@id":${id},${members.join(',')}}`;
    this.#separator = ',\n';
    this.#node = [];
    return text;
  }

  #members(taken: ReadonlySet<string>): Map<string, Json[]> {
    const members = new Map<string, Json[]>();
    for (const quad of this.#node) {
      const { predicate, object } = quad;
      const isType =
        predicate.value === RDF_TYPE && (object.termType === 'NamedNode' || object.termType === 'BlankNode');
      const key = isType ? '@type' : this.#names.textOf(predicate.value, taken);
      const text = this.#texts.get(quad);
      const value = isType ? this.#id(object, taken) : text === undefined ? this.#value(object, taken) : valueOf(text);
      const values = members.get(key);
      if (values === undefined) members.set(key, [value]);
      else values.push(value);
    }
    return members;
  }

  #values(values: readonly Json[]): string {
    // In expanded JSON-LD every value is an array.
    const bare = values.length === 1 && !this.#names.isEmpty;
    return JSON.stringify(bare ? values[0] : values);
  }

  #value(term: RDF.Term, taken: ReadonlySet<string>): Json {
    if (term.termType === 'Literal') return this.#literal(term, taken);
    return { '@id': this.#id(term, taken) };
  }

  #literal(literal: RDF.Literal, taken: ReadonlySet<string>): Json {
    const { value, language, direction } = literal;
    const datatype = literal.datatype.value;
    if (language !== '')
      return { '@value': value, '@language': language, ...(direction ? { '@direction': direction } : {}) };
    const text = this.rdfDirection === 'i18n-datatype' ? textOfI18n(value, datatype) : undefined;
    if (text !== undefined) return valueOf(text);
    if (datatype === XSD_STRING) return this.#names.isEmpty ? { '@value': value } : value;
    if (datatype === RDF_JSON) {
      const json = parsedJson(value);
      if (json !== undefined) return { '@value': json, '@type': '@json' };
    }
    if (!this.#names.isEmpty) {
      if (datatype === `${XSD}boolean` && (value === 'true' || value === 'false')) return value === 'true';
      if (datatype === `${XSD}integer` && CANONICAL_INTEGER.test(value)) return Number(value);
    }
    return { '@value': value, '@type': this.#names.textOf(datatype, taken) };
  }

  #id(term: RDF.Term, taken: ReadonlySet<string>): string {
    if (term.termType === 'BlankNode') return `_:${term.value}`;
    if (term.termType === 'NamedNode') return this.#names.textOf(term.value, taken);
    throw new EvaluationError('UNSUPPORTED', `JSON-LD cannot represent ${printTerm(term)}`);
  }

  /** Disables prefixes that equal the scheme of an IRI in the document. */
  #localContext(taken: ReadonlySet<string>): string {
    if (taken.size === 0) return '';
    return `"@context":${JSON.stringify(Object.fromEntries([...taken].map((name) => [name, null])))},`;
  }
}

const valueOf = ({ value, language, direction }: DirectedText): Json => ({
  '@value': value,
  ...(language === '' ? {} : { '@language': language }),
  '@direction': direction,
});

function* termsOf(quads: readonly RDF.Quad[]): Iterable<RDF.Term> {
  for (const { subject, predicate, object } of quads) {
    yield subject;
    yield predicate;
    yield object.termType === 'Literal' ? object.datatype : object;
  }
}

/**
 * The value of an rdf:JSON literal, or undefined if it would be read back as another text.
 * @throws EvaluationError `UNSUPPORTED` for what is no JSON, as the specification has it
 */
function parsedJson(text: string): Json | undefined {
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch (cause) {
    const shown = text.length > 100 ? `${text.slice(0, 100)}…` : text;
    throw new EvaluationError('UNSUPPORTED', `JSON-LD cannot represent a JSON literal with invalid JSON: ${shown}`, {
      cause,
    });
  }
  return canonicalJson(value) === text ? value : undefined;
}
