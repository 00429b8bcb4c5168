/**
 * Loads BSBM of a million quads as RDF/XML, with one element per subject. Compares this with rdfxml-streaming-parser
 * alone.
 */
import type { Transform } from 'node:stream';
import { RdfXmlParser } from 'rdfxml-streaming-parser';
import { countQuads } from '../../count-stream.js';
import { formatWorkload } from '../../loading-formats.js';

export const workload = formatWorkload({
  name: 'load-rdf-xml',
  document: 'bsbm-1m.rdf',
  set: 'bsbm-1m',
  library: 'rdfxml-streaming-parser',
  parse: (file) => countQuads(file, new RdfXmlParser() as unknown as Transform),
});
