/** What the build puts in, and modules that it makes. */
declare const ROWS_WORKER: string;
declare const TABLES_WORKER: string;
/** Files of the example by year. */
declare const EXAMPLE_FILES: Readonly<Record<string, string>>;

/** Of the service worker: the files of the playground seen from its page, the hash of all, and the policy of its scripts. */
declare const PLAYGROUND_FILES: readonly string[];
declare const PLAYGROUND_VERSION: string;
declare const PLAYGROUND_POLICY: string;

declare module '*.grammar' {
  import type { LRParser } from '@lezer/lr';
  export const parser: LRParser;
}

declare module '*.terms.js';
