/** Who may read and write besides the owner. Nobody else sees them. */
import { useState } from 'preact/hooks';
import { asProblem } from '../api/errors.js';
import { listCollaborators, removeCollaborator, setCollaborator } from '../api/settings.js';
import { settingsText } from '../messages/settings.js';
import { fail } from '../state/notices.js';
import { repository } from '../state/repository.js';
import { ErrorView } from '../terms/problem-view.js';
import { useLoaded } from '../ui/use-loaded.js';
import { Entries } from './entries.js';

export function Collaborators() {
  const [changes, setChanges] = useState(0);
  const name = repository.value!;
  const collaborators = useLoaded(() => listCollaborators(name), [name, changes]);
  if (collaborators.error !== undefined)
    return asProblem(collaborators.error).status === 403 ? null : (
      <ErrorView error={collaborators.error} onRetry={collaborators.again} />
    );
  if (collaborators.value === undefined) return null;
  const act = (action: Promise<void>): Promise<void> => action.then(() => setChanges((count) => count + 1)).catch(fail);
  const entries = Object.entries(collaborators.value).map(([account, { write }]) => ({
    name: account,
    content: (
      <Rights
        label={settingsText.mayOf(account)}
        writes={write}
        onChange={(now) => void act(setCollaborator(name, account, now))}
      />
    ),
    remove: settingsText.removeCollaborator(account),
    onRemove: () => void act(removeCollaborator(name, account)),
  }));
  return (
    <Entries
      title={settingsText.collaborators}
      help={settingsText.collaboratorsHelp}
      none={settingsText.noCollaborators}
      entries={entries}
    >
      <Add onAdd={(account, write) => act(setCollaborator(name, account, write))} />
    </Entries>
  );
}

interface RightsProperties {
  readonly label: string;
  readonly writes: boolean;
  readonly onChange: (write: boolean) => void;
}

function Rights({ label, writes, onChange }: RightsProperties) {
  return (
    <select
      aria-label={label}
      value={writes ? 'write' : 'read'}
      onChange={({ currentTarget: { value } }) => onChange(value === 'write')}
    >
      <option value="read">{settingsText.mayRead}</option>
      <option value="write">{settingsText.mayWrite}</option>
    </select>
  );
}

function Add({ onAdd }: { readonly onAdd: (account: string, write: boolean) => Promise<void> }) {
  const [account, setAccount] = useState('');
  const [write, setWrite] = useState(false);
  return (
    <form
      class="row"
      onSubmit={(event) => {
        event.preventDefault();
        void onAdd(account.trim(), write).then(() =>
          // The user may write the next one already.
          setAccount((now) => (now === account ? '' : now)),
        );
      }}
    >
      <input
        required
        aria-label={settingsText.collaborator}
        placeholder={settingsText.collaborator}
        class="grow"
        spellcheck={false}
        autocomplete="off"
        maxLength={100}
        value={account}
        onInput={({ currentTarget: { value } }) => setAccount(value)}
      />
      <Rights label={settingsText.mayDo} writes={write} onChange={setWrite} />
      <button type="submit" class="button">
        {settingsText.addCollaborator}
      </button>
    </form>
  );
}
