/** Tools for tests of published stores: the `./testing` entry of the package. */
export { FilesOf, MemoryTarget } from './testing/memory-target.js';
export { FAULTS, WebHost, type Answered, type Fault, type WebHostOptions } from './testing/web-host.js';
