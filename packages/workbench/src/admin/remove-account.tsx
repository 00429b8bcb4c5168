/** The dialog that deletes an account. It asks for the name, and apart from that for the repositories. */
import { useState } from 'preact/hooks';
import { getAccount, removeAccount } from '../api/accounts.js';
import { asProblem, type Problem } from '../api/errors.js';
import { adminText } from '../messages/admin.js';
import { status } from '../state/notices.js';
import { readRepositories } from '../state/repository.js';
import { ErrorView, ProblemView } from '../terms/problem-view.js';
import { Dialog, DialogButtons } from '../ui/dialog.js';
import { useLoaded } from '../ui/use-loaded.js';

interface Properties {
  readonly account: string;
  readonly onClose: () => void;
  readonly onRemoved: () => void;
}

export function RemoveAccount({ account, onClose, onRemoved }: Properties) {
  const [typed, setTyped] = useState('');
  const [force, setForce] = useState(false);
  const [problem, setProblem] = useState<Problem | undefined>(undefined);
  const details = useLoaded(() => getAccount(account), [account]);
  const count = details.value?.repository_count ?? 0;
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    try {
      await removeAccount(account, force);
      await readRepositories();
      status.value = adminText.removed(account);
      onRemoved();
    } catch (error) {
      setProblem(asProblem(error));
    }
  };
  const ready = typed === account && details.value !== undefined && (count === 0 || force);
  return (
    <Dialog title={adminText.removeOf(account)} onClose={onClose}>
      <p>{adminText.removeHelp}</p>
      {details.error !== undefined && <ErrorView error={details.error} onRetry={details.again} />}
      <form class="stack" onSubmit={(event) => void submit(event)}>
        {count > 0 && (
          <label class="check-field">
            <input type="checkbox" checked={force} onChange={() => setForce(!force)} />
            <span>{adminText.removeRepositories(count)}</span>
          </label>
        )}
        <label class="field">
          <span>{adminText.typeName(account)}</span>
          <input
            value={typed}
            spellcheck={false}
            autocomplete="off"
            onInput={({ currentTarget: { value } }) => setTyped(value)}
          />
        </label>
        {problem !== undefined && <ProblemView problem={problem} />}
        <DialogButtons submit={adminText.remove} onClose={onClose} danger disabled={!ready} />
      </form>
    </Dialog>
  );
}
