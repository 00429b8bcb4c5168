/**
 * Reads the start of an ordinary RDF/XML document: the XML declaration, a document type that only declares entities, and a root
 * element with namespaces, xml:base and xml:lang. All of it must be ASCII.
 */
import { isAbsoluteIri, isLanguageTag, RDF_NS } from '@quadrille/model';

export interface XmlRoot {
  /** The name of the root element, as it is written. */
  readonly name: string;
  readonly namespaces: ReadonlyMap<string, string>;
  readonly entities: ReadonlyMap<string, string>;
  /** xml:base and xml:lang of the root. */
  readonly base: string | undefined;
  readonly language: string | undefined;
  /** The document type and the start tag of the root, one line each. */
  readonly head: readonly string[];
  /** End of the start tag of the root, and number of line ends before it. */
  readonly end: number;
  readonly lines: number;
}

const DECLARATION =
  /<\?xml version=(?:"1\.0"|'1\.0')(?: encoding=(?:"[Uu][Tt][Ff]-?8"|'[Uu][Tt][Ff]-?8'))?(?: standalone=(?:"yes"|"no"))? ?\?>/y;
/** Space and comments. */
const MISC = /(?:[ \t\r\n]|<!--(?:[\t\r\n -,.-~]|-(?!-))*-->)*/y;
const DOCTYPE = /<!DOCTYPE[ \t\r\n]+([A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?)[ \t\r\n]*\[/y;
const DOCTYPE_END = /\][ \t\r\n]*>/y;
// Values consist of characters that are legal in IRIs, without references.
const ENTITY =
  /<!ENTITY[ \t\r\n]+([A-Za-z_][\w.-]*)[ \t\r\n]+(?:"([!#$(-;=?-[\]_a-z~]+)"|'([!#$(-;=?-[\]_a-z~]+)')[ \t\r\n]*>/y;
const ROOT = /<((?:[A-Za-z_][\w.-]*:)?RDF)/y;
const ATTRIBUTE = /[ \t\r\n]+(xmlns(?::[A-Za-z_][\w.-]*)?|xml:base|xml:lang)=(?:"([!#-;=?-~]*)"|'([!#-&(-;=?-~]*)')/y;
const ROOT_END = /[ \t\r\n]*>/y;
const REFERENCE = /&([A-Za-z_][\w.-]*);/g;
const RESERVED = /^http:\/\/www\.w3\.org\/(?:XML\/1998\/namespace|2000\/xmlns\/|2005\/11\/its)$/;
/** The limits are those of the other parser. */
const MAX_ENTITIES = 1000;
const MAX_ENTITY_LENGTH = 1024;
const PREDEFINED = new Set(['amp', 'lt', 'gt', 'quot', 'apos']);

/** A text that is matched piece by piece. */
class Rest {
  at = 0;

  constructor(private readonly text: string) {}

  /** Matches a pattern at the position and moves behind the match. */
  take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.text) ?? undefined;
    if (match !== undefined) this.at = pattern.lastIndex;
    return match;
  }

  lines(): number {
    return this.text.slice(0, this.at).split(/\r\n|[\r\n]/).length - 1;
  }
}

/** The root of an ordinary document. Undefined for all other documents. */
export function readRoot(bytes: Uint8Array): XmlRoot | undefined {
  // A byte beyond ASCII becomes a character that no pattern allows.
  const rest = new Rest(new TextDecoder('latin1').decode(bytes));
  if (bytes[0] === 0x3c) rest.take(DECLARATION);
  rest.take(MISC);
  const entities = readEntities(rest);
  if (entities === undefined) return undefined;
  rest.take(MISC);
  const name = rest.take(ROOT)?.[1];
  const attributes = name && readAttributes(rest, entities);
  if (!attributes || rest.take(ROOT_END) === undefined) return undefined;
  const namespaces = namespacesOf(attributes);
  if (namespaces?.get(name.slice(0, Math.max(0, name.indexOf(':')))) !== RDF_NS) return undefined;
  const language = attributes.get('xml:lang') || undefined;
  if (language !== undefined && !isLanguageTag(language)) return undefined;
  const declarations = [...entities].map(([entity, value]) => `<!ENTITY ${entity} "${value}">`).join('');
  const written = [...attributes].map(([attribute, value]) => ` ${attribute}="${value}"`).join('');
  return {
    name,
    namespaces,
    entities,
    base: attributes.get('xml:base'),
    language,
    head: [...(entities.size === 0 ? [] : [`<!DOCTYPE ${name} [${declarations}]>`]), `<${name}${written}>`],
    end: rest.at,
    lines: rest.lines(),
  };
}

/** The entities of the document type, if there is one. Undefined if it has anything else. */
function readEntities(rest: Rest): Map<string, string> | undefined {
  const entities = new Map<string, string>();
  const name = rest.take(DOCTYPE)?.[1];
  if (name === undefined) return entities;
  // The other parser refuses these words, which begin external document types.
  if (/SYSTEM|PUBLIC/.test(name)) return undefined;
  let count = 0;
  for (rest.take(MISC); ; rest.take(MISC)) {
    const [match, entity, double, single] = rest.take(ENTITY) ?? [];
    if (match === undefined) break;
    const value = double ?? single!;
    if (++count > MAX_ENTITIES || value.length > MAX_ENTITY_LENGTH) return undefined;
    // The first declaration counts, and predefined entities cannot be redeclared.
    if (!entities.has(entity!) && !PREDEFINED.has(entity!)) entities.set(entity!, value);
  }
  return rest.take(DOCTYPE_END) && entities;
}

function readAttributes(rest: Rest, entities: ReadonlyMap<string, string>): Map<string, string> | undefined {
  const attributes = new Map<string, string>();
  for (;;) {
    const [match, name, double, single] = rest.take(ATTRIBUTE) ?? [];
    if (match === undefined) return attributes;
    const value = expand(double ?? single!, entities);
    if (value === undefined || attributes.has(name!)) return undefined;
    attributes.set(name!, value);
  }
}

function expand(value: string, entities: ReadonlyMap<string, string>): string | undefined {
  if (value.length > MAX_ENTITY_LENGTH) return undefined;
  const expanded = value.replaceAll(REFERENCE, (reference, name: string) => entities.get(name) ?? reference);
  return /[&'"]/.test(expanded) ? undefined : expanded;
}

function namespacesOf(attributes: ReadonlyMap<string, string>): Map<string, string> | undefined {
  const namespaces = new Map<string, string>();
  for (const [name, iri] of attributes) {
    if (!name.startsWith('xmlns')) continue;
    const prefix = name.slice('xmlns:'.length);
    if (/^xml/i.test(prefix) || !isAbsoluteIri(iri) || RESERVED.test(iri)) return undefined;
    namespaces.set(prefix, iri);
  }
  return namespaces;
}
