/** The list of repositories. */
import { useState } from 'preact/hooks';
import { createRepository, type RepositoryRecord } from '../api/repositories.js';
import { ago, number, text } from '../messages/en.js';
import { hrefOf, navigate } from '../router.js';
import { fail } from '../state/notices.js';
import { readRepositories, repositories } from '../state/repository.js';
import { user } from '../state/session.js';
import { Dialog, DialogButtons } from '../ui/dialog.js';
import { Icon } from '../ui/icon.js';

export function RepositoriesPage() {
  const [creating, setCreating] = useState(false);
  const list = repositories.value;
  return (
    <div class="column">
      <div class="title-row">
        <div>
          <h1>{text.repositories.title}</h1>
          <p class="muted">{text.repositories.lead}</p>
        </div>
        <button type="button" class="button primary" onClick={() => setCreating(true)}>
          <Icon name="plus" />
          {text.repositories.create}
        </button>
      </div>
      {list === undefined ? (
        <p class="loading">{text.loading}</p>
      ) : list.length === 0 ? (
        <div class="empty">
          <h2>{text.repositories.none}</h2>
          <p class="muted">{text.repositories.noneHelp}</p>
        </div>
      ) : (
        <ul class="cards">
          {list.map((record) => (
            <Card key={record.repository_id} record={record} />
          ))}
        </ul>
      )}
      {creating && <Create onClose={() => setCreating(false)} />}
    </div>
  );
}

function Card({ record }: { readonly record: RepositoryRecord }) {
  const { repository_id: id, summary, triple_count: size, updated } = record;
  const [account = '', name = ''] = id.split('/');
  return (
    <li class="card">
      <a href={hrefOf('query', id)}>
        <span class="card-title">
          <span class="muted">{account}/</span>
          {name}
        </span>
        {summary !== null && summary !== '' && <span class="card-text">{summary}</span>}
        <span class="card-facts">
          <strong>{number(size)}</strong> {text.statements(size).replace(/^\S+ /, '')}
          <span class="muted"> · {text.repositories.changed(ago(updated))}</span>
        </span>
      </a>
    </li>
  );
}

function Create({ onClose }: { readonly onClose: () => void }) {
  const accounts = new Set((repositories.value ?? []).map(({ repository_id: id }) => id.split('/')[0]!));
  const [first] = accounts;
  const account = user.value?.account ?? first ?? 'default';
  const [name, setName] = useState('');
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    try {
      const id = await createRepository(account, name);
      await readRepositories();
      onClose();
      navigate(hrefOf('query', id));
    } catch (error) {
      onClose();
      fail(error);
    }
  };
  return (
    <Dialog title={text.repositories.create} onClose={onClose}>
      <form class="stack" onSubmit={(event) => void submit(event)}>
        <label class="field">
          <span>{text.repositories.name}</span>
          <span class="prefixed">
            <span class="muted">{account}/</span>
            <input
              required
              value={name}
              spellcheck={false}
              onInput={({ currentTarget: { value } }) => setName(value)}
            />
          </span>
        </label>
        <DialogButtons submit={text.repositories.createButton} onClose={onClose} />
      </form>
    </Dialog>
  );
}
