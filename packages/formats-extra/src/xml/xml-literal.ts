/** The content of an element in Exclusive XML Canonicalization with comments, as RDF/XML requires for XML literals. */
import { XML_NS, XMLNS_NS } from './xml-reader.js';
import type { XmlAttribute, XmlElement } from './xml-reader.js';

const TEXT_ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#xD;' };
const ATTRIBUTE_ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '"': '&quot;',
  '\t': '&#x9;',
  '\n': '&#xA;',
  '\r': '&#xD;',
};

/** Escapes the text of an element. */
export const escapeXmlText = (text: string): string => text.replace(/[&<>\r]/g, (char) => TEXT_ESCAPES[char] ?? char);
/** Escapes the value of an attribute. The result has no quotes. */
export const escapeXmlAttribute = (text: string): string =>
  text.replace(/[&<"\t\n\r]/g, (char) => ATTRIBUTE_ESCAPES[char] ?? char);

type Namespaces = ReadonlyMap<string, string>;

export class XmlLiteral {
  text = '';
  /** The namespaces that each open element declares in the output, by prefix. */
  readonly #declared: Namespaces[] = [];

  /** Number of open elements. */
  get depth(): number {
    return this.#declared.length;
  }

  open(element: XmlElement): void {
    const attributes = Object.values(element.attributes).filter(({ uri }) => uri !== XMLNS_NS);
    const added = this.#newNamespaces(element, attributes);
    this.#declared.push(added);
    const declarations = [...added].sort(([a], [b]) => compare(a, b)).map(([prefix, uri]) => declaration(prefix, uri));
    const others = attributes
      .sort((a, b) => compare(a.uri, b.uri) || compare(a.local, b.local))
      .map(({ name, value }) => ` ${name}="${escapeXmlAttribute(value)}"`);
    this.text += `<${element.name}${declarations.join('')}${others.join('')}>`;
  }

  close(element: XmlElement): void {
    this.#declared.pop();
    this.text += `</${element.name}>`;
  }

  /** The namespaces that an element uses and no open element declares. */
  #newNamespaces(element: XmlElement, attributes: readonly XmlAttribute[]): Map<string, string> {
    const added = new Map<string, string>();
    const use = (prefix: string, uri: string): void => {
      if (uri !== XML_NS && this.#namespaceOf(prefix) !== uri) added.set(prefix, uri);
    };
    use(element.prefix, element.uri);
    for (const { prefix, uri } of attributes) if (prefix !== '') use(prefix, uri);
    return added;
  }

  #namespaceOf(prefix: string): string {
    for (let i = this.#declared.length - 1; i >= 0; i--) {
      const uri = this.#declared[i]!.get(prefix);
      if (uri !== undefined) return uri;
    }
    return '';
  }

  chars(text: string): void {
    this.text += escapeXmlText(text);
  }

  comment(text: string): void {
    this.text += `<!--${text}-->`;
  }

  instruction(target: string, body: string): void {
    this.text += body === '' ? `<?${target}?>` : `<?${target} ${body}?>`;
  }
}

function declaration(prefix: string, uri: string): string {
  return ` ${prefix === '' ? 'xmlns' : `xmlns:${prefix}`}="${escapeXmlAttribute(uri)}"`;
}

const compare = (a: string, b: string): number => {
  if (a === b) return 0;
  return a < b ? -1 : 1;
};
