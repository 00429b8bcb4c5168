/** The start of an RDF/XML document: the XML declaration, and a root element that only declares namespaces. */
import { isAbsoluteIri, RDF_NS } from '@quadrille/model';

export interface XmlRoot {
  readonly namespaces: ReadonlyMap<string, string>;
  /** The start of the root element, on one line. */
  readonly head: string;
  /** Where it ends, and how many lines end before. */
  readonly end: number;
  readonly lines: number;
}

const DECLARATION = /^<\?xml version=(?:"1\.0"|'1\.0')(?: encoding=(?:"utf-8"|'utf-8'))?(?: standalone="yes")?\?>/i;
const ROOT =
  /^[ \t\n]*<((?:[A-Za-z_][\w.-]*:)?RDF)((?:[ \t\n]+xmlns(?::[A-Za-z_][\w.-]*)?=(?:"[^"<&\s]*"|'[^'"<&\s]*'))+)[ \t\n]*>/;
const NAMESPACE = /xmlns(?::([A-Za-z_][\w.-]*))?=(?:"([^"]*)"|'([^']*)')/g;

/** The root, where the bytes begin with it; all ASCII. */
export function readRoot(bytes: Uint8Array): XmlRoot | undefined {
  // A byte beyond ASCII becomes a character that no pattern allows.
  const text = new TextDecoder('latin1').decode(bytes);
  const declaration = DECLARATION.exec(text)?.[0] ?? '';
  const [start, name, attributes] = ROOT.exec(text.slice(declaration.length)) ?? [];
  // oxlint-disable-next-line no-control-regex
  if (start === undefined || /[^\u0000-\u007F]/.test(start)) return undefined;
  const namespaces = namespacesOf(attributes!);
  const prefix = name!.slice(0, Math.max(0, name!.indexOf(':')));
  if (namespaces?.get(prefix) !== RDF_NS) return undefined;
  const declarations = [...namespaces].map(([one, iri]) => ` xmlns${one === '' ? '' : `:${one}`}="${iri}"`);
  return {
    namespaces,
    head: `<${name!}${declarations.join('')}>`,
    end: declaration.length + start.length,
    lines: start.split('\n').length - 1,
  };
}

function namespacesOf(attributes: string): Map<string, string> | undefined {
  const namespaces = new Map<string, string>();
  for (const [, prefix = '', double, single] of attributes.matchAll(NAMESPACE)) {
    const iri = double ?? single!;
    if (
      namespaces.has(prefix) ||
      /^xml/i.test(prefix) ||
      !isAbsoluteIri(iri) ||
      /^http:\/\/www\.w3\.org\/(?:XML\/1998\/namespace|2000\/xmlns\/|2005\/11\/its)$/.test(iri)
    ) {
      return undefined;
    }
    namespaces.set(prefix, iri);
  }
  return namespaces;
}
