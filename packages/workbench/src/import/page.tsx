/** Documents into the repository: chosen or dropped, loaded one after the other. */
import { useRef, useState } from 'preact/hooks';
import { importText } from '../messages/import.js';
import { ENDINGS } from '../api/imports.js';
import { text } from '../messages/en.js';
import { clearFinished, enqueue, imports } from '../state/imports.js';
import { branchName } from '../state/branch.js';
import { namespaces, repository } from '../state/repository.js';
import { ProblemView } from '../terms/problem-view.js';
import { TermInput } from '../terms/term-field.js';
import { iriOfTerm, typedTerm } from '../terms/typed-term.js';
import { hasFeature } from '../state/session.js';
import { Icon } from '../ui/icon.js';
import { ImportRow } from './row.js';

interface Choices {
  readonly graph: string;
  readonly intoGraph: boolean;
  readonly replace: boolean;
  readonly message: string;
  readonly skip: boolean;
}

const FIRST: Choices = { graph: '', intoGraph: false, replace: false, message: '', skip: false };

export function ImportPage() {
  const [choices, setChoices] = useState(FIRST);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const { graph, intoGraph, ...options } = choices;
  const add = (files: Iterable<File>): void => {
    const named = intoGraph ? typedTerm(graph.trim(), namespaces.value) : undefined;
    setProblem(named?.problem && (graph.trim() === '' ? importText.noGraph : importText.wrongGraph(named.problem)));
    if (named?.problem !== undefined) return;
    const documents = [...files].map((file) => ({ name: file.name, content: file }));
    const branch = hasFeature('branches') ? branchName.value : undefined;
    const into = { repository: repository.value!, branch, graph: named === undefined ? '' : iriOfTerm(named.term) };
    enqueue(documents, { ...options, ...into });
  };
  const own = imports.value.filter((each) => each.repository === repository.value);
  return (
    <div class="column wide">
      <h1>{text.pages.import}</h1>
      <DropArea onFiles={add} />
      {problem !== undefined && <ProblemView problem={{ status: 0, code: 'INVALID_TERM', message: problem }} />}
      <Options choices={choices} onChange={(changes) => setChoices({ ...choices, ...changes })} />
      {own.length > 0 && (
        <>
          <ol class="log">
            {own.map((each) => (
              <ImportRow key={each.id} item={each} />
            ))}
          </ol>
          <button type="button" class="button quiet" onClick={clearFinished}>
            {text.import.clear}
          </button>
        </>
      )}
    </div>
  );
}

interface OptionsProperties {
  readonly choices: Choices;
  readonly onChange: (changes: Partial<Choices>) => void;
}

function Options({ choices, onChange }: OptionsProperties) {
  const { graph, intoGraph, message } = choices;
  const choice = (name: 'intoGraph' | 'replace' | 'skip', legend: string, no: string, yes: string) => (
    <>
      <legend>{legend}</legend>
      <Radio name={name} label={no} checked={!choices[name]} onChange={() => onChange({ [name]: false })} />
      <Radio name={name} label={yes} checked={choices[name]} onChange={() => onChange({ [name]: true })} />
    </>
  );
  return (
    <div class="import-options">
      <fieldset class="inline-choice">
        {choice('intoGraph', text.import.into, text.import.defaultGraph, text.import.graph)}
        {intoGraph && (
          <TermInput
            label={text.import.graphIri}
            placeholder="http://example.org/graph"
            positions={['graph']}
            value={graph}
            onInput={(value) => onChange({ graph: value })}
          />
        )}
      </fieldset>
      <fieldset class="inline-choice">
        {choice('replace', text.import.how, text.import.add, text.import.replace)}
      </fieldset>
      <fieldset class="inline-choice">
        {choice('skip', text.import.badLines, text.import.refuse, text.import.skip)}
      </fieldset>
      <label class="inline-field">
        <span>{text.import.message}</span>
        <input value={message} onInput={({ currentTarget: { value } }) => onChange({ message: value })} />
      </label>
    </div>
  );
}

function DropArea({ onFiles }: { readonly onFiles: (files: Iterable<File>) => void }) {
  const [over, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  return (
    <div
      class={over ? 'drop over' : 'drop'}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        onFiles(event.dataTransfer?.files ?? []);
      }}
    >
      <Icon name="import" />
      <p>
        {text.import.drop}{' '}
        <button type="button" class="button" onClick={() => input.current?.click()}>
          {text.import.choose}
        </button>
      </p>
      <p class="muted">{text.import.formats}</p>
      <input
        ref={input}
        type="file"
        multiple
        accept={ENDINGS}
        class="hidden-text"
        tabIndex={-1}
        aria-label={text.import.choose}
        onChange={({ currentTarget }) => {
          onFiles(currentTarget.files ?? []);
          currentTarget.value = '';
        }}
      />
    </div>
  );
}

interface RadioProperties {
  readonly name: string;
  readonly label: string;
  readonly checked: boolean;
  readonly onChange: () => void;
}

function Radio({ name, label, checked, onChange }: RadioProperties) {
  return (
    <label>
      <input type="radio" name={name} checked={checked} onChange={onChange} />
      {label}
    </label>
  );
}
