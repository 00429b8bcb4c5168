/** The path forms of the interface, folded into one: `/A/R/…`, `/A/repositories` and nothing else reaches the routes. */

/** Words that stand in paths and can therefore name neither a repository nor an account. */
export const RESERVED_NAMES: ReadonlySet<string> = new Set(
  (
    'repositories protocol revisions diff history changes refs views tpf jobs ops rpc system accounts meta sparql service ' +
    'statements size status contexts namespaces timemap timegate rdf-graphs transactions collaborators health metrics ' +
    'openapi workbench'
  ).split(' '),
);

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
