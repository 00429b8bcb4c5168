/** Writes N-Triples in another format, with the usual prefixes of BSBM. */
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { parseQuads } from '@quadrille/formats';
import { registerExtraFormats } from '@quadrille/formats-extra';
import type * as RDF from '@rdfjs/types';
import { formats } from 'quadrille';

const BATCH_QUADS = 4096;
const BSBM = 'http://www4.wiwiss.fu-berlin.de/bizer/bsbm/v01/';
const PREFIXES = {
  bsbm: `${BSBM}vocabulary/`,
  'bsbm-inst': `${BSBM}instances/`,
  dc: 'http://purl.org/dc/elements/1.1/',
  foaf: 'http://xmlns.com/foaf/0.1/',
  rdf: 'http://www.w3.org/1999/02/22-rdf-syntax-ns#',
  rdfs: 'http://www.w3.org/2000/01/rdf-schema#',
  rev: 'http://purl.org/stuff/rev#',
  xsd: 'http://www.w3.org/2001/XMLSchema#',
};

/** @param path the extension determines the format */
export async function writeDocument(source: string, path: string): Promise<void> {
  registerExtraFormats(formats);
  const serializer = formats.byExtension(path).format.createSerializer!({ prefixes: PREFIXES });
  const file = await open(path, 'w');
  try {
    let quads: RDF.Quad[] = [];
    for await (const quad of parseQuads(createReadStream(source), { format: 'nt' })) {
      if (quads.push(quad) < BATCH_QUADS) continue;
      await file.write(serializer.write(quads));
      quads = [];
    }
    await file.write(serializer.write(quads) + serializer.end());
  } finally {
    await file.close();
  }
}
