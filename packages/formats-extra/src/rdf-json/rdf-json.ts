/**
 * RDF/JSON: an object of subjects, each an object of predicates, each an array of objects. Triple terms and base directions of RDF
 * 1.2 have the form of SPARQL results in JSON, because RDF/JSON has none: `"type": "triple"` and `"its:dir"`.
 */
import { DEFAULT_LIMITS } from '@quadrille/formats';
import type { ParserOptions, RdfParser, RdfSerializer } from '@quadrille/formats';
import { tooLongTerm } from '../terms/sink-term-factory.js';
import type { SinkTerm } from '../terms/sink-term-factory.js';
import { EvaluationError, LONG_IRI, MAX_IRI_BYTES, ParseError, printTerm, XSD_STRING } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import { isArray, isObject } from '../json/canonical-json.js';
import { DocumentTerms } from '../terms/document-terms.js';
import { JsonDocument } from '../json/json-document.js';
import type { Json, JsonObject, StringLimit } from '../json/json-document.js';
import type { StringPlace } from '../json/json-structure.js';
import { MAX_JSON_DEPTH } from '../json-ld/json-ld-parser.js';

/** Creates a parser for RDF/JSON. It holds the whole document. */
export function createRdfJsonParser(options: ParserOptions): RdfParser {
  const { source, limits } = options;
  const maxTermBytes = limits?.maxTermBytes ?? DEFAULT_LIMITS.maxTermBytes;
  const document = new JsonDocument({
    source,
    maxDepth: limits?.maxDepth ?? MAX_JSON_DEPTH,
    maxBytes: limits?.maxDocumentBytes ?? DEFAULT_LIMITS.maxDocumentBytes,
    limitOf: (place) => limitOf(place, maxTermBytes),
  });
  const reader = new RdfJsonReader(options, maxTermBytes);
  return {
    push: (chunk) => {
      document.push(chunk);
    },
    end: () => reader.read(document.end()),
  };
}

const TYPE = /"type"\s*:\s*"(uri|bnode)"/;

/** The limit of a string that is an IRI or a label, whatever follows in the document. */
function limitOf({ isKey, keys, before, start }: StringPlace, maxTermBytes: number): StringLimit | undefined {
  const iri = { maxBytes: MAX_IRI_BYTES, reason: LONG_IRI };
  const label = { maxBytes: maxTermBytes, reason: tooLongTerm(maxTermBytes) };
  if (isKey) {
    if (keys.length > 2) return undefined;
    return keys.length === 1 && start.startsWith('_:') ? label : iri;
  }
  if (keys.at(-1) === 'datatype') return iri;
  const type = keys.at(-1) === 'value' ? TYPE.exec(before)?.[1] : undefined;
  if (type === undefined) return undefined;
  return type === 'uri' ? iri : label;
}

class RdfJsonReader {
  readonly #terms: DocumentTerms;
  readonly #source: string | undefined;

  constructor({ sink, source, onFault }: ParserOptions, maxTermBytes: number) {
    this.#source = source;
    this.#terms = new DocumentTerms(sink, maxTermBytes, (reason) => this.#error(reason), onFault);
  }

  read(root: Json): void {
    for (const [subject, predicates] of this.#members(root, 'the root')) {
      for (const [predicate, objects] of this.#members(predicates, 'a subject')) {
        if (!isArray(objects)) throw this.#error('a predicate must hold an array of objects');
        for (const object of objects) {
          this.#terms.statement({
            subject: this.#resource(subject),
            predicate: this.#terms.iri(predicate),
            object: this.#object(object),
          });
        }
      }
    }
  }

  #members(value: Json, what: string): [string, Json][] {
    if (!isObject(value)) throw this.#error(`${what} must be a JSON object`);
    return Object.entries(value);
  }

  #resource(text: string): SinkTerm {
    return text.startsWith('_:') ? this.#terms.blankNode(text.slice(2)) : this.#terms.iri(text);
  }

  #object(object: Json): SinkTerm {
    if (!isObject(object)) throw this.#error('an object must be a JSON object');
    const { type, value } = object;
    if (type === 'triple' && isObject(value)) return this.#tripleTerm(value);
    if (typeof value !== 'string') throw this.#error('the value of an object must be a string');
    switch (type) {
      case 'uri':
        return this.#terms.iri(value);
      case 'bnode':
        return this.#terms.blankNode(value.startsWith('_:') ? value.slice(2) : value);
      case 'literal':
        return this.#terms.literal(value, {
          datatype: this.#text(object, 'datatype'),
          language: this.#text(object, 'lang'),
          direction: this.#text(object, 'its:dir'),
        });
      default:
        throw this.#error('the type of an object must be "uri", "bnode", "literal" or "triple"');
    }
  }

  #tripleTerm({ subject = null, predicate = null, object = null }: JsonObject): SinkTerm {
    const triple = { subject: this.#object(subject), predicate: this.#object(predicate), object: this.#object(object) };
    if (triple.predicate.termType !== 'NamedNode' || !['NamedNode', 'BlankNode'].includes(triple.subject.termType)) {
      throw this.#error('a triple term needs an IRI or blank node as its subject and an IRI as its predicate');
    }
    return this.#terms.tripleTerm(triple);
  }

  /** Returns a member that is text. An empty text counts as absent, because some programs write it. */
  #text(object: JsonObject, name: string): string | undefined {
    const value = object[name];
    if (value !== undefined && value !== null && typeof value !== 'string')
      throw this.#error(`${name} must be a string`);
    return value === null || value === '' ? undefined : value;
  }

  #error(reason: string): ParseError {
    return new ParseError('RDF_SYNTAX', reason, { source: this.#source });
  }
}

/**
 * Creates a serialiser for RDF/JSON. Each subject may occur only once, so the whole document is held until `end()`. Graph names
 * are omitted.
 */
export function createRdfJsonSerializer(): RdfSerializer {
  const subjects = new Map<string, Map<string, Set<string>>>();
  return {
    write: (quads) => {
      for (const { subject, predicate, object } of quads) {
        const predicates = entry(subjects, resourceText(subject), () => new Map<string, Set<string>>());
        entry(predicates, predicate.value, () => new Set<string>()).add(JSON.stringify(objectOf(object)));
      }
      return '';
    },
    end: () => {
      const texts = [...subjects].map(([subject, predicates]) => {
        const members = [...predicates].map(
          ([iri, objects]) => `\n    ${JSON.stringify(iri)}: [${[...objects].join(', ')}]`,
        );
        return `\n  ${JSON.stringify(subject)}: {${members.join(',')}\n  }`;
      });
      subjects.clear();
      return `{${texts.join(',')}\n}\n`;
    },
  };
}

function entry<V>(map: Map<string, V>, key: string, create: () => V): V {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = create()));
  return value;
}

const resourceText = (term: RDF.Term): string => (term.termType === 'BlankNode' ? `_:${term.value}` : term.value);

function objectOf(term: RDF.Term): Json {
  switch (term.termType) {
    case 'NamedNode':
      return { type: 'uri', value: term.value };
    case 'BlankNode':
      return { type: 'bnode', value: `_:${term.value}` };
    case 'Literal':
      return literalOf(term);
    case 'Quad': {
      const { subject, predicate, object } = term;
      return {
        type: 'triple',
        value: { subject: objectOf(subject), predicate: objectOf(predicate), object: objectOf(object) },
      };
    }
    default:
      throw new EvaluationError('UNSUPPORTED', `RDF/JSON cannot represent ${printTerm(term)}`);
  }
}

function literalOf({ value, language, direction, datatype }: RDF.Literal): Json {
  if (language !== '')
    return { type: 'literal', value, lang: language, ...(direction ? { 'its:dir': direction } : {}) };
  return { type: 'literal', value, ...(datatype.value === XSD_STRING ? {} : { datatype: datatype.value }) };
}
