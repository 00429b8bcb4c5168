/** An example of a body for each media type that a server takes, for readers and for tools that send requests. */
const TRIPLE = '<http://example.org/a> <http://example.org/p> "text"@en .\n';
const QUERY = 'SELECT * { ?s ?p ?o } LIMIT 10';
const UPDATE = 'INSERT DATA { <http://example.org/a> <http://example.org/p> 1 }';
const XML = `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:ex="http://example.org/">
<rdf:Description rdf:about="http://example.org/a"><ex:p>text</ex:p></rdf:Description></rdf:RDF>`;
const TRIX = `<TriX xmlns="http://www.w3.org/2004/03/trix/trix-1/"><graph><triple><uri>http://example.org/a</uri>
<uri>http://example.org/p</uri><plainLiteral>text</plainLiteral></triple></graph></TriX>`;
const JSON_LD = '{"@id": "http://example.org/a", "http://example.org/p": "text"}';
const RDF_JSON = '{"http://example.org/a": {"http://example.org/p": [{"type": "literal", "value": "text"}]}}';

/** The first entry whose type is the beginning of a media type. */
const EXAMPLES: readonly (readonly [type: string, text: string])[] = [
  ['application/sparql-query', QUERY],
  ['application/sparql-update', UPDATE],
  ['application/rdf-patch', 'TX .\nA <http://example.org/a> <http://example.org/p> "new" .\nTC .\n'],
  ['application/rdf+xml', XML],
  ['text/rdf+n3', TRIPLE],
  ['text/rdf', XML],
  ['application/xml', XML],
  ['application/trix', TRIX],
  ['application/ld+json', JSON_LD],
  ['text/html', `<script type="application/ld+json">${JSON_LD}</script>`],
  ['application/xhtml+xml', `<script type="application/ld+json">${JSON_LD}</script>`],
  ['application/rdf+json', RDF_JSON],
  ['application/json', RDF_JSON],
  ['text/json', RDF_JSON],
];

export const exampleOf = (mediaType: string): string =>
  EXAMPLES.find(([type]) => mediaType.startsWith(type))?.[1] ?? TRIPLE;
