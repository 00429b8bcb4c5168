/**
 * What the page may do: load from its own server alone, and make no script of a text. Workers have addresses from the one policy `quadrille`.
 */
const DIRECTIVES = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types quadrille',
];

/** Of the page of a server, as a header. */
export const POLICY = DIRECTIVES.join('; ');

/** Of the page of a published store, within the page, where browsers ignore `frame-ancestors`. Its worker reads Turtle by WebAssembly. */
export const SITE_POLICY = DIRECTIVES.filter((directive) => !directive.startsWith('frame-ancestors'))
  .map((directive) => (directive.startsWith('script-src') ? `${directive} 'wasm-unsafe-eval'` : directive))
  .join('; ');

/** Of a playground, which also opens published stores of other hosts. */
export const PLAYGROUND_POLICY = SITE_POLICY.replace("connect-src 'self'", "connect-src 'self' https:");
