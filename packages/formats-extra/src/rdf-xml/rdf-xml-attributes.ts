/** Classifies the attributes of an RDF/XML element: scope, syntax and properties. */
import { RDF_NS } from '@quadrille/model';
import { resolveIri } from '@quadrille/model/resolve-iri';
import { isPropertyAttribute } from './rdf-xml-names.js';
import { ITS_NS, XML_NS, XMLNS_NS } from '../xml/xml-reader.js';
import type { XmlElement } from '../xml/xml-reader.js';

/** Inherited by nested elements. */
export interface Scope {
  readonly base: string | undefined;
  readonly language: string | undefined;
  readonly direction: string | undefined;
  /** Whether `rdf:version` has enabled the additions of RDF 1.2. */
  readonly version12: boolean;
}

/** An attribute of the vocabulary `rdf:` that is syntax. */
export type SyntaxName =
  | 'ID'
  | 'about'
  | 'nodeID'
  | 'resource'
  | 'datatype'
  | 'parseType'
  | 'annotation'
  | 'annotationNodeID';

export interface Attributes {
  readonly scope: Scope;
  readonly syntax: ReadonlyMap<SyntaxName, string>;
  /** Pairs of IRI and value. `rdf:type` may be among them; its value is an IRI. */
  readonly properties: readonly (readonly [string, string])[];
}

const SYNTAX: ReadonlySet<string> = new Set([
  'ID',
  'about',
  'nodeID',
  'resource',
  'datatype',
  'parseType',
  'annotation',
  'annotationNodeID',
]);
// Names that early documents have without a namespace.
const UNQUALIFIED = new Set(['ID', 'about', 'resource', 'parseType', 'type']);

/** Attributes of the vocabulary `rdf:` whose values are IRIs, or become part of one. */
const IRI_VALUES = new Set(['ID', 'about', 'resource', 'datatype', 'type', 'annotation']);

/** The kind of the value of an attribute, by its name and the namespace of its prefix. */
export function kindOfValue(
  name: string,
  namespaceOf: (prefix: string) => string | undefined,
): 'iri' | 'label' | 'text' {
  const [prefix = '', local] = name.includes(':') ? name.split(':') : ['', name];
  if (name === 'xmlns' || prefix === 'xmlns' || name === 'xml:base') return 'iri';
  if (prefix === '' ? !UNQUALIFIED.has(name) : namespaceOf(prefix) !== RDF_NS) return 'text';
  if (local === 'nodeID' || local === 'annotationNodeID') return 'label';
  return IRI_VALUES.has(local!) ? 'iri' : 'text';
}

/** @param fail creates the error for illegal attributes */
export function readAttributes(element: XmlElement, outer: Scope, fail: (reason: string) => Error): Attributes {
  let scope = outer;
  const syntax = new Map<SyntaxName, string>();
  const properties: (readonly [string, string])[] = [];
  for (const { local, uri, value } of Object.values(element.attributes)) {
    // RDF/XML ignores unknown attributes whose names begin with "xml".
    if (uri === XMLNS_NS || (uri === '' && /^xml/i.test(local))) continue;
    if (uri === XML_NS) scope = xmlScope(scope, outer, local, value);
    else if (uri === ITS_NS) {
      if (local === 'dir') scope = { ...scope, direction: direction(value, fail) };
    } else if (uri === '' && !UNQUALIFIED.has(local)) throw fail(`the attribute ${local} has no namespace`);
    else if (uri !== '' && uri !== RDF_NS) properties.push([uri + local, value]);
    else if (local === 'version') scope = { ...scope, version12: value !== '1.1' };
    else if (SYNTAX.has(local)) {
      if (syntax.has(local as SyntaxName)) throw fail(`a second rdf:${local}`);
      syntax.set(local as SyntaxName, value);
    } else if (isPropertyAttribute(RDF_NS + local)) properties.push([RDF_NS + local, value]);
    else throw fail(`rdf:${local} is not allowed as an attribute`);
  }
  return { scope, syntax, properties };
}

function xmlScope(scope: Scope, outer: Scope, local: string, value: string): Scope {
  if (local === 'base') return { ...scope, base: resolveIri(value, outer.base) };
  if (local === 'lang') return { ...scope, language: value === '' ? undefined : value };
  // xml:space and other attributes of XML have no meaning in RDF.
  return scope;
}

function direction(value: string, fail: (reason: string) => Error): string | undefined {
  if (value === '') return undefined;
  if (value !== 'ltr' && value !== 'rtl') throw fail('its:dir must be "ltr" or "rtl"');
  return value;
}
