/** Thrown before anything runs, for a call of a function that the engine does not have. */

/** The caller may pass the request to an engine that has the function. */
export class UnknownFunction extends Error {
  /** `count`: the number of its arguments. `known`: the functions that are called by an IRI. */
  constructor(
    readonly iri: string,
    readonly count: number,
    readonly isDistinct: boolean,
    readonly known: readonly string[],
  ) {
    super(`unknown function ${iri}`);
    this.name = 'UnknownFunction';
  }
}
