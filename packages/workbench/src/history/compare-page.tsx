/** What changed between two revisions. */
import { saveDocument } from '../api/download.js';
import { diffPath } from '../api/history.js';
import { readDiff } from '../api/revisions.js';
import { number, text } from '../messages/en.js';
import { replaceParameters, route } from '../router.js';
import { fail } from '../state/notices.js';
import { repository } from '../state/repository.js';
import { revisions, tags } from '../state/revision.js';
import { Changes } from '../terms/changes.js';
import { ErrorView } from '../terms/problem-view.js';
import { Icon } from '../ui/icon.js';
import { Menu } from '../ui/menu.js';
import { useLoaded } from '../ui/use-loaded.js';

const MOST_SHOWN = 10_000;

const FORMATS = [
  { label: 'RDF Patch', type: 'application/rdf-patch', extension: 'rdfp' },
  { label: 'SPARQL Update', type: 'application/sparql-update', extension: 'ru' },
  { label: 'TriG', type: 'application/trig', extension: 'trig' },
  { label: 'JSON', type: 'application/json', extension: 'json' },
] as const;

export function ComparePage() {
  const { from = '1', to = String(revisions.value.at(-1)?.ordinal ?? 1) } = route.value.parameters;
  const diff = useLoaded(
    (signal) => readDiff(repository.value!, from, to, MOST_SHOWN, signal),
    [repository.value, from, to],
  );
  const changes = diff.value?.changes ?? [];
  const added = changes.filter(({ op }) => op === 'add').length;
  const commands = FORMATS.map(({ label, type, extension }) => ({
    label,
    run: () =>
      void saveDocument(`${repository.value!}/${diffPath(from, to)}`, type, `${from}-${to}.${extension}`).catch(fail),
  }));
  return (
    <div class="column wide">
      <div class="title-row">
        <div>
          <h1>{text.history.changesOf(from, to)}</h1>
          {diff.value !== undefined && (
            <p class="muted" data-testid="diff-summary">
              {text.history.summary(number(added), number(changes.length - added), diff.value.cut)}
            </p>
          )}
        </div>
        <div class="row">
          <Choice label={text.history.compare} value={from} name="from" />
          <span class="muted">{text.history.with}</span>
          <Choice label={text.history.compareWith} value={to} name="to" />
          <Menu label={text.query.download} class="button quiet" commands={commands}>
            <Icon name="download" />
            {text.query.download}
          </Menu>
        </div>
      </div>
      {diff.error !== undefined && <ErrorView error={diff.error} onRetry={diff.again} />}
      {diff.value === undefined && diff.loading && <p class="loading">{text.loading}</p>}
      {diff.value !== undefined && changes.length === 0 && <p class="empty-note">{text.history.same}</p>}
      {changes.length > 0 && <Changes changes={changes} cut={diff.value?.cut === true} />}
    </div>
  );
}

interface ChoiceProperties {
  readonly label: string;
  readonly value: string;
  readonly name: 'from' | 'to';
}

function Choice({ label, value, name }: ChoiceProperties) {
  return (
    <select
      aria-label={label}
      value={value}
      onChange={({ currentTarget }) => replaceParameters({ [name]: currentTarget.value })}
    >
      {revisions.value.toReversed().map(({ ordinal, uuid }) => (
        <option key={uuid} value={String(ordinal)}>
          {text.history.option(ordinal, tags.value.get(uuid)?.[0])}
        </option>
      ))}
    </select>
  );
}
