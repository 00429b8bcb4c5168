/**
 * Parses RDF/XML from a stream of bytes: version 1.1, and the triple terms, annotations and base directions of 1.2. Each element
 * opens a frame, which determines the legal content. Statements are passed to the sink as soon as they are complete.
 */
import type { ParserOptions, FastParser, RdfParser } from '@quadrille/formats';
import { tooLongTerm } from '../terms/sink-term-factory.js';
import type { SinkTerm } from '../terms/sink-term-factory.js';
import { DEFAULT_LIMITS, FastDocument, fastFirst } from '@quadrille/formats';
import { LONG_IRI, ParseError, RDF_NS } from '@quadrille/model';
import { resolveIri } from '@quadrille/model/resolve-iri';
import { DocumentTerms } from '../terms/document-terms.js';
import type { Triple } from '../terms/document-terms.js';
import { FastRdfXml } from './fast-rdf-xml.js';
import { kindOfValue, readAttributes } from './rdf-xml-attributes.js';
import type { Attributes, Scope, SyntaxName } from './rdf-xml-attributes.js';
import { isNcName, isNodeElement, isPropertyElement } from './rdf-xml-names.js';
import { XmlLiteral } from '../xml/xml-literal.js';
import { MAX_XML_DEPTH, XmlReader } from '../xml/xml-reader.js';
import type { XmlElement, XmlEvents } from '../xml/xml-reader.js';
import type { LongPart } from '../xml/markup-watch.js';

/** Creates a synchronous parser for RDF/XML. */
export function createRdfXmlParser(options: ParserOptions): RdfParser {
  if (options.readSoFar !== undefined) return createSaxesRdfXmlParser(options);
  return fastFirst(createFastRdfXmlParser(options), (readSoFar) => createSaxesRdfXmlParser({ ...options, readSoFar }));
}

/** Creates a parser that uses saxes alone. It begins at the start, or continues behind the part that was read. */
export function createSaxesRdfXmlParser(options: ParserOptions): RdfParser {
  const { reader } = new RdfXmlBuilder(options);
  if (options.readSoFar?.started === true) reader.goOn(options.readSoFar);
  return reader;
}

/** Creates the fast parser for ordinary documents. A parser of {@link createRdfXmlParser} continues where it stops. */
export function createFastRdfXmlParser({ sink, limits, baseIRI }: ParserOptions): FastParser {
  const { maxTermBytes = DEFAULT_LIMITS.maxTermBytes, maxDepth = MAX_XML_DEPTH } = limits ?? {};
  return new FastDocument(new FastRdfXml(sink, { maxTermBytes, maxDepth, baseIRI }), limits);
}

/** The legal content of an element. */
type Content =
  /** Node elements: the document and rdf:RDF. */
  | { readonly kind: 'nodes' }
  /** Property elements of a node. */
  | { readonly kind: 'properties'; readonly subject: SinkTerm; members: number }
  /** Text or one node element. */
  | { readonly kind: 'object'; readonly property: Property; text: string; done: boolean }
  /** Nothing: the object is in the attributes. */
  | { readonly kind: 'empty' }
  /** Any XML. */
  | { readonly kind: 'literal'; readonly property: Property; readonly literal: XmlLiteral }
  /** Node elements, which become a list. */
  | { readonly kind: 'collection'; readonly property: Property; last: SinkTerm | undefined }
  /** One node element with one property, which becomes a triple term. */
  | { readonly kind: 'triple'; readonly property: Property; readonly triples: Triple[]; done: boolean }
  /** Content that RDF 1.2 defines and the document has not enabled. */
  | { readonly kind: 'ignored' };

interface Frame {
  readonly scope: Scope;
  readonly content: Content;
  /** Receives the statements instead of the sink, for a triple term. */
  readonly triples: Triple[] | undefined;
}

/** A property element whose object is not known yet. */
interface Property {
  readonly subject: SinkTerm;
  readonly predicate: SinkTerm;
  readonly scope: Scope;
  readonly datatype: string | undefined;
  /** Names of the statement: of RDF 1.1 (rdf:ID) and of RDF 1.2 (rdf:annotation). */
  readonly statement: SinkTerm | undefined;
  readonly reifier: SinkTerm | undefined;
  readonly triples: Triple[] | undefined;
}

/** The attributes of syntax that a node element may have. All others belong to property elements. */
const NODE_SYNTAX: ReadonlySet<SyntaxName> = new Set(['ID', 'about', 'nodeID']);
const RDF_XML_LITERAL = `${RDF_NS}XMLLiteral`;
const NO_SCOPE: Scope = { base: undefined, language: undefined, direction: undefined, version12: false };

class RdfXmlBuilder implements XmlEvents {
  readonly reader: XmlReader;
  readonly #terms: DocumentTerms;
  readonly #frames: Frame[];
  readonly #maxTermBytes: number;
  readonly #ids = new Set<string>();
  readonly #fail = (reason: string): ParseError => this.reader.error(reason);

  constructor({ sink, source, baseIRI, limits, onFault, readSoFar }: ParserOptions) {
    this.reader = new XmlReader(this, { source, limits, entities: true });
    this.#maxTermBytes = limits?.maxTermBytes ?? DEFAULT_LIMITS.maxTermBytes;
    this.#terms = new DocumentTerms(sink, this.#maxTermBytes, this.#fail, onFault, readSoFar?.blankNodes);
    this.#frames = [{ scope: { ...NO_SCOPE, base: baseIRI }, content: { kind: 'nodes' }, triples: undefined }];
  }

  open(element: XmlElement): void {
    const frame = this.#frames.at(-1)!;
    const { content } = frame;
    switch (content.kind) {
      case 'literal':
        content.literal.open(element);
        this.#checkLength(content.literal.text.length);
        return;
      case 'ignored':
        this.#frames.push(frame);
        return;
      case 'empty':
        throw this.#fail(`the property has its object already, and cannot hold the element ${show(element)}`);
      case 'properties':
        this.#frames.push(this.#property(element, frame, content));
        return;
      case 'nodes':
        this.#frames.push(
          isRdf(element, this.#frames.length) ? this.#root(element, frame) : this.#node(element, frame),
        );
        return;
      default:
        this.#frames.push(this.#objectNode(element, frame, content));
    }
  }

  close(element: XmlElement): void {
    const { content } = this.#frames.at(-1)!;
    if (content.kind === 'literal' && content.literal.depth > 0) {
      content.literal.close(element);
      return;
    }
    this.#frames.pop();
    if (content.kind === 'object' && !content.done) this.#literalProperty(content.property, content.text);
    else if (content.kind === 'literal') {
      const object = this.#terms.literal(content.literal.text, { datatype: RDF_XML_LITERAL });
      this.#state(content.property, object);
    } else if (content.kind === 'collection') this.#closeList(content.property, content.last);
    else if (content.kind === 'triple') this.#closeTriple(content.property, content.triples);
  }

  text(text: string): void {
    const { content } = this.#frames.at(-1)!;
    if (content.kind === 'literal') {
      content.literal.chars(text);
      this.#checkLength(content.literal.text.length);
    } else if (content.kind === 'object' && !content.done) {
      content.text += text;
      this.#checkLength(content.text.length);
    } else if (content.kind !== 'ignored' && /[^ \t\r\n]/.test(text)) throw this.#fail('text is not allowed here');
  }

  comment(text: string): void {
    const { content } = this.#frames.at(-1)!;
    if (content.kind !== 'literal') return;
    content.literal.comment(text);
    this.#checkLength(content.literal.text.length);
  }

  instruction(target: string, body: string): void {
    const { content } = this.#frames.at(-1)!;
    if (content.kind !== 'literal') return;
    content.literal.instruction(target, body);
    this.#checkLength(content.literal.text.length);
  }

  /** Checks the length of a literal, which may come in any number of parts. */
  #checkLength(length: number): void {
    if (length > this.#maxTermBytes) throw this.#fail(tooLongTerm(this.#maxTermBytes));
  }

  tooLong({ kind, name, length }: LongPart): string | undefined {
    const { content } = this.#frames.at(-1)!;
    if (kind === 'text' || content.kind === 'literal' || content.kind === 'ignored') return undefined;
    const value = kind === 'element' ? 'iri' : kindOfValue(name, (prefix) => this.reader.namespace(prefix));
    if (value === 'iri') return LONG_IRI;
    return value === 'label' && length > this.#maxTermBytes ? tooLongTerm(this.#maxTermBytes) : undefined;
  }

  #root(element: XmlElement, { scope, triples }: Frame): Frame {
    const attributes = readAttributes(element, scope, this.#fail);
    const [unwanted] = [...attributes.syntax.keys(), ...attributes.properties.map(([iri]) => iri)];
    if (unwanted !== undefined) throw this.#fail(`the attribute ${unwanted} is not allowed on rdf:RDF`);
    return { scope: attributes.scope, content: { kind: 'nodes' }, triples };
  }

  #node(element: XmlElement, { scope: outer, triples }: Frame): Frame {
    const type = nameOf(element, this.#fail);
    if (!isNodeElement(type)) throw this.#fail(`${show(element)} is not allowed as a node element`);
    const attributes = readAttributes(element, outer, this.#fail);
    for (const name of attributes.syntax.keys()) {
      if (!NODE_SYNTAX.has(name)) throw this.#fail(`rdf:${name} is not allowed on the node element ${show(element)}`);
    }
    const subject = this.#subject(attributes);
    if (type !== `${RDF_NS}Description`) {
      this.#emit({ subject, predicate: this.#rdf('type'), object: this.#terms.iri(type) }, triples);
    }
    this.#propertyAttributes(subject, attributes, triples);
    return { scope: attributes.scope, content: { kind: 'properties', subject, members: 0 }, triples };
  }

  #subject({ syntax, scope }: Attributes): SinkTerm {
    const [name, other] = this.#only(syntax, ['ID', 'about', 'nodeID']);
    if (other !== undefined) throw this.#fail(`rdf:${name} and rdf:${other} on one element`);
    const value = name === undefined ? '' : syntax.get(name)!;
    if (name === 'ID') return this.#newId(value, scope);
    if (name === 'about') return this.#resolved(value, scope);
    return name === 'nodeID' ? this.#blankNode(value) : this.#terms.blankNode();
  }

  /** The node element within a property element. */
  #objectNode(element: XmlElement, frame: Frame, content: Content & { readonly property: Property }): Frame {
    if (content.kind === 'collection') {
      const cell = this.#terms.blankNode();
      if (content.last === undefined) this.#state(content.property, cell);
      else this.#emit({ subject: content.last, predicate: this.#rdf('rest'), object: cell }, frame.triples);
      content.last = cell;
      const node = this.#node(element, frame);
      this.#emit({ subject: cell, predicate: this.#rdf('first'), object: subjectOf(node) }, frame.triples);
      return node;
    }
    if (content.kind !== 'object' && content.kind !== 'triple') throw this.#fail('an element is not allowed here');
    if (content.done) throw this.#fail(`a second element in a property: ${show(element)}`);
    content.done = true;
    if (content.kind === 'triple') return this.#node(element, { ...frame, triples: content.triples });
    if (/[^ \t\r\n]/.test(content.text)) throw this.#fail('a property contains both text and an element');
    if (content.property.datatype !== undefined) throw this.#fail('an element in a property with rdf:datatype');
    const node = this.#node(element, frame);
    this.#state(content.property, subjectOf(node));
    return node;
  }

  #property(element: XmlElement, frame: Frame, node: Content & { kind: 'properties' }): Frame {
    let name = nameOf(element, this.#fail);
    if (!isPropertyElement(name)) throw this.#fail(`${show(element)} is not allowed as a property element`);
    if (name === `${RDF_NS}li`) name = `${RDF_NS}_${++node.members}`;
    const attributes = readAttributes(element, frame.scope, this.#fail);
    const { scope, syntax } = attributes;
    const parseType = syntax.get('parseType');
    if (parseType === 'Triple' && !scope.version12) return { ...frame, scope, content: { kind: 'ignored' } };
    if (syntax.has('about')) throw this.#fail('rdf:about is not allowed on a property element');
    const property = this.#newProperty(name, attributes, node.subject, frame.triples);
    const content =
      parseType === undefined ? this.#untyped(property, attributes) : this.#typed(property, parseType, attributes);
    return { scope, content, triples: frame.triples };
  }

  #newProperty(
    name: string,
    { scope, syntax }: Attributes,
    subject: SinkTerm,
    triples: Triple[] | undefined,
  ): Property {
    const id = syntax.get('ID');
    const annotation = syntax.get('annotation');
    const annotationNode = syntax.get('annotationNodeID');
    if (annotation !== undefined && annotationNode !== undefined) {
      throw this.#fail('rdf:annotation and rdf:annotationNodeID on one element');
    }
    const reifier = annotationNode === undefined ? undefined : this.#blankNode(annotationNode);
    return {
      subject,
      predicate: this.#terms.iri(name),
      scope,
      datatype: syntax.get('datatype'),
      statement: id === undefined ? undefined : this.#newId(id, scope),
      reifier: annotation === undefined ? reifier : this.#resolved(annotation, scope),
      triples,
    };
  }

  /** A property without rdf:parseType. Its object is in the attributes, or it is text or a node element. */
  #untyped(property: Property, attributes: Attributes): Content {
    const { scope, syntax, properties } = attributes;
    const [name, other] = this.#only(syntax, ['resource', 'nodeID', 'datatype']);
    if (other !== undefined) throw this.#fail(`rdf:${name} and rdf:${other} on one element`);
    if (name === 'datatype' && properties.length > 0)
      throw this.#fail('rdf:datatype is not allowed beside property attributes');
    if (name === 'datatype' || (name === undefined && properties.length === 0)) {
      return { kind: 'object', property, text: '', done: false };
    }
    let object: SinkTerm;
    if (name === 'resource') object = this.#resolved(syntax.get('resource')!, scope);
    else object = name === 'nodeID' ? this.#blankNode(syntax.get('nodeID')!) : this.#terms.blankNode();
    this.#state(property, object);
    this.#propertyAttributes(object, attributes, property.triples);
    return { kind: 'empty' };
  }

  #typed(property: Property, parseType: string, { syntax, properties }: Attributes): Content {
    const [name] = this.#only(syntax, ['resource', 'nodeID', 'datatype']);
    const unwanted = name === undefined ? properties[0]?.[0] : `rdf:${name}`;
    if (unwanted !== undefined) throw this.#fail(`rdf:parseType beside ${unwanted}`);
    switch (parseType) {
      case 'Resource': {
        const subject = this.#terms.blankNode();
        this.#state(property, subject);
        return { kind: 'properties', subject, members: 0 };
      }
      case 'Collection':
        return { kind: 'collection', property, last: undefined };
      case 'Triple':
        return { kind: 'triple', property, triples: [], done: false };
      default:
        // Any other value means Literal.
        return { kind: 'literal', property, literal: new XmlLiteral() };
    }
  }

  #propertyAttributes(subject: SinkTerm, { scope, properties }: Attributes, triples: Triple[] | undefined): void {
    for (const [iri, value] of properties) {
      const object = iri === `${RDF_NS}type` ? this.#resolved(value, scope) : this.#text(value, scope);
      this.#emit({ subject, predicate: this.#terms.iri(iri), object }, triples);
    }
  }

  #literalProperty(property: Property, text: string): void {
    const { datatype, scope } = property;
    const object =
      datatype === undefined
        ? this.#text(text, scope)
        : this.#terms.literal(text, { datatype: resolveIri(datatype, scope.base) });
    this.#state(property, object);
  }

  #text(value: string, { language, direction, version12 }: Scope): SinkTerm {
    return this.#terms.literal(value, { language, direction: version12 ? direction : undefined });
  }

  #closeList(property: Property, last: SinkTerm | undefined): void {
    const nil = this.#rdf('nil');
    if (last === undefined) this.#state(property, nil);
    else this.#emit({ subject: last, predicate: this.#rdf('rest'), object: nil }, property.triples);
  }

  #closeTriple(property: Property, triples: readonly Triple[]): void {
    const [triple] = triples;
    if (triple === undefined || triples.length > 1) {
      throw this.#fail(`rdf:parseType="Triple" needs exactly one triple, found ${triples.length}`);
    }
    this.#state(property, this.#terms.tripleTerm(triple));
  }

  /** Emits the statement of a property, its reification and its annotation. */
  #state(property: Property, object: SinkTerm): void {
    const { subject, predicate, statement, reifier, triples } = property;
    const triple = { subject, predicate, object };
    this.#emit(triple, triples);
    if (reifier !== undefined) {
      this.#emit({ subject: reifier, predicate: this.#rdf('reifies'), object: this.#terms.tripleTerm(triple) });
    }
    if (statement === undefined) return;
    this.#emit({ subject: statement, predicate: this.#rdf('type'), object: this.#rdf('Statement') });
    this.#emit({ subject: statement, predicate: this.#rdf('subject'), object: subject });
    this.#emit({ subject: statement, predicate: this.#rdf('predicate'), object: predicate });
    this.#emit({ subject: statement, predicate: this.#rdf('object'), object });
  }

  #emit(triple: Triple, triples?: Triple[]): void {
    if (triples === undefined) this.#terms.statement(triple);
    else triples.push(triple);
  }

  #rdf(name: string): SinkTerm {
    return this.#terms.iri(RDF_NS + name);
  }

  #resolved(value: string, { base }: Scope): SinkTerm {
    return this.#terms.iri(resolveIri(value, base));
  }

  #blankNode(label: string): SinkTerm {
    return this.#terms.blankNode(this.#ncName(label, 'rdf:nodeID'));
  }

  #newId(id: string, { base }: Scope): SinkTerm {
    const iri = resolveIri(`#${this.#ncName(id, 'rdf:ID')}`, base);
    if (this.#ids.has(iri)) throw this.#fail(`the rdf:ID ${JSON.stringify(id.slice(0, 100))} is there twice`);
    this.#terms.keep(iri);
    this.#ids.add(iri);
    return this.#terms.iri(iri);
  }

  #ncName(text: string, what: string): string {
    if (!isNcName(text)) throw this.#fail(`not a name for ${what}: ${JSON.stringify(text.slice(0, 100))}`);
    return text;
  }

  /** The given attributes that are present. */
  #only(syntax: ReadonlyMap<SyntaxName, string>, names: readonly SyntaxName[]): SyntaxName[] {
    return names.filter((name) => syntax.has(name));
  }
}

// rdf:RDF is legal as the root only.
const isRdf = (element: XmlElement, depth: number): boolean =>
  depth === 1 && element.local === 'RDF' && element.uri === RDF_NS;

function nameOf(element: XmlElement, fail: (reason: string) => Error): string {
  if (element.uri === '') throw fail(`the element ${show(element)} has no namespace`);
  return element.uri + element.local;
}

const show = ({ name }: XmlElement): string => JSON.stringify(name.slice(0, 100));

function subjectOf({ content }: Frame): SinkTerm {
  if (content.kind !== 'properties') throw new TypeError('not the frame of a node');
  return content.subject;
}
