/** The pages, a row each, in the order of the navigation. To add one: a row here, its title in `messages/en.ts`, and its folder, which `app.tsx` loads. */

interface Page {
  /** Whether its address begins with a repository. */
  readonly of: 'repository' | 'server';
  /** Of those that the navigation shows. */
  readonly icon?: string;
  /** The key that leads to it, after `g`. */
  readonly key?: string;
}

const TABLE = {
  repositories: { of: 'server' },
  query: { of: 'repository', icon: 'query', key: 'q' },
  history: { of: 'repository', icon: 'clock', key: 'h' },
  compare: { of: 'repository' },
  branches: { of: 'repository' },
  resource: { of: 'repository' },
  overview: { of: 'repository', icon: 'overview', key: 'o' },
  import: { of: 'repository', icon: 'import', key: 'i' },
  activity: { of: 'server', icon: 'activity', key: 'a' },
  settings: { of: 'repository', icon: 'settings', key: 's' },
  shapes: { of: 'repository' },
  admin: { of: 'server', icon: 'user' },
} as const satisfies Readonly<Record<string, Page>>;

type Table = typeof TABLE;
type NamesOf<Of extends Page['of']> = {
  [Name in keyof Table]: Table[Name]['of'] extends Of ? Name : never;
}[keyof Table];
/** A page of a repository. */
export type PageName = NamesOf<'repository'>;
export type ServerPage = NamesOf<'server'>;

/** Of those that the navigation shows. */
type IconOfPage = Extract<Table[keyof Table], { readonly icon: string }>['icon'];

export const PAGES: Readonly<Record<PageName | ServerPage, Page & { readonly icon?: IconOfPage }>> = TABLE;
const names = Object.keys(PAGES) as (PageName | ServerPage)[];

/** Pages that write, or that tell of a server: a published store has none of them. */
const OF_SERVERS: ReadonlySet<PageName | ServerPage> = new Set(['import', 'settings', 'activity', 'admin']);
export const isPublishable = (name: PageName | ServerPage): boolean => !OF_SERVERS.has(name);

export const isOfServer = (name: PageName | ServerPage): name is ServerPage => PAGES[name].of === 'server';

/** The page that a part of an address names. */
export const pageNamed = (text: string): PageName | ServerPage | undefined => names.find((name) => name === text);

/** The page to which a key leads. */
export const pageOfKey = (key: string): PageName | ServerPage | undefined =>
  names.find((name) => PAGES[name].key === key);

/** What the navigation shows. */
export const NAVIGATION = names.flatMap((name) => {
  const { icon } = PAGES[name];
  return icon === undefined ? [] : [{ name, icon }];
});
