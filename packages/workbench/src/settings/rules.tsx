/** What holds for all branches: for the owner alone. */
import { useState } from 'preact/hooks';
import { asProblem, type Problem } from '../api/errors.js';
import { getRules, type RepositoryRules, type Retention, saveRules, type ShapesWarning } from '../api/settings.js';
import { text } from '../messages/en.js';
import { settingsText } from '../messages/settings.js';
import { branches, readBranches } from '../state/branch.js';
import { status } from '../state/notices.js';
import { hrefOf } from '../router.js';
import { at, head } from '../state/revision.js';
import { repository } from '../state/repository.js';
import { hasFeature } from '../state/session.js';
import { hasGraph } from '../api/sparql.js';
import { ErrorView, ProblemView } from '../terms/problem-view.js';
import { TermField } from '../terms/term-field.js';
import { iriOfTerm, typedIri, typedTerm, typedTerms } from '../terms/typed-term.js';
import { namespaces } from '../state/repository.js';
import { useLoaded } from '../ui/use-loaded.js';

export function Rules() {
  const name = repository.value!;
  const rules = useLoaded((signal) => getRules(name, signal), [name]);
  if (rules.error !== undefined)
    return [403, 404].includes(asProblem(rules.error).status) ? null : (
      <ErrorView error={rules.error} onRetry={rules.again} />
    );
  return rules.value === undefined ? null : <RulesForm rules={rules.value} />;
}

const linesOf = (typed: string): string[] => [...new Set(typed.split(/\s+/).filter((line) => line !== ''))];

const asTyped = (iri: string): string => typedIri(iri, namespaces.value);

/** The terms of both fields, or what is wrong with one of them. */
function termsOf(functional: string, shapes: string) {
  const predicates = typedTerms(functional, namespaces.value);
  const graph = shapes === '' ? undefined : typedTerm(shapes, namespaces.value);
  const problem =
    predicates.problem === undefined
      ? graph?.problem && settingsText.wrongShapes(graph.problem)
      : settingsText.wrongFunctional(predicates.problem);
  return { functional: predicates.terms, shapes: graph?.term, problem };
}

/** What the server gets of them. */
const changeOf = ({ functional, shapes }: ReturnType<typeof termsOf>, mode: RepositoryRules['shapesMode']) => ({
  functional: functional.map(iriOfTerm),
  shapes: shapes === undefined ? null : iriOfTerm(shapes),
  ...(mode !== undefined && { shapesMode: mode }),
});

function RulesForm({ rules }: { readonly rules: RepositoryRules }) {
  const [functional, setFunctional] = useState(rules.functional.map(asTyped).join('\n'));
  const [shapes, setShapes] = useState(rules.shapes ? asTyped(rules.shapes) : '');
  const [main, setMain] = useState(rules.defaultBranch);
  const [kept, setKept] = useState(rules.protected?.join('\n'));
  const [retention, setRetention] = useState(retentionFields(rules.retention));
  const [mode, setMode] = useState(rules.shapesMode);
  const [warnings, setWarnings] = useState(rules.shapesWarnings ?? []);
  const [problem, setProblem] = useState<Problem | undefined>(undefined);
  const [saved, setSaved] = useState(false);
  const save = async (event: Event): Promise<void> => {
    event.preventDefault();
    setSaved(false);
    setProblem(undefined);
    const terms = termsOf(functional, shapes.trim());
    if (terms.problem !== undefined) return setProblem({ status: 0, code: 'INVALID_TERM', message: terms.problem });
    try {
      const { shapesWarnings = [] } = await saveRules(repository.value!, {
        ...changeOf(terms, mode),
        ...(main === undefined ? {} : { defaultBranch: main }),
        ...(kept === undefined ? {} : { protected: linesOf(kept) }),
        ...retentionChange(retention),
      });
      setWarnings(shapesWarnings);
      setSaved(true);
      status.value = text.settings.saved;
      await readBranches();
    } catch (error) {
      setProblem(asProblem(error));
    }
  };
  return (
    <form class="block stack" aria-label={settingsText.rules} onSubmit={(event) => void save(event)}>
      <h2>{settingsText.rules}</h2>
      <TermField
        label={settingsText.functional}
        help={settingsText.functionalHelp}
        positions={['predicate']}
        many
        value={functional}
        onInput={setFunctional}
      />
      <ShapesGraph value={shapes} onInput={setShapes} />
      <Warnings warnings={warnings} />
      {mode !== undefined && shapes.trim() !== '' && <Reporting value={mode} onChange={setMode} />}
      {main !== undefined && <DefaultBranch value={main} onChange={setMain} />}
      {kept !== undefined && (
        <Lines label={settingsText.protected} help={settingsText.protectedHelp} value={kept} onInput={setKept} />
      )}
      <Retained value={retention} onChange={setRetention} />
      {problem !== undefined && <ProblemView problem={problem} />}
      <div class="row end">
        <span class="muted">{saved ? text.settings.saved : ''}</span>
        <button type="submit" class="button primary">
          {settingsText.saveRules}
        </button>
      </div>
    </form>
  );
}

function ShapesGraph({ value: iri, onInput }: Pick<LinesProperties, 'value' | 'onInput'>) {
  const { term } = typedTerm(iri.trim(), namespaces.value);
  return (
    <>
      <TermField
        label={settingsText.shapes}
        help={settingsText.shapesHelp}
        placeholder="http://example.org/shapes"
        positions={['graph']}
        value={iri}
        onInput={onInput}
      />
      {term !== undefined && <WithoutShapes graph={term} />}
    </>
  );
}

interface ReportingProperties {
  readonly value: 'refuse' | 'report';
  readonly onChange: (value: 'refuse' | 'report') => void;
}

/** Whether changes are refused, and what is wrong now. */
function Reporting({ value, onChange }: ReportingProperties) {
  return (
    <div class="row">
      <label>
        <input
          type="checkbox"
          checked={value === 'report'}
          onChange={({ currentTarget: { checked } }) => onChange(checked ? 'report' : 'refuse')}
        />{' '}
        {settingsText.shapesReport}
      </label>
      <a href={hrefOf('shapes', repository.value, { at: at.value })}>{text.pages.shapes}</a>
    </div>
  );
}

/** What nothing is checked by. */
function Warnings({ warnings }: { readonly warnings: readonly ShapesWarning[] }) {
  if (warnings.length === 0) return null;
  return (
    <details class="notice warning" open>
      <summary>{settingsText.shapesWarnings(warnings.length)}</summary>
      <ul>
        {warnings.map(({ shape, statement, reason }) => (
          <li key={`${shape} ${statement}`}>
            <code>{shape}</code> <code>{statement}</code>: {reason}
          </li>
        ))}
      </ul>
    </details>
  );
}

/** The user rests so long before the server is asked. */
const REST_MS = 180;

/** A graph that is not there has no shapes, so that nothing would be checked. */
function WithoutShapes({ graph }: { readonly graph: string }) {
  const name = repository.value!;
  const found = useLoaded(
    async (signal) => {
      await new Promise((resolve) => setTimeout(resolve, REST_MS));
      signal.throwIfAborted();
      return hasGraph(name, graph, signal);
    },
    [name, graph, head.value?.uuid],
  );
  if (found.loading || found.value !== false) return null;
  return (
    <p class="notice warning" role="alert">
      {settingsText.noGraph(graph)}
    </p>
  );
}

const RETAINED = ['last', 'days', 'perDay'] as const;
/** As typed. */
type RetentionFields = Readonly<Record<(typeof RETAINED)[number], string>>;

function retentionFields(retention: Retention | null | undefined): RetentionFields {
  const typed = (value: number | undefined): string => (value === undefined ? '' : String(value));
  return { last: typed(retention?.last), days: typed(retention?.days), perDay: typed(retention?.perDay) };
}

/** `null` keeps every revision. */
function retentionChange(fields: RetentionFields): { readonly retention?: Retention | null } {
  if (!hasFeature('trim')) return {};
  const named = RETAINED.filter((name) => fields[name].trim() !== '').map((name) => [name, Number(fields[name])]);
  return { retention: named.length === 0 ? null : (Object.fromEntries(named) as Retention) };
}

interface RetainedProperties {
  readonly value: RetentionFields;
  readonly onChange: (value: RetentionFields) => void;
}

function Retained({ value: fields, onChange }: RetainedProperties) {
  if (!hasFeature('trim')) return null;
  return (
    <div class="field" role="group" aria-label={settingsText.retention}>
      <span>{settingsText.retention}</span>
      <div class="row">
        {RETAINED.map((name) => (
          <label key={name} class="field">
            <span>{settingsText.retained[name]}</span>
            <input
              type="number"
              min={1}
              value={fields[name]}
              onInput={({ currentTarget: { value } }) => onChange({ ...fields, [name]: value })}
            />
          </label>
        ))}
      </div>
      <small class="muted">{settingsText.retentionHelp}</small>
    </div>
  );
}

interface LinesProperties {
  readonly label: string;
  readonly help: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
}

function Lines({ label, help, value, onInput }: LinesProperties) {
  return (
    <label class="field">
      <span>{label}</span>
      <textarea
        rows={3}
        class="code"
        spellcheck={false}
        value={value}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
      <small class="muted">{help}</small>
    </label>
  );
}

interface DefaultProperties {
  readonly value: string;
  readonly onChange: (name: string) => void;
}

function DefaultBranch({ value: current, onChange }: DefaultProperties) {
  const names = new Set([current, ...(branches.value ?? []).map(({ name }) => name)]);
  return (
    <label class="field">
      <span>{settingsText.defaultBranch}</span>
      <select value={current} onChange={({ currentTarget: { value } }) => onChange(value)}>
        {[...names].map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
      <small class="muted">{settingsText.defaultBranchHelp}</small>
    </label>
  );
}
