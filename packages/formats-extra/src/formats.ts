/** The formats of this package, and their registration. */
import { N3 } from '@quadrille/formats';
import type { FormatRegistry, RdfFormat } from '@quadrille/formats';
import { createRdfXmlParser } from './rdf-xml-parser.js';
import { createRdfXmlSerializer } from './rdf-xml-serializer.js';

export const RDF_XML: RdfFormat = {
  name: 'RDF/XML',
  mediaTypes: ['application/rdf+xml', 'text/rdf', 'application/xml', 'text/xml'],
  extensions: ['rdf', 'owl', 'rdfs', 'xml'],
  namedGraphs: false,
  createParser: createRdfXmlParser,
  createSerializer: createRdfXmlSerializer,
};

/** Adds RDF/XML, JSON-LD, RDF/JSON, TriX and N3 to a registry. */
export function registerExtraFormats(registry: FormatRegistry): void {
  for (const format of [N3, RDF_XML]) registry.register(format);
}
