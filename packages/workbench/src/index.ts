/** The page of a Quadrille server as files, for `createHandler({ pages })` of `@quadrille/server`, and the page that needs no server. */
export { files, type PageFile } from './files.js';
export { type PlaygroundFile, playgroundFiles, siteFiles } from './playground-files.js';
