/** What the build puts in, and modules that it makes. */
declare const ROWS_WORKER: string;
/** Files of the example by year. */
declare const EXAMPLE_FILES: Readonly<Record<string, string>>;

declare module '*.grammar' {
  import type { LRParser } from '@lezer/lr';
  export const parser: LRParser;
}

declare module '*.terms.js';
