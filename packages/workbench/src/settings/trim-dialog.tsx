/** Removes old revisions, after showing how many go and how many stay. */
import { useState } from 'preact/hooks';
import { asProblem, type Problem } from '../api/errors.js';
import { trimHistory, type TrimReport, type TrimRequest } from '../api/settings.js';
import { removalText } from '../messages/removal.js';
import { branchName } from '../state/branch.js';
import { status } from '../state/notices.js';
import { repository } from '../state/repository.js';
import { readRevisions } from '../state/revision.js';
import { ProblemView } from '../terms/problem-view.js';
import { refOptions } from '../terms/refs.js';
import { ComboField } from '../ui/combo-field.js';
import { Dialog, DialogButtons } from '../ui/dialog.js';

interface Fields {
  readonly last: string;
  readonly perDay: string;
  readonly before: string;
  readonly content: boolean;
}

const EMPTY: Fields = { last: '', perDay: '', before: '', content: false };

const numberOf = (typed: string): number | undefined => (typed.trim() === '' ? undefined : Number(typed));

const requestOf = ({ last, perDay, before, content }: Fields): TrimRequest => ({
  last: numberOf(last),
  perDay: numberOf(perDay),
  before: before.trim() || undefined,
  content,
});

export function TrimDialog({ onClose }: { readonly onClose: () => void }) {
  const name = repository.value!;
  const [fields, setFields] = useState(EMPTY);
  const [report, setReport] = useState<TrimReport | undefined>(undefined);
  const [problem, setProblem] = useState<Problem | undefined>(undefined);
  const [working, setWorking] = useState(false);
  const change = (changes: Partial<Fields>): void => {
    setFields({ ...fields, ...changes });
    // What was shown is not what would go now.
    setReport(undefined);
  };
  const isReady = report !== undefined && report.trimmed > 0;
  const send = async (event: Event): Promise<void> => {
    event.preventDefault();
    setWorking(true);
    setProblem(undefined);
    try {
      const found = await trimHistory(name, requestOf(fields), !isReady);
      if (!isReady) return setReport(found);
      status.value = removalText.trimmed(found.trimmed, found.bytesFreed);
      await readRevisions();
      onClose();
    } catch (error) {
      setProblem(asProblem(error));
    } finally {
      setWorking(false);
    }
  };
  const says = fields.last !== '' || fields.perDay !== '' || fields.before !== '';
  return (
    <Dialog title={removalText.trimTitle} onClose={onClose}>
      <p>{removalText.trimHelp(branchName.value)}</p>
      <form class="stack" onSubmit={(event) => void send(event)}>
        <Choices fields={fields} onChange={change} />
        {!says && <p class="muted">{removalText.chooseOne}</p>}
        <div role="status">{report !== undefined && <Report report={report} />}</div>
        {problem !== undefined && <ProblemView problem={problem} />}
        <DialogButtons
          submit={isReady ? removalText.trimButton(report.trimmed) : removalText.show}
          onClose={onClose}
          danger={isReady}
          disabled={working || !says}
        />
      </form>
    </Dialog>
  );
}

function Choices({
  fields,
  onChange,
}: {
  readonly fields: Fields;
  readonly onChange: (changes: Partial<Fields>) => void;
}) {
  return (
    <>
      {(['last', 'perDay'] as const).map((name) => (
        <label key={name} class="field">
          <span>{removalText[name]}</span>
          <input
            type="number"
            min={1}
            value={fields[name]}
            onInput={({ currentTarget: { value } }) => onChange({ [name]: value })}
          />
        </label>
      ))}
      <div class="field">
        <span aria-hidden="true">{removalText.before}</span>
        <ComboField
          label={removalText.before}
          value={fields.before}
          options={refOptions()}
          onChange={(before) => onChange({ before })}
        />
      </div>
      <label class="inline-field">
        <input
          type="checkbox"
          checked={fields.content}
          onChange={({ currentTarget: { checked } }) => onChange({ content: checked })}
        />
        <span>{removalText.content}</span>
      </label>
    </>
  );
}

function Report({ report: { trimmed, kept } }: { readonly report: TrimReport }) {
  if (trimmed === 0) return <p>{removalText.trimNothing}</p>;
  return (
    <p class="notice warning">
      {removalText.report(trimmed, kept)} {removalText.trimFinal}
    </p>
  );
}
