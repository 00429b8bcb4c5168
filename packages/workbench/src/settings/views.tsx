/** Saved queries of the repository. */
import { useState } from 'preact/hooks';
import { listViews, removeView } from '../api/views.js';
import { settingsText } from '../messages/settings.js';
import { hrefOf, navigate } from '../router.js';
import { fail } from '../state/notices.js';
import { repository } from '../state/repository.js';
import { openTab } from '../state/tabs.js';
import { useLoaded } from '../ui/use-loaded.js';
import { Entries } from './entries.js';

export function Views() {
  const [changes, setChanges] = useState(0);
  const name = repository.value!;
  const views = useLoaded(() => listViews(name), [name, changes]);
  const entries = (views.value ?? []).map(({ name: view, query }) => ({
    name: view,
    content: (
      <button
        type="button"
        class="button small"
        aria-label={settingsText.openView(view)}
        onClick={() => {
          openTab(query, view);
          navigate(hrefOf('query', name));
        }}
      >
        {settingsText.open}
      </button>
    ),
    remove: settingsText.removeView(view),
    onRemove: () => void removeView(name, view).then(() => setChanges((count) => count + 1), fail),
  }));
  return (
    <Entries title={settingsText.views} help={settingsText.viewsHelp} none={settingsText.noViews} entries={entries} />
  );
}
