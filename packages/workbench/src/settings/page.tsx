/** The settings of a repository. */
import { useState } from 'preact/hooks';
import { deleteRepository, getRepository, type RepositoryRecord } from '../api/repositories.js';
import { type RepositoryFields, saveFields } from '../api/settings.js';
import { text } from '../messages/en.js';
import { hrefOf, navigate } from '../router.js';
import { fail, status } from '../state/notices.js';
import { readRepositories, repository } from '../state/repository.js';
import { hasFeature } from '../state/session.js';
import { ErrorView } from '../terms/problem-view.js';
import { Dialog, DialogButtons } from '../ui/dialog.js';
import { Icon } from '../ui/icon.js';
import { useLoaded } from '../ui/use-loaded.js';
import { Collaborators } from './collaborators.js';
import { Maintenance } from './maintenance.js';
import { Namespaces } from './namespaces.js';
import { Removal } from './removal.js';
import { Rules } from './rules.js';
import { Tags } from './tags.js';
import { Views } from './views.js';

export function SettingsPage() {
  const record = useLoaded(() => getRepository(repository.value!), [repository.value]);
  return (
    <div class="column">
      <h1>{text.pages.settings}</h1>
      {record.error !== undefined && <ErrorView error={record.error} onRetry={record.again} />}
      {record.value !== undefined && <Fields record={record.value} />}
      <Rules />
      <Tags />
      <Namespaces />
      <Views />
      {hasFeature('accounts') && <Collaborators />}
      {record.value !== undefined && <Maintenance record={record.value} />}
      <Removal />
      <Danger />
    </div>
  );
}

function Fields({ record }: { readonly record: RepositoryRecord }) {
  const [fields, setFields] = useState<RepositoryFields>({
    summary: record.summary ?? '',
    description: record.description ?? '',
    homepage: record.homepage ?? '',
    privacy: record.privacy,
  });
  const set = (name: keyof RepositoryFields, value: string): void => setFields({ ...fields, [name]: value });
  const save = async (event: Event): Promise<void> => {
    event.preventDefault();
    try {
      await saveFields(repository.value!, fields);
      status.value = text.settings.saved;
      await readRepositories();
    } catch (error) {
      fail(error);
    }
  };
  return (
    <form class="block stack" onSubmit={(event) => void save(event)}>
      <h2>{text.settings.about}</h2>
      {(['summary', 'homepage'] as const).map((name) => (
        <label key={name} class="field">
          <span>{text.settings.fields[name]}</span>
          <input value={fields[name]} onInput={({ currentTarget: { value } }) => set(name, value)} />
        </label>
      ))}
      <label class="field">
        <span>{text.settings.fields.description}</span>
        <textarea
          rows={4}
          value={fields.description}
          onInput={({ currentTarget: { value } }) => set('description', value)}
        />
      </label>
      {hasFeature('accounts') && <Privacy value={fields.privacy} onChange={(value) => set('privacy', value)} />}
      <div class="row end">
        <span class="muted">{status.value === text.settings.saved ? text.settings.saved : ''}</span>
        <button type="submit" class="button primary">
          {text.settings.save}
        </button>
      </div>
    </form>
  );
}

interface PrivacyProperties {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function Privacy({ value: current, onChange }: PrivacyProperties) {
  return (
    <label class="field">
      <span>{text.settings.fields.privacy}</span>
      <select value={current} onChange={({ currentTarget: { value } }) => onChange(value)}>
        {(['private', 'authenticated', 'public'] as const).map((name) => (
          <option key={name} value={name}>
            {text.settings.privacies[name]}
          </option>
        ))}
      </select>
    </label>
  );
}

function Danger() {
  const [asking, setAsking] = useState(false);
  const [typed, setTyped] = useState('');
  const name = repository.value!;
  const remove = async (event: Event): Promise<void> => {
    event.preventDefault();
    try {
      await deleteRepository(name);
      await readRepositories();
      navigate(hrefOf('repositories'));
    } catch (error) {
      setAsking(false);
      fail(error);
    }
  };
  return (
    <section class="block" aria-label={text.settings.remove}>
      <h2>{text.settings.remove}</h2>
      <p class="muted">{text.settings.removeHelp}</p>
      <button type="button" class="button danger" onClick={() => setAsking(true)}>
        <Icon name="trash" />
        {text.settings.remove}
      </button>
      {asking && (
        <Dialog title={text.settings.removeTitle(name)} onClose={() => setAsking(false)}>
          <form class="stack" onSubmit={(event) => void remove(event)}>
            <label class="field">
              <span>{text.settings.typeName(name)}</span>
              <input
                value={typed}
                spellcheck={false}
                autocomplete="off"
                onInput={({ currentTarget: { value } }) => setTyped(value)}
              />
            </label>
            <DialogButtons
              submit={text.settings.remove}
              onClose={() => setAsking(false)}
              danger
              disabled={typed !== name}
            />
          </form>
        </Dialog>
      )}
    </section>
  );
}
