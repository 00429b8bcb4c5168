/** The prefixes of a repository. */
import { useState } from 'preact/hooks';
import { getNamespaces, setNamespace } from '../api/repositories.js';
import { removeNamespace } from '../api/settings.js';
import { text } from '../messages/en.js';
import { fail } from '../state/notices.js';
import { namespaces, readNamespaces, repository } from '../state/repository.js';
import { TermInput } from '../terms/term-field.js';
import { iriOfTerm, typedTerm } from '../terms/typed-term.js';
import { Icon } from '../ui/icon.js';
import { useLoaded } from '../ui/use-loaded.js';

export function Namespaces() {
  const [changes, setChanges] = useState(0);
  const name = repository.value!;
  const own = useLoaded(() => getNamespaces(name), [name, changes]);
  const act = (action: Promise<void>): void =>
    void action.then(() => {
      setChanges(changes + 1);
      return readNamespaces();
    }, fail);
  return (
    <section class="block" aria-label={text.settings.namespaces}>
      <h2>{text.settings.namespaces}</h2>
      <ul class="namespaces">
        {Object.entries(own.value ?? {}).map(([each, start]) => (
          <li key={each}>
            <code>{each}:</code>
            <span class="namespace-iri">{start}</span>
            <button
              type="button"
              class="button quiet square small"
              aria-label={text.settings.removePrefix(each)}
              onClick={() => act(removeNamespace(name, each))}
            >
              <Icon name="trash" />
            </button>
          </li>
        ))}
      </ul>
      <Add onAdd={(prefix, iri) => act(setNamespace(name, prefix, iri))} />
    </section>
  );
}

function Add({ onAdd }: { readonly onAdd: (prefix: string, iri: string) => void }) {
  const [prefix, setPrefix] = useState('');
  const [iri, setIri] = useState('');
  return (
    <form
      class="row"
      onSubmit={(event) => {
        event.preventDefault();
        const { term } = typedTerm(iri.trim(), namespaces.value);
        // The field says what is wrong with it.
        if (term === undefined) return;
        onAdd(prefix.trim().replace(/:$/, ''), iriOfTerm(term));
        setPrefix('');
        setIri('');
      }}
    >
      <input
        aria-label={text.settings.prefix}
        placeholder="ex"
        size={8}
        value={prefix}
        onInput={({ currentTarget: { value } }) => setPrefix(value)}
      />
      <TermInput
        label={text.settings.namespace}
        placeholder="http://example.org/"
        required
        value={iri}
        onInput={setIri}
      />
      <button type="submit" class="button">
        {text.settings.addPrefix}
      </button>
    </form>
  );
}
