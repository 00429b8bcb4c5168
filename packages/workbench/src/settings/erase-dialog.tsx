/** Erases data from every revision, and tells what it has done. */
import { useState } from 'preact/hooks';
import { asProblem, type Problem } from '../api/errors.js';
import { eraseData, type EraseReport, type EraseRequest } from '../api/removal.js';
import { eraseText } from '../messages/erase.js';
import { status } from '../state/notices.js';
import { repository } from '../state/repository.js';
import { readRevisions } from '../state/revision.js';
import { user } from '../state/session.js';
import { ProblemView } from '../terms/problem-view.js';
import { Dialog, DialogButtons } from '../ui/dialog.js';

const KINDS = ['term', 'pattern', 'quads'] as const;
const POSITIONS = ['subject', 'predicate', 'object', 'graph'] as const;
type Kind = (typeof KINDS)[number];
type Pattern = Readonly<Record<(typeof POSITIONS)[number], string>>;

interface Fields {
  readonly kind: Kind;
  readonly term: string;
  readonly pattern: Pattern;
  readonly quads: string;
  readonly reason: string;
  /** Whether the user knows that it is for good. */
  readonly sure: boolean;
}

const EMPTY: Fields = {
  kind: 'term',
  term: '',
  pattern: { subject: '', predicate: '', object: '', graph: '' },
  quads: '',
  reason: '',
  sure: false,
};

/** What the server is asked for; undefined while something is missing. */
function requestOf({ kind, term, pattern, quads, reason, sure }: Fields): EraseRequest | undefined {
  const named = POSITIONS.map((position) => [position, pattern[position].trim()] as const).filter(([, typed]) => typed);
  const targets = {
    term: term.trim() === '' ? undefined : { term: term.trim() },
    pattern: named.length === 0 ? undefined : { pattern: Object.fromEntries(named) },
    quads: quads.trim() === '' ? undefined : { quads },
  };
  const target = targets[kind];
  return target === undefined || reason.trim() === '' || !sure ? undefined : { ...target, reason: reason.trim() };
}

export function EraseDialog({ onClose }: { readonly onClose: () => void }) {
  const [report, setReport] = useState<(EraseReport & { readonly reason: string }) | undefined>(undefined);
  return (
    <Dialog title={eraseText.title} onClose={onClose} wide>
      {report === undefined ? (
        <EraseForm onDone={setReport} onClose={onClose} />
      ) : (
        <Report report={report} onClose={onClose} />
      )}
    </Dialog>
  );
}

interface FormProperties {
  readonly onDone: (report: EraseReport & { readonly reason: string }) => void;
  readonly onClose: () => void;
}

function EraseForm({ onDone, onClose }: FormProperties) {
  const [fields, setFields] = useState(EMPTY);
  const [problem, setProblem] = useState<Problem | undefined>(undefined);
  const [working, setWorking] = useState(false);
  const change = (changes: Partial<Fields>): void => setFields({ ...fields, ...changes });
  const request = requestOf(fields);
  const send = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (request === undefined) return;
    setWorking(true);
    setProblem(undefined);
    try {
      const report = await eraseData(repository.value!, request);
      status.value = eraseText.done(report.quads);
      onDone({ ...report, reason: request.reason });
      await readRevisions();
    } catch (error) {
      setProblem(asProblem(error));
      setWorking(false);
    }
  };
  return (
    <form class="stack" onSubmit={(event) => void send(event)}>
      <p>{eraseText.help}</p>
      <label class="field">
        <span>{eraseText.what}</span>
        <select value={fields.kind} onChange={({ currentTarget: { value } }) => change({ kind: value as Kind })}>
          {KINDS.map((kind) => (
            <option key={kind} value={kind}>
              {eraseText.kinds[kind]}
            </option>
          ))}
        </select>
      </label>
      <Target fields={fields} onChange={change} />
      <label class="field">
        <span>{eraseText.reason}</span>
        <input
          value={fields.reason}
          maxLength={1000}
          onInput={({ currentTarget: { value } }) => change({ reason: value })}
        />
        <small class="muted">{eraseText.reasonHelp}</small>
      </label>
      <label class="inline-field">
        <input
          type="checkbox"
          checked={fields.sure}
          onChange={({ currentTarget: { checked } }) => change({ sure: checked })}
        />
        <span>{eraseText.sure}</span>
      </label>
      {working && <progress aria-label={eraseText.working} />}
      {problem !== undefined && <ProblemView problem={problem} />}
      <DialogButtons submit={eraseText.erase} onClose={onClose} danger disabled={working || request === undefined} />
    </form>
  );
}

interface TargetProperties {
  readonly fields: Fields;
  readonly onChange: (changes: Partial<Fields>) => void;
}

function Target({ fields: { kind, term, pattern, quads }, onChange }: TargetProperties) {
  if (kind === 'quads')
    return (
      <label class="field">
        <span>{eraseText.quads}</span>
        <textarea
          rows={4}
          class="code"
          spellcheck={false}
          placeholder="<urn:s> <urn:p> <urn:o> ."
          value={quads}
          onInput={({ currentTarget: { value } }) => onChange({ quads: value })}
        />
      </label>
    );
  if (kind === 'pattern')
    return (
      <>
        {POSITIONS.map((position) => (
          <TermField
            key={position}
            label={eraseText.positions[position]}
            value={pattern[position]}
            onInput={(value) => onChange({ pattern: { ...pattern, [position]: value } })}
          />
        ))}
        <small class="muted">{eraseText.patternHelp}</small>
      </>
    );
  return <TermField label={eraseText.term} value={term} onInput={(value) => onChange({ term: value })} />;
}

interface TermProperties {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
}

function TermField({ label, value, onInput }: TermProperties) {
  return (
    <label class="field">
      <span>{label}</span>
      <input
        class="code"
        spellcheck={false}
        autocomplete="off"
        placeholder="<http://example.org/ann>"
        value={value}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
    </label>
  );
}

interface ReportProperties {
  readonly report: EraseReport & { readonly reason: string };
  readonly onClose: () => void;
}

/** Who, why, what was counted, and where copies may be. */
function Report({ report, onClose }: ReportProperties) {
  const { reason, copies } = report;
  return (
    <div class="stack" role="status">
      <p>{eraseText.report(report)}</p>
      <p>{eraseText.saysWhy(reason)}</p>
      <p>{eraseText.saysWho(user.value?.account)}</p>
      <strong>{eraseText.copies}</strong>
      <ul>
        {copies.map((copy) => (
          <li key={copy}>{copy}</li>
        ))}
      </ul>
      <div class="row end">
        <button type="button" class="button primary" onClick={onClose}>
          {eraseText.close}
        </button>
      </div>
    </div>
  );
}
