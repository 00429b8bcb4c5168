/**
 * Converts expanded JSON-LD to statements (JSON-LD 1.1 API, section 8). As the specification requires, it omits everything that is not
 * RDF, such as relative IRIs and blank nodes as predicates. A string with language and direction becomes a literal of RDF 1.2.
 */
import type { RdfDirection } from '@quadrille/formats';
import type { SinkTerm } from '../terms/sink-term-factory.js';
import { isAbsoluteIri, isLanguageTag, RDF_NS, XSD } from '@quadrille/model';
import { canonicalJson, isArray } from '../json/canonical-json.js';
import type { DocumentTerms } from '../terms/document-terms.js';
import type { Json, JsonObject } from '../json/json-document.js';
import type { LeftOut } from './left-out.js';
import { COMPOUND, i18nDatatype } from './text-direction.js';
import type { DirectedText } from './text-direction.js';

/** A text of the document that is no term. */
class NoTerm {
  constructor(
    readonly text: string,
    readonly reason: string,
  ) {}
}

/** A term, or why there is none; undefined for the key of a keyword. */
type Maybe = SinkTerm | NoTerm | undefined;

/** Work of one step, about a millisecond: characters of literals, and a share for each statement. */
const STEP_WORK = 64 * 1024;
const STATEMENT_WORK = 64;

export class JsonLdQuads {
  readonly #terms: DocumentTerms;

  readonly #fail: (reason: string) => Error;
  /** Work since the last step. */
  #work = 0;

  /**
   * @param fail creates the error for illegal values
   * @param leftOut collects what becomes no statement
   */
  constructor(
    terms: DocumentTerms,
    private readonly rdfDirection: RdfDirection | undefined,
    fail: (reason: string) => Error,
    private readonly leftOut: LeftOut | undefined,
  ) {
    this.#terms = terms;
    this.#fail = fail;
  }

  /**
   * Emits the statements of a node object and of nested ones into a graph. Yields after each {@link STEP_WORK}, so that the
   * caller can give the event loop a turn.
   */
  *steps(node: JsonObject, graph: Maybe): Generator<undefined, void> {
    const subject = this.#subject(node);
    for (const [key, value] of Object.entries(node)) {
      const predicate = this.#predicate(key);
      for (const item of listOf(value)) {
        this.#value(subject, key, predicate, item, graph);
        if (this.#work < STEP_WORK) continue;
        this.#work = 0;
        yield;
      }
    }
  }

  /** Emits the statements of a node object and of nested ones into a graph. Returns the node. */
  #node(node: JsonObject, graph: Maybe): Maybe {
    const subject = this.#subject(node);
    for (const [key, value] of Object.entries(node)) {
      const predicate = this.#predicate(key);
      for (const item of listOf(value)) this.#value(subject, key, predicate, item, graph);
    }
    return subject;
  }

  #subject(node: JsonObject): Maybe {
    return Object.hasOwn(node, '@id') ? this.#resource(node['@id']) : this.#terms.blankNode();
  }

  /** The predicate that a key of a node object stands for. Keywords have none. */
  #predicate(key: string): Maybe {
    return key.startsWith('@') ? undefined : this.#iri(key);
  }

  /** Emits the statements of one value of a node object. */
  #value(subject: Maybe, key: string, predicate: Maybe, item: Json, graph: Maybe): void {
    if (key === '@type') this.#emit(subject, this.#rdf('type'), this.#resource(item), graph);
    else if (key === '@graph') this.#node(item as JsonObject, subject);
    else if (key === '@included') this.#node(item as JsonObject, graph);
    else if (key === '@reverse') this.#reverse(item as JsonObject, subject, graph);
    else if (!key.startsWith('@')) {
      this.#emit(subject, predicate, this.#object(item as JsonObject, graph), graph);
    }
  }

  #reverse(properties: JsonObject, object: Maybe, graph: Maybe): void {
    for (const [key, value] of Object.entries(properties)) {
      const predicate = this.#iri(key);
      for (const item of listOf(value)) this.#emit(this.#node(item as JsonObject, graph), predicate, object, graph);
    }
  }

  #object(value: JsonObject, graph: Maybe): Maybe {
    if (Object.hasOwn(value, '@value')) return this.#literal(value, graph);
    if (Object.hasOwn(value, '@list')) return this.#list(listOf(value['@list']), graph);
    return this.#node(value, graph);
  }

  #list(items: readonly Json[], graph: Maybe): Maybe {
    const cells = items.map(() => this.#terms.blankNode());
    items.forEach((item, index) => {
      this.#emit(cells[index], this.#rdf('first'), this.#object(item as JsonObject, graph), graph);
      this.#emit(cells[index], this.#rdf('rest'), cells[index + 1] ?? this.#rdf('nil'), graph);
    });
    return cells[0] ?? this.#rdf('nil');
  }

  #literal(object: JsonObject, graph: Maybe): Maybe {
    const value = object['@value'] ?? null;
    if (typeof value === 'string') this.#work += value.length;
    const type = object['@type'];
    const language = object['@language'];
    if (type === '@json') return this.#json(value);
    if (isArray(type)) throw this.#fail('a value can have only one @type (invalid typed value)');
    if (typeof type === 'string' && !isWellFormed(type)) return new NoTerm(type, NO_IRI);
    const datatype = typeof type === 'string' ? type : undefined;
    if (typeof value === 'boolean') {
      return this.#terms.literal(String(value), { datatype: datatype ?? `${XSD}boolean` });
    }
    if (typeof value === 'number') return this.#number(value, datatype);
    const direction = object['@direction'];
    if (typeof direction === 'string' && this.rdfDirection !== undefined) {
      const tag = typeof language === 'string' ? language.toLowerCase() : '';
      if (tag !== '' && !isLanguageTag(tag)) return new NoTerm(tag, NO_TAG);
      return this.#directed({ value: String(value), language: tag, direction }, graph);
    }
    if (typeof language !== 'string') return this.#terms.literal(String(value), { datatype });
    if (!isLanguageTag(language)) return new NoTerm(language, NO_TAG);
    return this.#terms.literal(String(value), typeof direction === 'string' ? { language, direction } : { language });
  }

  #json(value: Json): SinkTerm {
    const text = canonicalJson(value);
    if (text === undefined) throw this.#fail('a JSON literal has a number beyond those of xsd:double');
    return this.#terms.literal(text, { datatype: `${RDF_NS}JSON` });
  }

  #directed(text: DirectedText, graph: Maybe): Maybe {
    if (this.rdfDirection === 'i18n-datatype') {
      return this.#terms.literal(text.value, { datatype: i18nDatatype(text) });
    }
    const node = this.#terms.blankNode();
    this.#emit(node, this.#terms.iri(COMPOUND.value), this.#terms.literal(text.value), graph);
    if (text.language !== '') {
      this.#emit(node, this.#terms.iri(COMPOUND.language), this.#terms.literal(text.language), graph);
    }
    this.#emit(node, this.#terms.iri(COMPOUND.direction), this.#terms.literal(text.direction), graph);
    return node;
  }

  #number(value: number, datatype: string | undefined): SinkTerm {
    const isDouble = !Number.isInteger(value) || Math.abs(value) >= 1e21 || datatype === `${XSD}double`;
    const type = datatype ?? XSD + (isDouble ? 'double' : 'integer');
    return this.#terms.literal(isDouble ? doubleText(value) : value.toFixed(0), { datatype: type });
  }

  // Expansion turns an @id that is not an IRI into null.
  #resource(value: Json | undefined): Maybe {
    if (typeof value !== 'string') return new NoTerm(String(value), NO_IRI);
    if (value.startsWith('_:')) return this.#terms.blankNode(value.slice(2));
    return this.#iri(value);
  }

  // Most IRIs were checked before.
  #iri(value: string): Maybe {
    return this.#terms.knownIri(value) ?? (isWellFormed(value) ? this.#terms.iri(value) : new NoTerm(value, NO_IRI));
  }

  #rdf(name: string): SinkTerm {
    return this.#terms.iri(RDF_NS + name);
  }

  #emit(subject: Maybe, predicate: Maybe, object: Maybe, graph: Maybe): void {
    this.#work += STATEMENT_WORK;
    if (isTerm(subject) && isTerm(predicate) && isTerm(object) && isTerm(graph)) {
      this.#terms.statement({ subject, predicate, object }, graph);
      return;
    }
    const cause = [object, predicate, subject, graph].find((part) => part instanceof NoTerm);
    if (cause !== undefined) this.leftOut?.add(cause.text, cause.reason);
  }
}

const NO_IRI = 'is no absolute IRI';
const NO_TAG = 'is no language tag';

const isTerm = (part: Maybe): part is SinkTerm => part !== undefined && !(part instanceof NoTerm);

/** The canonical text of xsd:double. JSON has numbers beyond it, which JavaScript reads as infinite. */
function doubleText(value: number): string {
  if (!Number.isFinite(value)) return value > 0 ? 'INF' : '-INF';
  return value.toExponential(15).replace(/(\d)0*e\+?/, '$1E');
}

// The local part of a compact IRI may add a second fragment.
const isWellFormed = (iri: string): boolean => isAbsoluteIri(iri) && iri.indexOf('#') === iri.lastIndexOf('#');

function listOf(value: Json | undefined): readonly Json[] {
  if (isArray(value)) return value;
  return value === undefined || value === null ? [] : [value];
}
