/** Erases data from every revision, and tells what it has done. */
import { useState } from 'preact/hooks';
import { asProblem, type Problem } from '../api/errors.js';
import { eraseData, type EraseReport, type EraseRequest, previewErasure } from '../api/removal.js';
import { eraseText } from '../messages/erase.js';
import { status } from '../state/notices.js';
import { namespaces, repository } from '../state/repository.js';
import { readRevisions } from '../state/revision.js';
import { user } from '../state/session.js';
import { ProblemView } from '../terms/problem-view.js';
import { TermField } from '../terms/term-field.js';
import { type Taken, typedTerm } from '../terms/typed-term.js';
import { Dialog, DialogButtons } from '../ui/dialog.js';
import { type Loaded, useLoaded } from '../ui/use-loaded.js';

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

const ANY: Taken = { literals: true, others: true };
const TAKEN: Readonly<Record<keyof Pattern, Taken>> = {
  subject: { others: true },
  predicate: {},
  object: ANY,
  graph: { others: true },
};
/** In the place of a graph. */
const DEFAULT_GRAPH = ['default'];

type Target = Omit<EraseRequest, 'reason'>;

/** What is to be erased; undefined while something is missing, or is no term. */
function targetOf({ kind, term, pattern, quads }: Fields): Target | undefined {
  if (kind === 'quads') return quads.trim() === '' ? undefined : { quads };
  if (kind === 'term') {
    const { term: read } = typedTerm(term.trim(), namespaces.value, ANY);
    return read === undefined ? undefined : { term: read };
  }
  const named = POSITIONS.map((position) => [position, pattern[position].trim()] as const).filter(([, typed]) => typed);
  const read = named.map(([position, typed]) => {
    const isWord = position === 'graph' && DEFAULT_GRAPH.includes(typed);
    return [position, isWord ? typed : typedTerm(typed, namespaces.value, TAKEN[position]).term] as const;
  });
  if (read.length === 0 || read.some(([, each]) => each === undefined)) return undefined;
  return { pattern: Object.fromEntries(read) as Readonly<Record<string, string>> };
}

/** What the server is asked for; undefined while something is missing. */
function requestOf(fields: Fields): EraseRequest | undefined {
  const target = targetOf(fields);
  const reason = fields.reason.trim();
  return target === undefined || reason === '' || !fields.sure ? undefined : { ...target, reason };
}

/** The user rests so long before the server counts. */
const REST_MS = 300;

/** What would be erased by now; its value is undefined without a target. */
function usePreview(target: Target | undefined) {
  const name = repository.value!;
  const wanted = JSON.stringify(target);
  return useLoaded(
    async (signal) => {
      if (target === undefined) return undefined;
      await new Promise((resolve) => setTimeout(resolve, REST_MS));
      signal.throwIfAborted();
      return previewErasure(name, target, signal);
    },
    [name, wanted],
  );
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
  const preview = usePreview(targetOf(fields));
  const send = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (request === undefined || preview.loading) return;
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
      <Preview preview={preview} />
      <Reason value={fields.reason} onInput={(reason) => change({ reason })} />
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
      <DialogButtons
        submit={eraseText.erase(preview.loading ? undefined : preview.value?.quads)}
        onClose={onClose}
        danger
        disabled={working || request === undefined || preview.loading}
      />
    </form>
  );
}

function Preview({ preview: { value, error, loading } }: { readonly preview: Loaded<EraseReport | undefined> }) {
  return (
    <div role="status" aria-busy={loading}>
      {value !== undefined && <p class="notice warning">{eraseText.would(value)}</p>}
      {error !== undefined && <p class="field-error">{asProblem(error).message}</p>}
    </div>
  );
}

function Reason({ value: reason, onInput }: { readonly value: string; readonly onInput: (reason: string) => void }) {
  return (
    <label class="field">
      <span>{eraseText.reason}</span>
      <input value={reason} maxLength={1000} onInput={({ currentTarget: { value } }) => onInput(value)} />
      <small class="muted">{eraseText.reasonHelp}</small>
    </label>
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
            positions={[position]}
            taken={TAKEN[position]}
            words={position === 'graph' ? DEFAULT_GRAPH : []}
            placeholder="http://example.org/ann"
            value={pattern[position]}
            onInput={(value) => onChange({ pattern: { ...pattern, [position]: value } })}
          />
        ))}
        <small class="muted">{eraseText.patternHelp}</small>
      </>
    );
  return (
    <TermField
      label={eraseText.term}
      positions={POSITIONS}
      taken={ANY}
      placeholder="http://example.org/ann"
      value={term}
      onInput={(value) => onChange({ term: value })}
    />
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
