/** The tabs of the editor. */
import { text } from '../messages/en.js';
import { replaceParameters } from '../router.js';
import { activeTab, closeTab, editTab, openTab, selectTab, type Tab, tabList } from '../state/tabs.js';
import { Icon } from '../ui/icon.js';
import { forget } from './execution.js';

/** The name that the user gave, else the first comment, else a word. */
export const nameOf = ({ name, text: query }: Tab): string =>
  name || /^\s*#+\s*(.{1,40}?)[.?!]?\s*$/m.exec(query)?.[1] || text.query.untitled;

export function QueryTabs() {
  const select = (id: string): void => {
    selectTab(id);
    replaceParameters({ q: undefined });
  };
  return (
    <div class="query-tabs">
      <div role="tablist" aria-label={text.query.tabs} onKeyDown={(event) => moved(event, select)}>
        {tabList.value.map((tab) => (
          <TabButton key={tab.id} tab={tab} active={tab.id === activeTab.value.id} onSelect={select} />
        ))}
      </div>
      <button
        type="button"
        class="button quiet square"
        aria-label={text.query.newTab}
        title={text.query.newTab}
        onClick={() => {
          openTab();
          replaceParameters({ q: undefined });
        }}
      >
        <Icon name="plus" />
      </button>
    </div>
  );
}

interface TabProperties {
  readonly tab: Tab;
  readonly active: boolean;
  readonly onSelect: (id: string) => void;
}

/** A list of tabs may hold tabs alone, so the cross is a part of the tab; with the keyboard, Delete closes it. */
function TabButton({ tab, active, onSelect }: TabProperties) {
  const close = (event: Event): void => {
    event.stopPropagation();
    forget(tab.id);
    closeTab(tab.id);
  };
  return (
    <button
      type="button"
      role="tab"
      class="query-tab"
      id={`tab-${tab.id}`}
      aria-selected={active}
      aria-controls="query-panel"
      aria-keyshortcuts="Delete"
      tabIndex={active ? 0 : -1}
      onClick={() => onSelect(tab.id)}
      onDblClick={() => rename(tab)}
      onKeyDown={(event) => event.key === 'Delete' && close(event)}
    >
      <span class="query-tab-name">{nameOf(tab)}</span>
      {active && (
        <span class="query-tab-close" aria-hidden="true" title={text.query.closeTab(nameOf(tab))} onClick={close}>
          <Icon name="close" />
        </span>
      )}
    </button>
  );
}

function rename(tab: Tab): void {
  const name = prompt(text.query.rename, nameOf(tab));
  if (name !== null) editTab(tab.id, { name: name.trim() });
}

function moved(event: KeyboardEvent, select: (id: string) => void): void {
  const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
  if (step === 0) return;
  const list = tabList.value;
  const index = list.findIndex(({ id }) => id === activeTab.value.id);
  const next = list[(index + step + list.length) % list.length]!;
  select(next.id);
  requestAnimationFrame(() => document.getElementById(`tab-${next.id}`)?.focus());
  event.preventDefault();
}
