/** Documents into the repository: chosen or dropped, loaded one after the other. */
import { useRef, useState } from 'preact/hooks';
import { importText } from '../messages/import.js';
import { ENDINGS, tableFormat } from '../api/imports.js';
import { text } from '../messages/en.js';
import { clearFinished, enqueue, type ImportedFile, imports } from '../state/imports.js';
import { branchName } from '../state/branch.js';
import { fail } from '../state/notices.js';
import { namespaces, repository } from '../state/repository.js';
import { ProblemView } from '../terms/problem-view.js';
import { TermInput } from '../terms/term-field.js';
import { iriOfTerm, typedTerm } from '../terms/typed-term.js';
import { hasFeature } from '../state/session.js';
import { Icon } from '../ui/icon.js';
import type { Mapped, Table } from './protocol.js';
import { ImportRow } from './row.js';
import { TableCard } from './table.js';
import { askTables } from './tables.js';

interface Choices {
  readonly graph: string;
  readonly intoGraph: boolean;
  readonly replace: boolean;
  readonly message: string;
  readonly skip: boolean;
  readonly dryRun: boolean;
}

const FIRST: Choices = { graph: '', intoGraph: false, replace: false, message: '', skip: false, dryRun: false };

export function ImportPage() {
  const [choices, setChoices] = useState(FIRST);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const { graph, intoGraph, ...options } = choices;
  const [tables, setTables] = useState<readonly Table[]>([]);
  const load = (documents: readonly ImportedFile[]): boolean => {
    const named = intoGraph ? typedTerm(graph.trim(), namespaces.value) : undefined;
    setProblem(named?.problem && (graph.trim() === '' ? importText.noGraph : importText.wrongGraph(named.problem)));
    if (named?.problem !== undefined) return false;
    const branch = hasFeature('branches') ? branchName.value : undefined;
    const into = { repository: repository.value!, branch, graph: named === undefined ? '' : iriOfTerm(named.term) };
    enqueue(documents, { ...options, ...into });
    return true;
  };
  // Documents are loaded at once; tables wait for their mappings.
  const add = async (files: readonly File[]): Promise<void> => {
    const found = await Promise.all(files.map(async (file) => ({ file, format: await tableFormat(file) })));
    const isTable = (each: { readonly format: string | undefined }): each is Table => each.format !== undefined;
    setTables((before) => [...before, ...found.filter(isTable)]);
    const documents = found.filter((each) => !isTable(each)).map(({ file }) => ({ name: file.name, content: file }));
    if (documents.length > 0) load(documents);
  };
  const remove = (table: Table): void => setTables((before) => before.filter((each) => each !== table));
  const addTable = (table: Table, mapped: Mapped): void => {
    const content: ImportedFile['content'] = (signal, onProgress) => askTables('map', mapped, { signal, onProgress });
    if (load([{ name: table.file.name, content }])) remove(table);
  };
  const own = imports.value.filter((each) => each.repository === repository.value);
  return (
    <div class="column wide">
      <h1>{text.pages.import}</h1>
      <DropArea onFiles={(files) => void add([...files]).catch(fail)} />
      {problem !== undefined && <ProblemView problem={{ status: 0, code: 'INVALID_TERM', message: problem }} />}
      <Options choices={choices} onChange={(changes) => setChoices({ ...choices, ...changes })} />
      {tables.map((table) => (
        <TableCard
          key={table}
          table={table}
          onImport={(mapped) => addTable(table, mapped)}
          onRemove={() => remove(table)}
        />
      ))}
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
  const choice = (name: 'intoGraph' | 'replace' | 'skip' | 'dryRun', legend: string, no: string, yes: string) => (
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
      <fieldset class="inline-choice">
        {choice('dryRun', importText.dryRun, importText.really, importText.onlyAsk)}
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
