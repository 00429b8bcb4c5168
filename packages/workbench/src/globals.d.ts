/** What the build puts in, and modules that it makes. */
declare const ROWS_WORKER: string;

declare module '*.grammar' {
  import type { LRParser } from '@lezer/lr';
  export const parser: LRParser;
}

declare module '*.terms.js';
