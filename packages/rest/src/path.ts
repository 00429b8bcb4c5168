/** The path forms of the interface, folded into one: `/A/R/…`, `/A/repositories` and nothing else reaches the routes. */

/**
 * The canonical path of a request: `/A/repositories/R/…` and `/repositories/A/R/…` become `/A/R/…`, and a trailing
 * slash is dropped. Segments stay percent-encoded.
 */
export function canonicalPath(pathname: string): string {
  let segments = pathname.split('/').slice(1);
  while (segments.length > 1 && segments.at(-1) === '') segments.pop();
  if (segments[0] === 'repositories' && segments.length > 2) segments = segments.slice(1);
  else if (segments[1] === 'repositories' && segments.length > 2) segments.splice(1, 1);
  return `/${segments.join('/')}`;
}
