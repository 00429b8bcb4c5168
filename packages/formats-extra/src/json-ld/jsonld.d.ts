/** Types of the used part of jsonld, which has none. */
declare module 'jsonld' {
  const jsonld: import('./json-ld-parser.js').JsonLdLibrary;
  export default jsonld;
}
