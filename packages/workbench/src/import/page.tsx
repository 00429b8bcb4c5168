/** Documents into the repository: chosen or dropped, loaded one after the other. */
import { useRef, useState } from 'preact/hooks';
import { ENDINGS } from '../api/imports.js';
import { text } from '../messages/en.js';
import { clearFinished, enqueue, imports } from '../state/imports.js';
import { repository } from '../state/repository.js';
import { Icon } from '../ui/icon.js';
import { ImportRow } from './row.js';

export function ImportPage() {
  const [graph, setGraph] = useState('');
  const [intoGraph, setIntoGraph] = useState(false);
  const [replace, setReplace] = useState(false);
  const [message, setMessage] = useState('');
  const add = (files: Iterable<File>): void => {
    const documents = [...files].map((file) => ({ name: file.name, content: file }));
    enqueue(documents, { repository: repository.value!, graph: intoGraph ? graph.trim() : '', replace, message });
  };
  const own = imports.value.filter((each) => each.repository === repository.value);
  return (
    <div class="column wide">
      <h1>{text.pages.import}</h1>
      <DropArea onFiles={add} />
      <div class="import-options">
        <fieldset class="inline-choice">
          <legend>{text.import.into}</legend>
          <Radio
            name="into"
            label={text.import.defaultGraph}
            checked={!intoGraph}
            onChange={() => setIntoGraph(false)}
          />
          <Radio name="into" label={text.import.graph} checked={intoGraph} onChange={() => setIntoGraph(true)} />
          {intoGraph && (
            <input
              aria-label={text.import.graphIri}
              placeholder="http://example.org/graph"
              value={graph}
              onInput={({ currentTarget: { value } }) => setGraph(value)}
            />
          )}
        </fieldset>
        <fieldset class="inline-choice">
          <legend>{text.import.how}</legend>
          <Radio name="how" label={text.import.add} checked={!replace} onChange={() => setReplace(false)} />
          <Radio name="how" label={text.import.replace} checked={replace} onChange={() => setReplace(true)} />
        </fieldset>
        <label class="inline-field">
          <span>{text.import.message}</span>
          <input value={message} onInput={({ currentTarget: { value } }) => setMessage(value)} />
        </label>
      </div>
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
