/** Undoes a revision by a new one, after showing what that changes. */
import { useState } from 'preact/hooks';
import { asProblem, type Problem } from '../api/errors.js';
import { readDiff, revert, type RevisionRecord } from '../api/revisions.js';
import { number, text } from '../messages/en.js';
import { status } from '../state/notices.js';
import { repository } from '../state/repository.js';
import { readRevisions } from '../state/revision.js';
import { Changes } from './changes.js';
import { ErrorView, ProblemView } from './problem-view.js';
import { Dialog, DialogButtons } from '../ui/dialog.js';
import { useLoaded } from '../ui/use-loaded.js';

const MOST_SHOWN = 500;

interface Properties {
  readonly revision: RevisionRecord;
  readonly onClose: () => void;
  readonly onReverted?: () => void;
}

export function RevertDialog({ revision, onClose, onReverted }: Properties) {
  const { ordinal, message: undone } = revision;
  const [message, setMessage] = useState(text.query.undone(undone ?? text.history.option(ordinal, undefined)));
  const [problem, setProblem] = useState<Problem | undefined>(undefined);
  const preview = useLoaded(
    (signal) => readDiff(repository.value!, String(ordinal), String(ordinal - 1), MOST_SHOWN, signal),
    [ordinal],
  );
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    try {
      await revert(repository.value!, revision.uuid, message);
      await readRevisions();
      status.value = text.history.reverted(ordinal);
      onReverted?.();
      onClose();
    } catch (error) {
      setProblem(asProblem(error));
    }
  };
  return (
    <Dialog title={text.history.revertTitle(ordinal)} onClose={onClose} wide>
      <p>{text.history.revertHelp}</p>
      {preview.error !== undefined && <ErrorView error={preview.error} />}
      {preview.value === undefined ? (
        <p class="loading">{text.loading}</p>
      ) : (
        <div class="preview" tabIndex={0} role="group" aria-label={text.history.preview}>
          <p class="muted">{text.history.wouldChange(number(preview.value.changes.length))}</p>
          <Changes {...preview.value} />
        </div>
      )}
      <form class="stack" onSubmit={(event) => void submit(event)}>
        <label class="field">
          <span>{text.query.message}</span>
          <input value={message} onInput={({ currentTarget: { value } }) => setMessage(value)} />
        </label>
        {problem !== undefined && <ProblemView problem={problem} />}
        <DialogButtons submit={text.history.revert} onClose={onClose} />
      </form>
    </Dialog>
  );
}
