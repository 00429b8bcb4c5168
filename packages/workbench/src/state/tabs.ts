/** The tabs of the editor. They survive reloads; answers do not. */
import { computed, effect, signal } from '@preact/signals';
import { text } from '../messages/en.js';
import { repository } from './repository.js';
import { store, stored } from './preferences.js';
import { published } from './session.js';

export interface Tab {
  readonly id: string;
  readonly name: string;
  readonly text: string;
}

interface Tabs {
  readonly list: readonly Tab[];
  readonly active: string;
}

/** What a new visitor finds: it fits every repository, and its answer shows what changes between revisions. */
export const DEFAULT_QUERY = `${text.firstQuery}
SELECT ?class (COUNT(DISTINCT ?thing) AS ?things) {
  ?thing a ?class
}
GROUP BY ?class
ORDER BY DESC(?things)`;

/** The same for a published store, which answers it without reading statements. */
const PUBLISHED_QUERY = `${text.firstPublishedQuery}
SELECT ?property (COUNT(*) AS ?statements) {
  ?thing ?property ?value
}
GROUP BY ?property
ORDER BY DESC(?statements)`;

export const defaultQuery = (): string => (published.value === undefined ? DEFAULT_QUERY : PUBLISHED_QUERY);

const byRepository = signal<Readonly<Record<string, Tabs>>>({});
let count = 0;
const newId = (): string => `${Date.now().toString(36)}${(count++).toString(36)}`;

function fresh(text = defaultQuery(), name = ''): Tabs {
  const tab = { id: newId(), name, text };
  return { list: [tab], active: tab.id };
}

/** Before the user has changed anything. Answers are kept by the id of a tab, so that no two repositories may share one. */
function untouched(repository: string): Tabs {
  const id = `first-${repository}`;
  return { list: [{ id, name: '', text: defaultQuery() }], active: id };
}

const current = computed<Tabs>(() => {
  const name = repository.value ?? '';
  return byRepository.value[name] ?? untouched(name);
});

export const tabList = computed(() => current.value.list);
export const activeTab = computed(
  () => current.value.list.find(({ id }) => id === current.value.active) ?? current.value.list[0]!,
);

function change(make: (tabs: Tabs) => Tabs): void {
  const name = repository.value;
  if (name === undefined) return;
  byRepository.value = { ...byRepository.value, [name]: make(current.value) };
}

export const selectTab = (id: string): void => change((tabs) => ({ ...tabs, active: id }));

/** Opens a text; a tab that has it already is selected. */
export function openTab(text?: string, name = ''): void {
  change((tabs) => {
    const same = text === undefined ? undefined : tabs.list.find((tab) => tab.text === text);
    if (same !== undefined) return { ...tabs, active: same.id };
    const { list, active } = fresh(text, name);
    const isUntouched = tabs.list.length === 1 && tabs.list[0]!.text === defaultQuery() && text !== undefined;
    return { list: isUntouched ? list : [...tabs.list, ...list], active };
  });
}

export function closeTab(id: string): void {
  change((tabs) => {
    const index = tabs.list.findIndex((tab) => tab.id === id);
    const list = tabs.list.filter((tab) => tab.id !== id);
    if (list.length === 0) return fresh();
    return { list, active: tabs.active === id ? list[Math.min(index, list.length - 1)]!.id : tabs.active };
  });
}

export function editTab(id: string, changes: Partial<Pick<Tab, 'text' | 'name'>>): void {
  change((tabs) => ({ ...tabs, list: tabs.list.map((tab) => (tab.id === id ? { ...tab, ...changes } : tab)) }));
}

/** Called once by the page. */
export function startTabs(): void {
  // Published stores of one host may have repositories of the same name.
  const name = published.value === undefined ? 'tabs' : `tabs ${published.value}`;
  byRepository.value = withOwnIds(stored<Readonly<Record<string, Tabs>>>(name, {}));
  effect(() => store(name, byRepository.value));
}

/** Earlier versions of the page gave the first tab of each repository the same id. */
function withOwnIds(stored: Readonly<Record<string, Tabs>>): Readonly<Record<string, Tabs>> {
  const own = (name: string, id: string): string => (id === 'first' ? `first-${name}` : id);
  return Object.fromEntries(
    Object.entries(stored).map(([name, { list, active }]) => [
      name,
      { list: list.map((tab) => ({ ...tab, id: own(name, tab.id) })), active: own(name, active) },
    ]),
  );
}
