/** The formats of this package, and their registration. */
import { createTurtleSerializer } from '@quadrille/formats';
import type { AsyncParserOptions, AsyncRdfParser, FormatRegistry, RdfFormat } from '@quadrille/formats';
import { createJsonLdParser } from './json-ld/json-ld-parser.js';
import type { JsonLdLibrary } from './json-ld/json-ld-parser.js';
import { createJsonLdSerializer } from './json-ld/json-ld-serializer.js';
import { createRdfJsonParser, createRdfJsonSerializer } from './rdf-json/rdf-json.js';
import { createFastRdfXmlParser, createRdfXmlParser } from './rdf-xml/rdf-xml-parser.js';
import { createRdfXmlSerializer } from './rdf-xml/rdf-xml-serializer.js';
import { createTrixParser } from './trix/trix-parser.js';
import { createTrixSerializer } from './trix/trix-serializer.js';

/** The format RDF/XML. */
export const RDF_XML: RdfFormat = {
  name: 'RDF/XML',
  mediaTypes: ['application/rdf+xml', 'text/rdf', 'application/xml', 'text/xml'],
  extensions: ['rdf', 'owl', 'rdfs', 'xml'],
  namedGraphs: false,
  module: import.meta.url,
  createParser: createRdfXmlParser,
  createFastParser: createFastRdfXmlParser,
  createSerializer: createRdfXmlSerializer,
};

let jsonld: JsonLdLibrary | undefined;

// The import takes 100 ms. Most programs and documents do not need the library.
async function loadJsonLd(): Promise<JsonLdLibrary> {
  return (jsonld ??= (await import('jsonld')).default);
}

/** The format JSON-LD. */
export const JSON_LD: RdfFormat = {
  name: 'JSON-LD',
  mediaTypes: ['application/ld+json'],
  extensions: ['jsonld'],
  namedGraphs: true,
  module: import.meta.url,
  createAsyncParser: (options) => createJsonLdParser(loadJsonLd, options),
  createSerializer: createJsonLdSerializer,
};

/** The JSON-LD of a page. */
export const HTML_JSON_LD: RdfFormat = {
  name: 'JSON-LD in HTML',
  mediaTypes: ['text/html', 'application/xhtml+xml'],
  extensions: ['html', 'htm', 'xhtml'],
  namedGraphs: true,
  module: import.meta.url,
  createAsyncParser: (options) => new LateParser(() => htmlParser(options)),
};

// Few programs read pages.
async function htmlParser(options: AsyncParserOptions): Promise<AsyncRdfParser> {
  const { HtmlJsonLdParser } = await import('./json-ld/html-scripts.js');
  return new HtmlJsonLdParser(options, (inner) => createJsonLdParser(loadJsonLd, inner));
}

/** A parser whose code is loaded when there is something to parse. */
class LateParser implements AsyncRdfParser {
  #parser: Promise<AsyncRdfParser> | undefined;
  readonly #load: () => Promise<AsyncRdfParser>;

  constructor(load: () => Promise<AsyncRdfParser>) {
    this.#load = load;
  }

  async push(chunk: Uint8Array): Promise<void> {
    return (await (this.#parser ??= this.#load())).push(chunk);
  }

  async end(): Promise<void> {
    return (await (this.#parser ??= this.#load())).end();
  }
}

/** The format RDF/JSON. */
export const RDF_JSON: RdfFormat = {
  name: 'RDF/JSON',
  mediaTypes: ['application/rdf+json', 'application/json', 'text/json'],
  extensions: ['rj'],
  namedGraphs: false,
  module: import.meta.url,
  createParser: createRdfJsonParser,
  createSerializer: createRdfJsonSerializer,
};

/** The format TriX. */
export const TRIX: RdfFormat = {
  name: 'TriX',
  mediaTypes: ['application/trix', 'application/trix+xml'],
  extensions: ['trix'],
  namedGraphs: true,
  module: import.meta.url,
  createParser: createTrixParser,
  createSerializer: createTrixSerializer,
};

type N3Parsers = typeof import('./n3/n3-parser.js');
let n3: N3Parsers | undefined;

/** The RDF part of N3: Turtle and the additional ways to write a triple, without formulas, rules and variables. */
export const N3: RdfFormat = {
  name: 'N3',
  mediaTypes: ['text/n3', 'text/rdf+n3'],
  extensions: ['n3'],
  namedGraphs: false,
  module: import.meta.url,
  // The import takes 30 ms. Most programs do not need the library.
  load: async () => {
    n3 ??= await import('./n3/n3-parser.js');
  },
  createParser: (options) => {
    if (n3 === undefined) throw new Error('await load() of the format before createParser()');
    return n3.createN3Parser(options);
  },
  // Every Turtle document is an N3 document.
  createSerializer: (options) => createTurtleSerializer({ ...options, trig: false }),
};

/**
 * Adds RDF/XML, JSON-LD, also that of pages, RDF/JSON, TriX and N3 to a registry. Formats of these names that it has already stay: they may be those of a
 * server, which parse documents of strangers apart.
 */
export function registerExtraFormats(registry: FormatRegistry): void {
  const known = new Set(registry.list().map(({ name }) => name));
  for (const format of [N3, TRIX, RDF_JSON, JSON_LD, HTML_JSON_LD, RDF_XML])
    if (!known.has(format.name)) registry.register(format);
}
