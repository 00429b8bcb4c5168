/** One resource: what it says, what refers to it, where its values come from, and what became of others. */
import { useState } from 'preact/hooks';
import { text } from '../messages/en.js';
import { hrefOf, replaceParameters, route } from '../router.js';
import { shortened } from '../rows/term.js';
import { namespaces, repository } from '../state/repository.js';
import { at } from '../state/revision.js';
import { status } from '../state/notices.js';
import { preferredLanguage } from '../rows/labels.js';
import { ErrorView } from '../terms/problem-view.js';
import { Icon } from '../ui/icon.js';
import { Tabs } from '../ui/tabs.js';
import { useLoaded } from '../ui/use-loaded.js';
import { isQueryable, labelsOf, readIncoming, readOutgoing } from './read.js';
import { Incoming, Outgoing } from './values.js';
import { ResourceHistory } from './history.js';

type View = 'outgoing' | 'incoming' | 'history';

export function ResourcePage() {
  const { iri = '' } = route.value.parameters;
  if (isQueryable(iri)) return <Resource key={iri} iri={iri} />;
  return (
    <div class="column wide">
      <h1>{text.pages.resource}</h1>
      <p class="empty-note">{text.resource.noIri}</p>
    </div>
  );
}

function Resource({ iri }: { readonly iri: string }) {
  const { view = 'outgoing', origin: wanted } = route.value.parameters;
  const origin = wanted !== undefined;
  const place = [repository.value, iri, at.value] as const;
  const outgoing = useLoaded((signal) => readOutgoing(repository.value!, iri, at.value, signal), place);
  const incoming = useLoaded((signal) => readIncoming(repository.value!, iri, at.value, signal), place);
  const labels = labelsOf(outgoing.value ?? []);
  const selected = (['outgoing', 'incoming', 'history'] as const).find((name) => name === view) ?? 'outgoing';
  const shown = selected === 'incoming' ? incoming : outgoing;
  return (
    <div class="column wide">
      <Head iri={iri} labels={labels} />
      <div class="results-bar">
        <Tabs<View>
          label={text.pages.resource}
          tabs={[
            { id: 'outgoing', label: text.resource.outgoing(outgoing.value?.length) },
            { id: 'incoming', label: text.resource.incoming(incoming.value?.length) },
            { id: 'history', label: text.resource.history },
          ]}
          selected={selected}
          onSelect={(name) => replaceParameters({ view: name === 'outgoing' ? undefined : name })}
          panel="resource-panel"
        />
        <span class="spring" />
        {selected === 'outgoing' && (
          <label class="inline-field">
            <input
              type="checkbox"
              checked={origin}
              onChange={() => replaceParameters({ origin: origin ? undefined : '1' })}
            />
            {text.resource.origin}
          </label>
        )}
      </div>
      <div
        id="resource-panel"
        role="tabpanel"
        aria-label={text.pages.resource}
        class="panel"
        aria-busy={selected !== 'history' && shown.loading}
      >
        {selected === 'history' ? (
          <ResourceHistory iri={iri} />
        ) : shown.error !== undefined ? (
          <ErrorView error={shown.error} onRetry={shown.again} />
        ) : selected === 'outgoing' ? (
          <Outgoing iri={iri} values={outgoing.value} origin={origin} />
        ) : (
          <Incoming values={incoming.value} />
        )}
      </div>
    </div>
  );
}

function Head({ iri, labels }: { readonly iri: string; readonly labels: ReadonlyMap<string, string> }) {
  const [chosen, setChosen] = useState('');
  const languages = [...labels.keys()];
  const language = labels.has(chosen) ? chosen : (preferredLanguage(labels, navigator.languages) ?? '');
  const label = labels.get(language);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(iri).catch(() => undefined);
    status.value = text.resource.copied;
  };
  const query = `SELECT ?predicate ?object {\n  <${iri}> ?predicate ?object\n}`;
  return (
    <div class="title-row">
      <div class="resource-title">
        <h1>
          <bdi lang={language || undefined}>{label ?? shortened(iri, namespaces.value) ?? iri}</bdi>
          {languages.length > 1 && (
            <select
              aria-label={text.resource.language}
              value={language}
              onChange={({ currentTarget: { value } }) => setChosen(value)}
            >
              {languages.map((tag) => (
                <option key={tag}>{tag}</option>
              ))}
            </select>
          )}
        </h1>
        <p class="muted iri-line">
          <bdi>{`<${iri}>`}</bdi>
        </p>
      </div>
      <div class="row">
        <button type="button" class="button" onClick={() => void copy()}>
          {text.resource.copyIri}
        </button>
        <a class="button" href={hrefOf('query', repository.value, { q: query, at: at.value })}>
          <Icon name="query" />
          {text.resource.queryThis}
        </a>
        {/^https?:\/\//i.test(iri) && (
          <a class="button" href={iri} target="_blank" rel="noreferrer noopener">
            {text.resource.open}
          </a>
        )}
      </div>
    </div>
  );
}
