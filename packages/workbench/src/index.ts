/** The page of a Quadrille server as files, for `createHandler({ pages })` of `@quadrille/rest`. */
export { files, type PageFile } from './files.js';
