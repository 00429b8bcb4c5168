/** The tabs of the editor. */
import { useState } from 'preact/hooks';
import { text } from '../messages/en.js';
import { activeTab, closeTab, editTab, openTab, selectTab, type Tab, tabList } from '../state/tabs.js';
import { Icon } from '../ui/icon.js';
import { Dialog, DialogButtons } from '../ui/dialog.js';
import { executionOf, forget, linkTo } from './execution.js';

/** The name that the user gave, else the first comment, else a word. */
export const nameOf = ({ name, text: query }: Tab): string =>
  name || /^\s*#+\s*(.{1,40}?)[.?!]?\s*$/m.exec(query)?.[1] || text.query.untitled;

export function QueryTabs() {
  const select = (id: string): void => {
    selectTab(id);
    const execution = executionOf(activeTab.value);
    // The address of a tab with an answer leads to that answer.
    linkTo(execution?.type === 'query' ? execution.asked.text : undefined);
  };
  const [renamed, setRenamed] = useState<Tab | undefined>(undefined);
  return (
    <div class="query-tabs">
      <div role="tablist" aria-label={text.query.tabs} onKeyDown={(event) => moved(event, select)}>
        {tabList.value.map((tab) => (
          <TabButton
            key={tab.id}
            tab={tab}
            active={tab.id === activeTab.value.id}
            onSelect={select}
            onRename={setRenamed}
          />
        ))}
      </div>
      <button
        type="button"
        class="button quiet square"
        aria-label={text.query.newTab}
        title={text.query.newTab}
        onClick={() => {
          openTab();
          linkTo(undefined);
        }}
      >
        <Icon name="plus" />
      </button>
      {renamed !== undefined && <Rename tab={renamed} onClose={() => setRenamed(undefined)} />}
    </div>
  );
}

interface TabProperties {
  readonly tab: Tab;
  readonly active: boolean;
  readonly onSelect: (id: string) => void;
  readonly onRename: (tab: Tab) => void;
}

/** A list of tabs may hold tabs alone, so the cross is a part of the tab; with the keyboard, Delete closes it. */
function TabButton({ tab, active, onSelect, onRename }: TabProperties) {
  const close = (event: Event): void => {
    event.stopPropagation();
    forget(tab.id);
    closeTab(tab.id);
    focusTab(activeTab.value.id);
  };
  const pressed = (event: KeyboardEvent): void => {
    if (event.key === 'Delete') close(event);
    else if (event.key === 'F2') onRename(tab);
  };
  return (
    <button
      type="button"
      role="tab"
      class="query-tab"
      id={`tab-${tab.id}`}
      aria-selected={active}
      aria-controls="query-panel"
      aria-keyshortcuts="Delete F2"
      tabIndex={active ? 0 : -1}
      onClick={() => onSelect(tab.id)}
      onDblClick={() => onRename(tab)}
      onKeyDown={pressed}
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

function Rename({ tab, onClose }: { readonly tab: Tab; readonly onClose: () => void }) {
  const [name, setName] = useState(nameOf(tab));
  const submit = (event: Event): void => {
    event.preventDefault();
    editTab(tab.id, { name: name.trim() });
    onClose();
  };
  return (
    <Dialog title={text.query.renameTitle} onClose={onClose}>
      <form class="stack" onSubmit={submit}>
        <label class="field">
          <span>{text.query.rename}</span>
          <input value={name} maxLength={80} onInput={({ currentTarget: { value } }) => setName(value)} />
        </label>
        <DialogButtons submit={text.query.renameButton} onClose={onClose} />
      </form>
    </Dialog>
  );
}

/** The tab may be drawn a moment later. */
const focusTab = (id: string): void => void requestAnimationFrame(() => document.getElementById(`tab-${id}`)?.focus());

function moved(event: KeyboardEvent, select: (id: string) => void): void {
  const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
  if (step === 0) return;
  const list = tabList.value;
  const index = list.findIndex(({ id }) => id === activeTab.value.id);
  const next = list[(index + step + list.length) % list.length]!;
  select(next.id);
  focusTab(next.id);
  event.preventDefault();
}
