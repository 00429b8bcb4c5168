/** What an engine throws, before anything runs, for a request that it does not know how to evaluate. */

/** A construct or function that is not available natively. The caller may hand the request to another evaluator. */
export class Unsupported extends Error {
  /** What is not supported, as a person would name it: `function <http://…>`. */
  readonly what: string;

  constructor(what: string) {
    super(`not supported: ${what}`);
    this.name = 'Unsupported';
    this.what = what;
  }
}
