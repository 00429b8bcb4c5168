/** Says at the end of a run which data it did not find, and what was therefore not tried. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

const SHARED = resolve(process.env['QUADRILLE_SHARED'] ?? resolve(import.meta.dirname, '../../shared'));
/** Folders of other projects' tests and data, with what is tried on them. */
const DATA = [
  ['w3c/rdf-tests', 'the W3C suites of SPARQL and of the RDF formats'],
  ['w3c/json-ld-api', 'the W3C suite of JSON-LD'],
  ['data/schemaorg', 'the history of schema.org'],
  ['data/fibo', 'FIBO'],
  ['data/bsbm', 'BSBM'],
  ['data/watdiv', 'WatDiv'],
] as const;

export class AbsentData {
  onTestRunEnd(): void {
    const absent = DATA.filter(([folder]) => !existsSync(resolve(SHARED, folder)));
    if (absent.length === 0) return;
    console.log(`Not run, because QUADRILLE_SHARED (${SHARED}) lacks the data:`);
    for (const [folder, what] of absent) console.log(`  ${folder}: ${what}`);
  }
}
