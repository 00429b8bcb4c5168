/** Repeats the changes of a revision of another branch on the one that is shown, after showing what it changed there. */
import { useState } from 'preact/hooks';
import { cherryPick } from '../api/branches.js';
import { asProblem, type Problem } from '../api/errors.js';
import { readDiff, type RevisionRecord } from '../api/revisions.js';
import { text } from '../messages/en.js';
import { logText } from '../messages/log.js';
import { branchName, readBranches } from '../state/branch.js';
import { status } from '../state/notices.js';
import { repository } from '../state/repository.js';
import { readRevisions } from '../state/revision.js';
import { Changes } from '../terms/changes.js';
import { ErrorView, ProblemView } from '../terms/problem-view.js';
import { Dialog, DialogButtons } from '../ui/dialog.js';
import { useLoaded } from '../ui/use-loaded.js';

const MOST_SHOWN = 500;

interface Properties {
  readonly revision: RevisionRecord;
  /** How it is called here. */
  readonly name: string;
  readonly onClose: () => void;
}

export function PickDialog({ revision, name, onClose }: Properties) {
  const { uuid, predecessor } = revision;
  const [message, setMessage] = useState(revision.message ?? '');
  const [side, setSide] = useState<'ours' | 'theirs' | undefined>(undefined);
  const [problem, setProblem] = useState<Problem | undefined>(undefined);
  const [working, setWorking] = useState(false);
  const changes = useLoaded(
    (signal) => readDiff(repository.value!, predecessor!, uuid, MOST_SHOWN, signal),
    [uuid, predecessor],
  );
  const send = async (event: Event): Promise<void> => {
    event.preventDefault();
    setWorking(true);
    setProblem(undefined);
    try {
      const { ordinal } = await cherryPick(repository.value!, uuid, { message, onConflict: side });
      status.value = logText.picked(name, ordinal);
      await Promise.all([readRevisions(), readBranches()]);
      onClose();
    } catch (error) {
      setProblem(asProblem(error));
      setWorking(false);
    }
  };
  return (
    <Dialog title={logText.pickTitle(name)} onClose={onClose} wide>
      <p>{logText.pickHelp(branchName.value)}</p>
      {changes.error !== undefined && <ErrorView error={changes.error} onRetry={changes.again} />}
      {changes.value === undefined ? (
        <p class="loading">{text.loading}</p>
      ) : (
        <div class="preview" tabIndex={0} role="group" aria-label={logText.pickChanges}>
          <Changes {...changes.value} />
        </div>
      )}
      <form class="stack" onSubmit={(event) => void send(event)}>
        <label class="field">
          <span>{text.query.message}</span>
          <input value={message} onInput={({ currentTarget: { value } }) => setMessage(value)} />
        </label>
        {problem !== undefined && <ProblemView problem={problem} />}
        {(problem?.code === 'MERGE_CONFLICT' || side !== undefined) && <Sides value={side} onChange={setSide} />}
        <DialogButtons submit={logText.pick} onClose={onClose} disabled={working} />
      </form>
    </Dialog>
  );
}

interface SidesProperties {
  readonly value: 'ours' | 'theirs' | undefined;
  readonly onChange: (side: 'ours' | 'theirs' | undefined) => void;
}

function Sides({ value, onChange }: SidesProperties) {
  return (
    <label class="field">
      <span>{logText.conflicts}</span>
      <select
        value={value ?? ''}
        onChange={({ currentTarget }) => onChange((currentTarget.value || undefined) as typeof value)}
      >
        <option value="">{logText.refuse}</option>
        <option value="ours">{logText.keepOurs(branchName.value)}</option>
        <option value="theirs">{logText.takeTheirs}</option>
      </select>
    </label>
  );
}
