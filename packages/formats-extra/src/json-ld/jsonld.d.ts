/** What we use of jsonld, which comes without types. */
declare module 'jsonld' {
  const jsonld: import('./json-ld-parser.js').JsonLdLibrary;
  export default jsonld;
}
