/** Merges a branch into the one that is shown, after showing what that changes. */
import { useState } from 'preact/hooks';
import { mergeBranch, type MergePreview, previewMerge } from '../api/branches.js';
import { asProblem, type Problem } from '../api/errors.js';
import { mergeText } from '../messages/branches.js';
import { text } from '../messages/en.js';
import { hrefOf, navigate } from '../router.js';
import { addressOf, branches, readBranches } from '../state/branch.js';
import { status } from '../state/notices.js';
import { repository } from '../state/repository.js';
import { readRevisions } from '../state/revision.js';
import { PlusMinus } from '../terms/changes.js';
import { ErrorView, ProblemView } from '../terms/problem-view.js';
import { Dialog, DialogButtons } from '../ui/dialog.js';
import { useLoaded } from '../ui/use-loaded.js';
import { Conflicts } from './conflicts.js';
import { type Decisions, openConflicts, resolutionsOf } from './decisions.js';
import { MergeChanges } from './merge-changes.js';

interface Properties {
  readonly source: string;
  readonly target: string;
  readonly onClose: () => void;
}

export function MergeDialog(properties: Properties) {
  const { source, target, onClose } = properties;
  return (
    <Dialog title={mergeText.title(source, target)} onClose={onClose} wide>
      <p>{mergeText.help(source)}</p>
      <div class="stack">
        <Target {...properties} />
        {source === target ? <Itself onClose={onClose} /> : <Merge {...properties} />}
      </div>
    </Dialog>
  );
}

/** Another target is another branch that is shown. */
function Target({ source, target }: Properties) {
  const names = new Set([target, ...(branches.value ?? []).map(({ name }) => name)]);
  names.delete(source);
  return (
    <label class="inline-field">
      <span>{mergeText.into}</span>
      <select
        value={target}
        onChange={({ currentTarget: { value } }) =>
          navigate(hrefOf('branches', repository.value, { branch: addressOf(value), merge: source }))
        }
      >
        {source === target && <option value={target} />}
        {[...names].map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

function Itself({ onClose }: { readonly onClose: () => void }) {
  return (
    <form class="stack">
      <p>{mergeText.itself}</p>
      <DialogButtons submit={mergeText.submit} onClose={onClose} disabled />
    </form>
  );
}

/** Why a merge was refused. */
interface Refusal {
  readonly problem: Problem;
  /** Whether the merge is another one by now: the preview was read again. */
  readonly isRaced: boolean;
}

function Merge({ source, target, onClose }: Properties) {
  const name = repository.value!;
  const [decisions, setDecisions] = useState<Decisions>(new Map());
  const [others, setOthers] = useState<'ours' | 'theirs' | undefined>(undefined);
  const [message, setMessage] = useState(mergeText.message(source));
  const [refusal, setRefusal] = useState<Refusal | undefined>(undefined);
  const [working, setWorking] = useState(false);
  const preview = useLoaded((signal) => previewMerge(name, { source, target }, signal), [name, source, target]);
  const found = preview.value;
  const send = async (event: Event): Promise<void> => {
    event.preventDefault();
    setWorking(true);
    setRefusal(undefined);
    const resolutions = resolutionsOf(found!.conflicts, decisions);
    try {
      const merge = { source, target, message, resolutions, onConflict: others, known: found!.known };
      const { ordinal } = await mergeBranch(name, merge);
      status.value = mergeText.done(source, ordinal);
      await Promise.all([readRevisions(), readBranches()]);
      navigate(hrefOf('history', name));
    } catch (error) {
      const problem = asProblem(error);
      const isRaced = problem.status === 412 || problem.code === 'MERGE_CONFLICT';
      setRefusal({ problem, isRaced });
      setWorking(false);
      if (!isRaced) return;
      preview.again();
      await readRevisions();
    }
  };
  if (preview.error !== undefined) return <ErrorView error={preview.error} onRetry={preview.again} />;
  if (found === undefined) return <p class="loading">{text.loading}</p>;
  const left = openConflicts(found, decisions, others);
  return (
    <form class="stack" onSubmit={(event) => void send(event)}>
      <Found preview={found} source={source} target={target} />
      {found.conflictCount > 0 && (
        <Conflicts
          preview={found}
          source={source}
          target={target}
          decisions={decisions}
          onDecide={setDecisions}
          others={others}
          onOthers={setOthers}
        />
      )}
      <label class="field">
        <span>{text.query.message}</span>
        <input value={message} onInput={({ currentTarget: { value } }) => setMessage(value)} />
      </label>
      {refusal !== undefined && <Refused refusal={refusal} target={target} />}
      {left > 0 && <p class="muted">{mergeText.open(left)}</p>}
      <DialogButtons submit={mergeText.submit} onClose={onClose} disabled={working || preview.loading || left > 0} />
    </form>
  );
}

function Refused({ refusal: { problem, isRaced }, target }: { readonly refusal: Refusal; readonly target: string }) {
  if (!isRaced) return <ProblemView problem={problem} />;
  return (
    <p class="notice warning" role="alert">
      {mergeText.raced(target)}
    </p>
  );
}

interface FoundProperties {
  readonly preview: MergePreview;
  readonly source: string;
  readonly target: string;
}

function Found({ preview, source, target }: FoundProperties) {
  const { base, added, removed, conflictCount } = preview;
  const isThere = base.uuid === branches.value?.find(({ name }) => name === source)?.head.uuid;
  if (isThere) return <p>{mergeText.nothing(source, target)}</p>;
  return (
    <>
      <p class="muted">
        {mergeText.since(base.ordinal, base.message ?? text.history.noMessage)}{' '}
        <span data-testid="merge-counts">
          <PlusMinus added={added} removed={removed} />
        </span>
      </p>
      {added + removed === 0 && conflictCount === 0 && <p>{mergeText.noChanges}</p>}
      {added + removed > 0 && <MergeChanges preview={preview} />}
    </>
  );
}
