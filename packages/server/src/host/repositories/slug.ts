/** The identifier of a repository in paths, made from its name, and the reserved words. */

/**
 * Words that have a meaning in paths, or will have one. No new repository and no new account can have such a name.
 * Existing ones stay reachable.
 */
export const RESERVED_NAMES: ReadonlySet<string> = new Set(
  (
    'repositories protocol revisions diff history changes refs views tpf jobs ops rpc system accounts meta sparql service ' +
    'statements size status contexts namespaces timemap timegate rdf-graphs transactions collaborators health metrics ' +
    'openapi workbench queries sesame2 rest session ready backup tokens blame branches terms schema parse live ldes fork ' +
    'digest erase settings audit servers mcp'
  ).split(' '),
);

const SLUG = /^[a-z0-9_][a-z0-9_-]{0,99}$/;
const MAX_SLUG_LENGTH = 100;

/** Whether a text can name an account or a repository in a path. */
export function isSlug(text: string): boolean {
  return SLUG.test(text) && !RESERVED_NAMES.has(text);
}

/**
 * The slug of a name: in lower case, without diacritics, and with one `-` for each run of characters other than `a-z 0-9 _ -`.
 * If no character is left, the slug is `repository-` and a hash, so that names in every script are possible.
 */
export function slugOf(name: string): string {
  const slug = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, MAX_SLUG_LENGTH)
    .replace(/-+$/, '');
  return slug === '' ? `repository-${hash(name)}` : slug;
}

/** FNV-1a over UTF-16 code units, eight hexadecimal digits. */
function hash(text: string): string {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  return (value >>> 0).toString(16).padStart(8, '0');
}
