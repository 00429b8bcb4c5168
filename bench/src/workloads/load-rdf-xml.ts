/** BSBM of a million as RDF/XML, an element for each subject; and rdfxml-streaming-parser alone. */
import type { Transform } from 'node:stream';
import { RdfXmlParser } from 'rdfxml-streaming-parser';
import { countQuads } from '../count-stream.js';
import { formatWorkload } from '../loading-formats.js';

export const workload = formatWorkload({
  name: 'load-rdf-xml',
  document: 'bsbm-1m.rdf',
  set: 'bsbm-1m',
  library: 'rdfxml-streaming-parser',
  parse: (file) => countQuads(file, new RdfXmlParser() as unknown as Transform),
});
