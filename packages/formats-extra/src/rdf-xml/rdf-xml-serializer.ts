/**
 * Writes RDF/XML 1.1, or 1.2 for triple terms and base directions. Consecutive statements of one subject are one rdf:Description.
 * Sort the quads by subject. Graph names are omitted.
 */
import type { RdfSerializer, SerializerOptions } from '@quadrille/formats';
import { EvaluationError, printTerm, RDF_NS, XSD_STRING } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import { isNcName, isPropertyElement, localNameStart } from './rdf-xml-names.js';
import { escapeXmlAttribute, escapeXmlText } from '../xml/xml-literal.js';
import { xmlText } from '../xml/xml-text.js';
import { ITS_NS, XML_NS, XMLNS_NS } from '../xml/xml-reader.js';

/** @throws EvaluationError `UNSUPPORTED`, from `write`, for what XML or RDF/XML has no way to write */
export function createRdfXmlSerializer(options: SerializerOptions = {}): RdfSerializer {
  return new RdfXmlSerializer(options.prefixes ?? {});
}

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';
const MAX_CACHED_NAMES = 4096;

/** The name of an element, and the attribute that declares its prefix unless the root does. */
interface ElementName {
  readonly name: string;
  readonly declaration: string;
}

class RdfXmlSerializer implements RdfSerializer {
  /** Pairs of prefix and namespace. The longest namespace is first. */
  readonly #prefixes: readonly (readonly [string, string])[];
  readonly #names = new Map<string, ElementName>();
  #headWritten = false;
  #subject: RDF.Term | undefined;
  #version12 = false;

  constructor(prefixes: Readonly<Record<string, string>>) {
    this.#prefixes = [...Object.entries(prefixes).filter(isDeclarable), ['rdf', RDF_NS] as const].sort(
      ([, a], [, b]) => b.length - a.length,
    );
  }

  write(quads: readonly RDF.Quad[]): string {
    let text = this.#head();
    for (const quad of quads) text += this.#statement(quad);
    return text;
  }

  end(): string {
    return `${this.#head()}${this.#closeSubject()}</rdf:RDF>\n`;
  }

  #head(): string {
    if (this.#headWritten) return '';
    this.#headWritten = true;
    const declarations = this.#prefixes.map(([prefix, namespace]) => xmlns(prefix, namespace)).sort();
    return `${HEAD}<rdf:RDF${declarations.join('\n   ')}>\n`;
  }

  #statement({ subject, predicate, object }: RDF.Quad): string {
    const version12 = object.termType === 'Quad' || (object.termType === 'Literal' && Boolean(object.direction));
    const property = this.#property(predicate, object, '    ');
    if (this.#subject?.equals(subject) === true && (this.#version12 || !version12)) return property;
    const closing = this.#closeSubject();
    this.#subject = subject;
    this.#version12 = version12;
    return `${closing}  <rdf:Description${subjectAttribute(subject)}${version12 ? ' rdf:version="1.2"' : ''}>\n${property}`;
  }

  #closeSubject(): string {
    if (this.#subject === undefined) return '';
    this.#subject = undefined;
    return '  </rdf:Description>\n';
  }

  #property(predicate: RDF.Term, object: RDF.Term, indent: string): string {
    const { name, declaration } = this.#nameOf(predicate.value);
    const start = `${indent}<${name}${declaration}`;
    switch (object.termType) {
      case 'NamedNode':
        return `${start} rdf:resource="${attribute(object)}"/>\n`;
      case 'BlankNode':
        return `${start} rdf:nodeID="${nodeId(object.value)}"/>\n`;
      case 'Literal':
        return `${start}${literalAttributes(object)}>${escapeXmlText(xmlText(object))}</${name}>\n`;
      case 'Quad':
        return `${start} rdf:parseType="Triple">\n${this.#triple(object, `${indent}  `)}${indent}</${name}>\n`;
      default:
        throw unsupported(`${object.termType} is no object`, object);
    }
  }

  #triple({ subject, predicate, object }: RDF.BaseQuad, indent: string): string {
    const property = this.#property(predicate, object, `${indent}  `);
    return `${indent}<rdf:Description${subjectAttribute(subject)}>\n${property}${indent}</rdf:Description>\n`;
  }

  #nameOf(iri: string): ElementName {
    let name = this.#names.get(iri);
    if (name === undefined) {
      name = this.#newName(iri);
      if (this.#names.size >= MAX_CACHED_NAMES) this.#names.clear();
      this.#names.set(iri, name);
    }
    return name;
  }

  #newName(iri: string): ElementName {
    if (iri === `${RDF_NS}li` || !isPropertyElement(iri)) throw unsupported('RDF/XML means something else by', iri);
    for (const [prefix, namespace] of this.#prefixes) {
      const local = iri.slice(namespace.length);
      if (iri.startsWith(namespace) && isNcName(local)) {
        return { name: prefix === '' ? local : `${prefix}:${local}`, declaration: '' };
      }
    }
    const start = localNameStart(iri);
    const namespace = iri.slice(0, start);
    // Some readers, such as saxes, remove white space beyond ASCII at the end of a namespace.
    const legal = namespace !== XML_NS && namespace !== XMLNS_NS && namespace === namespace.trim();
    if (start === iri.length || !legal) {
      throw unsupported('RDF/XML can only write predicates that end with a name, not', iri);
    }
    return { name: `p:${iri.slice(start)}`, declaration: xmlns('p', namespace) };
  }
}

// Prefixes with "xml" are reserved, and the serialiser declares "rdf" itself.
function isDeclarable([prefix, namespace]: readonly [string, string]): boolean {
  if (namespace === RDF_NS || namespace === XML_NS || namespace === XMLNS_NS) return false;
  return prefix === '' || (isNcName(prefix) && !/^(?:xml.*|rdf)$/i.test(prefix));
}

function xmlns(prefix: string, namespace: string): string {
  return ` xmlns${prefix === '' ? '' : `:${prefix}`}="${escapeXmlAttribute(namespace)}"`;
}

function subjectAttribute(subject: RDF.Term): string {
  if (subject.termType === 'BlankNode') return ` rdf:nodeID="${nodeId(subject.value)}"`;
  return ` rdf:about="${attribute(subject)}"`;
}

const attribute = (term: RDF.Term): string => escapeXmlAttribute(xmlText(term));

function literalAttributes(literal: RDF.Literal): string {
  if (literal.language === '') {
    const datatype = literal.datatype.value;
    return datatype === XSD_STRING ? '' : ` rdf:datatype="${escapeXmlAttribute(datatype)}"`;
  }
  const direction = literal.direction ? `${xmlns('its', ITS_NS)} its:dir="${literal.direction}"` : '';
  return ` xml:lang="${literal.language}"${direction}`;
}

// Labels may begin with a digit, names may not, so "_x" is added. Labels with "_x" get it too, which keeps labels distinct.
function nodeId(label: string): string {
  return isNcName(label) && !label.startsWith('_x') ? label : `_x${label}`;
}

function unsupported(reason: string, what: string | RDF.Term): EvaluationError {
  const shown = typeof what === 'string' ? `<${what.slice(0, 200)}>` : printTerm(what);
  return new EvaluationError('UNSUPPORTED', `${reason} ${shown}`);
}
