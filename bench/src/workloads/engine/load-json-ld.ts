/**
 * Loads BSBM of 100,000 quads as JSON-LD: a context and 11,000 nodes in one `@graph`. Compares this with the library
 * jsonld alone. The streaming parser of JSON-LD would take a minute for this document, because all nodes are in one
 * array.
 */
import { readFile } from 'node:fs/promises';
import { formatWorkload } from '../../loading-formats.js';

interface JsonLd {
  toRDF(document: unknown): Promise<readonly unknown[]>;
}

async function countQuads(file: string): Promise<number> {
  // @ts-expect-error it comes without types
  const jsonld = ((await import('jsonld')) as { default: JsonLd }).default;
  return (await jsonld.toRDF(JSON.parse(await readFile(file, 'utf8')))).length;
}

export const workload = formatWorkload({
  name: 'load-json-ld',
  document: 'bsbm-100k.jsonld',
  set: 'bsbm-100k',
  library: 'jsonld',
  parse: countQuads,
});
