/** What a server hosts: accounts, tokens, rights, repositories, jobs, imports and limits. No HTTP in it. */
export { ANONYMOUS, type Caller, isKnown, OPERATOR } from './caller.js';
export { isSlug, RESERVED_NAMES, slugOf } from './slug.js';
