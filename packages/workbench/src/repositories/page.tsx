/** The list of repositories. */
import { useEffect, useState } from 'preact/hooks';
import { asProblem, type Problem } from '../api/errors.js';
import { createRepository, type RepositoryRecord } from '../api/repositories.js';
import { ago, number, text } from '../messages/en.js';
import { hrefOf, navigate } from '../router.js';
import { loadExample } from '../state/example.js';
import { fail } from '../state/notices.js';
import { readRepositories, repositories } from '../state/repository.js';
import { isReadOnly, user } from '../state/session.js';
import { ProblemView } from '../terms/problem-view.js';
import { Dialog, DialogButtons } from '../ui/dialog.js';
import { Icon } from '../ui/icon.js';

export function RepositoriesPage() {
  const [creating, setCreating] = useState(false);
  const list = repositories.value;
  const mayCreate = user.value?.readOnly !== true && !isReadOnly.value;
  // Others, and other pages, have changed them since.
  useEffect(() => {
    const read = (): void => void (document.hidden || readRepositories());
    read();
    document.addEventListener('visibilitychange', read);
    return () => document.removeEventListener('visibilitychange', read);
  }, []);
  return (
    <div class="column">
      <div class="title-row">
        <div>
          <h1>{text.repositories.title}</h1>
          {!isReadOnly.value && <p class="muted">{text.repositories.lead}</p>}
        </div>
        {mayCreate && list !== undefined && list.length > 0 && (
          <div class="row">
            {!list.some(({ repository_id: id }) => id.endsWith(`/${EXAMPLE}`)) && <Example />}
            <CreateButton onClick={() => setCreating(true)} />
          </div>
        )}
      </div>
      {list === undefined ? (
        <p class="loading">{text.loading}</p>
      ) : list.length === 0 ? (
        <div class="empty">
          <h2>{text.repositories.none}</h2>
          {mayCreate && <p class="muted">{text.repositories.noneHelp}</p>}
          {mayCreate && (
            <div class="row empty-actions">
              <Example primary />
              <CreateButton onClick={() => setCreating(true)} quiet />
            </div>
          )}
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

function CreateButton({ onClick, quiet = false }: { readonly onClick: () => void; readonly quiet?: boolean }) {
  return (
    <button type="button" class={quiet ? 'button' : 'button primary'} onClick={onClick}>
      <Icon name="plus" />
      {text.repositories.create}
    </button>
  );
}

const EXAMPLE = 'solar-system';

/** Whose repositories the user makes. */
function ownAccount(): string {
  const [first] = (repositories.value ?? []).map(({ repository_id: id }) => id.split('/')[0]!);
  return user.value?.account ?? first ?? 'demo';
}

/** Makes a repository with the solar system, and goes there: the shortest way to an answer and to the timeline. */
function Example({ primary = false }: { readonly primary?: boolean }) {
  const [loading, setLoading] = useState(false);
  const load = async (): Promise<void> => {
    setLoading(true);
    try {
      const id = await createRepository(ownAccount(), EXAMPLE);
      await loadExample(id);
      await readRepositories();
      navigate(hrefOf('query', id));
    } catch (error) {
      setLoading(false);
      fail(error);
    }
  };
  return (
    <button type="button" class={primary ? 'button primary' : 'button'} disabled={loading} onClick={() => void load()}>
      {loading ? text.loading : text.empty.example}
    </button>
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
  const account = ownAccount();
  const [problem, setProblem] = useState<Problem | undefined>(undefined);
  const [name, setName] = useState('');
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    try {
      const id = await createRepository(account, name);
      await readRepositories();
      onClose();
      navigate(hrefOf('query', id));
    } catch (error) {
      setProblem(asProblem(error));
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
        {problem !== undefined && <ProblemView problem={problem} />}
        <DialogButtons submit={text.repositories.createButton} onClose={onClose} />
      </form>
    </Dialog>
  );
}
