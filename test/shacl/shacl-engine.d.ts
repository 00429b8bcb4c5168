/** The part of shacl-engine that the tests use; it has no declarations of its own. */
declare module 'shacl-engine' {
  import type * as RDF from '@rdfjs/types';

  export class Validator {
    constructor(shapes: RDF.DatasetCore, options: { factory: RDF.DataFactory });
    validate(data: { dataset: RDF.DatasetCore }): Promise<{ readonly results: unknown }>;
  }
}
