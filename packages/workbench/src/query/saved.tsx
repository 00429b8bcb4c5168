/** Saved queries: the views of the repository. */
import { useState } from 'preact/hooks';
import { asProblem, type Problem } from '../api/errors.js';
import { listViews, saveView } from '../api/views.js';
import { text } from '../messages/en.js';
import { isReadOnly } from '../state/session.js';
import { status } from '../state/notices.js';
import { repository } from '../state/repository.js';
import { activeTab, editTab, openTab } from '../state/tabs.js';
import { ProblemView } from '../terms/problem-view.js';
import { Dialog, DialogButtons } from '../ui/dialog.js';
import { Icon } from '../ui/icon.js';
import { Menu } from '../ui/menu.js';
import { useLoaded } from '../ui/use-loaded.js';
import { nameOf } from './query-tabs.js';

export function Saved({ saving, onSaving }: { readonly saving: boolean; readonly onSaving: (on: boolean) => void }) {
  const [changes, setChanges] = useState(0);
  const views = useLoaded(() => listViews(repository.value!), [repository.value, changes]);
  const commands = (views.value ?? []).map(({ name, query }) => ({ label: name, run: () => openTab(query, name) }));
  return (
    <>
      {!isReadOnly.value && (
        <button type="button" class="button quiet" onClick={() => onSaving(true)}>
          {text.query.save}
        </button>
      )}
      {commands.length > 0 && (
        <Menu label={text.query.saved} class="button quiet" commands={commands}>
          {text.query.saved}
          <Icon name="down" />
        </Menu>
      )}
      {saving && !isReadOnly.value && (
        <SaveDialog
          onClose={() => onSaving(false)}
          onSaved={() => {
            onSaving(false);
            setChanges(changes + 1);
          }}
        />
      )}
    </>
  );
}

const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60);

function SaveDialog({ onClose, onSaved }: { readonly onClose: () => void; readonly onSaved: () => void }) {
  const tab = activeTab.value;
  const [name, setName] = useState(slugOf(tab.name || nameOf(tab)));
  const [problem, setProblem] = useState<Problem | undefined>(undefined);
  const save = async (event: Event): Promise<void> => {
    event.preventDefault();
    try {
      await saveView(repository.value!, name, tab.text);
      editTab(tab.id, { name });
      status.value = text.query.savedAs(name);
      onSaved();
    } catch (error) {
      setProblem(asProblem(error));
    }
  };
  return (
    <Dialog title={text.query.saveTitle} onClose={onClose}>
      <p>{text.query.saveHelp}</p>
      <form class="stack" onSubmit={(event) => void save(event)}>
        <label class="field">
          <span>{text.repositories.name}</span>
          <input
            required
            pattern="[a-z0-9_\-]+"
            value={name}
            spellcheck={false}
            onInput={({ currentTarget: { value } }) => setName(value)}
          />
        </label>
        {problem !== undefined && <ProblemView problem={problem} />}
        <DialogButtons submit={text.query.save} onClose={onClose} />
      </form>
    </Dialog>
  );
}
