/** Undoes a revision by a new one, after showing what that changes. */
import { useEffect, useState } from 'preact/hooks';
import { asProblem, type Problem } from '../api/errors.js';
import { previewRevert, readDiff, revert, type RevisionRecord } from '../api/revisions.js';
import { number, text } from '../messages/en.js';
import { status } from '../state/notices.js';
import { repository } from '../state/repository.js';
import { hrefOf } from '../router.js';
import { head, readRevisions } from '../state/revision.js';
import { hasFeature } from '../state/session.js';
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
  // The preview holds for the revision that the user knows as the current one.
  const [known, setKnown] = useState(head.value);
  const preview = useLoaded(
    (signal) =>
      hasFeature('revert-preview')
        ? previewRevert(repository.value!, revision.uuid, MOST_SHOWN, signal)
        : readDiff(repository.value!, String(ordinal), String(ordinal - 1), MOST_SHOWN, signal),
    [ordinal, known?.uuid],
  );
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    setProblem(undefined);
    try {
      await revert(repository.value!, revision.uuid, message, known?.uuid);
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
      {preview.error !== undefined && <ErrorView error={preview.error} onRetry={preview.again} />}
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
        {problem !== undefined && <Refused problem={problem} known={known} onKnown={setKnown} />}
        <DialogButtons submit={text.history.revert} onClose={onClose} />
      </form>
    </Dialog>
  );
}

interface RefusedProperties {
  readonly problem: Problem;
  readonly known: RevisionRecord | undefined;
  readonly onKnown: (head: RevisionRecord | undefined) => void;
}

/** Where another revision came first, the user can look at it, and go on with what it made. */
function Refused({ problem, known, onKnown }: RefusedProperties) {
  useEffect(() => {
    if (problem.status === 412) void readRevisions().then(() => onKnown(head.value));
  }, [problem]);
  const [before] = useState(known?.ordinal ?? 1);
  const now = head.value?.ordinal ?? before;
  if (problem.status !== 412) return <ProblemView problem={problem} />;
  return (
    <div class="problem" role="alert">
      <p class="problem-message">{text.history.cameBetween(now - before)}</p>
      <a
        class="button"
        target="_blank"
        rel="noopener"
        href={hrefOf('compare', repository.value, { from: String(before), to: String(now) })}
      >
        {text.history.showBetween}
      </a>
    </div>
  );
}
