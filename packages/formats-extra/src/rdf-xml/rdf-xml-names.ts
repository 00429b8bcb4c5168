/** Names that are reserved for the syntax of RDF/XML (1.1 and 1.2), and legal names of XML. */
import { RDF_NS } from '@quadrille/model';

const rdf = (names: string): ReadonlySet<string> => new Set(names.split(' ').map((name) => RDF_NS + name));

const CORE = 'RDF ID about parseType resource nodeID datatype annotation annotationNodeID version';
const OLD = 'aboutEach aboutEachPrefix bagID';
const NOT_NODES = rdf(`${CORE} ${OLD} li`);
const NOT_PROPERTIES = rdf(`${CORE} ${OLD} Description`);
const NOT_ATTRIBUTES = rdf(`${CORE} ${OLD} Description li`);

const START =
  'A-Za-z_\u00C0-\u00D6\u00D8-\u00F6\u00F8-\u02FF\u0370-\u037D\u037F-\u1FFF\u200C-\u200D\u2070-\u218F' +
  '\u2C00-\u2FEF\u3001-\uD7FF\uF900-\uFDCF\uFDF0-\uFFFD\u{10000}-\u{EFFFF}';
const REST = `${START}0-9.\\-\u00B7\u0300-\u036F\u203F-\u2040`;
const NC_NAME = new RegExp(`^[${START}][${REST}]*$`, 'u');
const NAME_START_CHAR = new RegExp(`^[${START}]$`, 'u');
const NAME_CHAR = new RegExp(`^[${REST}]$`, 'u');

export const isNodeElement = (iri: string): boolean => !NOT_NODES.has(iri);
export const isPropertyElement = (iri: string): boolean => !NOT_PROPERTIES.has(iri);
export const isPropertyAttribute = (iri: string): boolean => !NOT_ATTRIBUTES.has(iri);

/** A name without a colon. */
export const isNcName = (text: string): boolean => NC_NAME.test(text);

/** Start of the longest name at the end of an IRI, or the length of the IRI if there is none. */
export function localNameStart(iri: string): number {
  let start = iri.length;
  // Backwards, one character at a time, so that a long IRI is scanned once.
  for (let at = iri.length; at > 0;) {
    const low = iri.charCodeAt(at - 1);
    at -= low >= 0xdc00 && low <= 0xdfff && at > 1 ? 2 : 1;
    const char = String.fromCodePoint(iri.codePointAt(at)!);
    if (NAME_START_CHAR.test(char)) start = at;
    else if (!NAME_CHAR.test(char)) break;
  }
  return start;
}
