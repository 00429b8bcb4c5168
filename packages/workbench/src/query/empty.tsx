/** What a repository without statements offers. */
import { useState } from 'preact/hooks';
import { text } from '../messages/en.js';
import { hrefOf } from '../router.js';
import { loadExample } from '../state/example.js';
import { fail } from '../state/notices.js';
import { place, repository } from '../state/repository.js';
import { isReadOnly } from '../state/session.js';
import { head, revisions } from '../state/revision.js';
import { activeTab, openTab } from '../state/tabs.js';
import { runQuery } from './execution.js';

/** Shown until something was ever said; later the timeline tells more. */
export const isNew = (): boolean => revisions.value.length === 1 && head.value?.size === 0;

const INSERT = `PREFIX ex: <http://example.org/>

INSERT DATA {
  ex:alice a ex:Person ; ex:name "Alice"
}`;

export function EmptyRepository() {
  const [loading, setLoading] = useState(false);
  const load = async (): Promise<void> => {
    const here = place.value;
    setLoading(true);
    try {
      await loadExample(repository.value!);
      if (place.value === here) runQuery(activeTab.value);
    } catch (error) {
      setLoading(false);
      fail(error);
    }
  };
  return (
    <div class="empty">
      <h2>{text.empty.title}</h2>
      {!isReadOnly.value && <Offers loading={loading} onLoad={() => void load()} />}
    </div>
  );
}

function Offers({ loading, onLoad }: { readonly loading: boolean; readonly onLoad: () => void }) {
  return (
    <>
      <p class="muted">{text.empty.help}</p>
      <div class="row empty-actions">
        <button type="button" class="button primary" disabled={loading} onClick={onLoad}>
          {loading ? text.loading : text.empty.example}
        </button>
        <a class="button" href={hrefOf('import', repository.value)}>
          {text.empty.import}
        </a>
        <button type="button" class="button" onClick={() => openTab(INSERT)}>
          {text.empty.insert}
        </button>
      </div>
    </>
  );
}
