/** The path forms of the interface, folded into one: `/A/R/…`, `/A/repositories` and nothing else reaches the routes. */

/**
 * The canonical path of a request: `/A/repositories/R/…` and `/repositories/A/R/…` become `/A/R/…`, and a trailing
 * slash is dropped. Segments stay percent-encoded.
 */
export function canonicalPath(pathname: string): string {
  const named = /^\/(timemap\/link|timegate)\/(https?:\/.+)$/i.exec(pathname);
  if (named !== null) return mementoPath(named[1] ?? '', named[2] ?? '');
  let segments = pathname.split('/').slice(1);
  while (segments.length > 1 && segments.at(-1) === '') segments.pop();
  if (segments[0] === 'repositories' && segments.length > 2) segments = segments.slice(1);
  else if (segments[1] === 'repositories' && segments.length > 2) segments.splice(1, 1);
  return `/${segments.join('/')}`;
}

/** `/timegate/http://host/A/R`, as clients of Memento make it, is `/A/R/timegate/http://host/A/R`. */
function mementoPath(service: string, address: string): string {
  const segments = address.split('/').filter((segment) => segment !== '' && segment !== 'repositories');
  return `/${segments.slice(-2).join('/')}/${service}/${address}`;
}
