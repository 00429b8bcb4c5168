/**
 * Maps the paths of other clients to the canonical ones, such as `/A/R/…` and `/A/repositories`. Who needs which:
 * - RDF4J (`HTTPRepository`, its workbench), and GraphDB's client for JavaScript: `/repositories/A/R/…`, `/A/repositories/R/…`
 * - GraphDB's client for JavaScript: `/A/rest/…`, where it logs in
 * - clients of Sesame 2: `/sesame2/…`
 * - clients of Dydra: `/accounts/A/R/…`, `/system/accounts/A/…`, `/ops`, `/A/R.ttl`
 * - clients of Memento: `/timegate/URI`, `/timemap/link/URI`
 */
import { RESERVED_NAMES } from '../host/index.js';

/**
 * The canonical path of a request: `/A/repositories/R/…` and `/repositories/A/R/…` become `/A/R/…`, `/ops` is `/jobs`, other
 * roots of older clients and a trailing slash are dropped. Segments stay percent-encoded. The resources of the server have no other
 * forms than those that the documentation names, because proxies protect them by their paths.
 */
export function canonicalPath(pathname: string): string {
  const named = /^\/(timemap\/link|timegate)\/(https?:\/.+)$/i.exec(pathname);
  if (named !== null) return mementoPath(named[1] ?? '', named[2] ?? '');
  const given = pathname.split('/').slice(1);
  let segments = [...given];
  while (segments.length > 1 && segments.at(-1) === '') segments.pop();
  if (isOfServer(segments) && segments.length < given.length) return pathname;
  // `/accounts/A` is a resource of the server, and `/accounts/A/…` is below `/A`.
  if (segments.length === 2 && segments[0] === 'accounts') return `/${segments.join('/')}`;
  if (segments.length > 1) segments = withoutRoot(segments);
  if (segments[1] === 'repositories' && segments.length > 2) segments.splice(1, 1);
  // GraphDB clients log in below the address of the server. For them that address is the one of an account.
  if (segments[1] === 'rest') segments.splice(0, 1);
  if (segments[0] === 'ops') segments[0] = 'jobs';
  return `/${withExtension(segments).join('/')}`;
}

/** Removes a root before the account. These words are reserved, so no account has such a name. */
function withoutRoot(segments: string[]): string[] {
  const [first, second] = segments;
  const isRoot = first === 'repositories' || first === 'accounts' || first === 'sesame2';
  const below = first === 'system' && second === 'accounts' ? segments.slice(2) : isRoot ? segments.slice(1) : segments;
  // `/repositories/jobs/ID` is a form of the interface.
  const isJobs = first === 'repositories' && second === 'jobs';
  return below !== segments && isOfServer(below) && !isJobs ? segments : below;
}

/** Whether a path is below one of the words that are no accounts. `/repositories` and `/accounts/A/…` lead to accounts. */
const isOfServer = ([first = '', , third]: readonly string[]): boolean =>
  RESERVED_NAMES.has(first.replace(/\..*/, '')) &&
  first !== 'repositories' &&
  (first !== 'accounts' || third === undefined);

/** `/A/R.ttl` is `/A/R/export/ttl`: no name has a dot. */
function withExtension(segments: string[]): readonly string[] {
  const [account = '', file = ''] = segments;
  const match = segments.length === 2 ? /^([^.]+)\.([A-Za-z0-9]+)$/.exec(file) : null;
  return match === null ? segments : [account, match[1] ?? '', 'export', match[2] ?? ''];
}

/** `/timegate/http://host/A/R`, as clients of Memento make it, is `/A/R/timegate/http://host/A/R`. */
function mementoPath(service: string, address: string): string {
  const segments = address.split('/').filter((segment) => segment !== '' && segment !== 'repositories');
  return `/${segments.slice(-2).join('/')}/${service}/${address}`;
}
