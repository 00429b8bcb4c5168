/** The address of a page stands in the fragment, so that it works below any prefix, and queries stay out of logs. */
import { computed, signal } from '@preact/signals';
import { isOfServer, type PageName, pageNamed, type ServerPage } from './pages.js';

export type { PageName, ServerPage } from './pages.js';

export interface Route {
  readonly page: PageName | ServerPage;
  /** `account/repository`; undefined on pages of the server. */
  readonly repository: string | undefined;
  readonly parameters: Readonly<Record<string, string>>;
}

/** The route of a fragment, with or without `#`. An address that is none leads to the list of repositories. */
export function parseRoute(fragment: string): Route {
  const opened = /^#?open=(.+)$/.exec(fragment)?.[1];
  if (opened !== undefined)
    return { page: 'repositories', repository: undefined, parameters: { open: placeOf(opened) } };
  const text = fragment.replace(/^#?\/?/, '');
  const mark = text.indexOf('?');
  const parts = (mark < 0 ? text : text.slice(0, mark)).split('/').filter((part) => part !== '');
  const parameters = Object.fromEntries(new URLSearchParams(mark < 0 ? '' : text.slice(mark + 1)));
  const [account, name, third = 'query', part] = parts.map(decoded);
  if (account === undefined) return { page: 'repositories', repository: undefined, parameters };
  if (name === undefined) {
    const named = pageNamed(account);
    const page = named !== undefined && isOfServer(named) ? named : 'repositories';
    return { page, repository: undefined, parameters };
  }
  const repository = `${account}/${name}`;
  if (third === 'history' && part === 'compare') return { page: 'compare', repository, parameters };
  const named = third === 'compare' ? undefined : pageNamed(third);
  return { page: named === undefined || isOfServer(named) ? 'query' : named, repository, parameters };
}

/** People write addresses as they are, programs encode them. */
const placeOf = (text: string): string => (/^https?:/i.test(text) ? text : decoded(text));

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/**
 * The fragment of a route, with `#`. Parameters that are undefined are left out. Within a repository the branch of the address stays, and
 * everywhere the address of the published store that is shown.
 */
export function hrefOf(
  page: PageName | ServerPage,
  repository?: string,
  parameters: Readonly<Record<string, string | undefined>> = {},
): string {
  const { open, branch: own } = route.value.parameters;
  const branch = repository !== undefined && repository === route.value.repository ? own : undefined;
  const given = Object.entries({ open, branch, ...parameters }).filter(
    (each): each is [string, string] => each[1] !== undefined,
  );
  const query = given.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
  const path =
    repository === undefined
      ? page === 'repositories'
        ? ''
        : page
      : `${repository}/${page === 'compare' ? 'history/compare' : page}`;
  return `#/${path}${query === '' ? '' : `?${query}`}`;
}

const fragment = signal(typeof location === 'undefined' ? '' : location.hash);

/** Where the user is. */
export const route = computed(() => parseRoute(fragment.value));

/** Follows the address bar. Called once by the page. */
export function startRouter(): void {
  addEventListener('hashchange', () => (fragment.value = location.hash));
}

/** Goes to a page, as if a link was followed. The event comes later, and nothing is shown of both pages meanwhile. */
export function navigate(href: string): void {
  location.hash = href;
  fragment.value = location.hash;
}

/** Changes parameters of the current address without a new entry in the history of the browser. */
export function replaceParameters(changes: Readonly<Record<string, string | undefined>>): void {
  const { page, repository, parameters } = route.value;
  const href = hrefOf(page, repository, { ...parameters, ...changes });
  if (href === fragment.value) return;
  history.replaceState(null, '', href);
  fragment.value = href;
}
