/** Thrown before anything runs, for a request that the engine cannot evaluate. */

/** A construct or function that the engine does not have. The caller may pass the request to another engine. */
export class Unsupported extends Error {
  /** What is not supported, as a person would name it: `function <http://…>`. */
  readonly what: string;

  constructor(what: string) {
    super(`not supported: ${what}`);
    this.name = 'Unsupported';
    this.what = what;
  }
}
