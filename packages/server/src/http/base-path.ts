/** A server below a path of its host, such as `/rdf`. */

const BASE = /^(?:\/(?!\.{1,2}(?:\/|$))[\w~.-]+)+$/;

/** The path without a slash at the end; empty for the root. `undefined` for what can be no base path. */
export function basePathOf(text: string): string | undefined {
  const path = text.replace(/\/+$/, '');
  return path === '' || BASE.test(path) ? path : undefined;
}

/** The rest of a path below the base, with a slash in front; `undefined` for a path outside. */
export function belowBase(base: string, path: string): string | undefined {
  if (base === '') return path;
  if (!path.startsWith(base)) return undefined;
  const rest = path.slice(base.length);
  if (rest === '' || rest.startsWith('?')) return `/${rest}`;
  return rest.startsWith('/') ? rest : undefined;
}
