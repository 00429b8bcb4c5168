/** The log of a repository. */
import { useMemo, useState } from 'preact/hooks';
import { listRevisions, type LogFilter, type RevisionRecord } from '../api/revisions.js';
import { ago, date, number, text } from '../messages/en.js';
import { hrefOf, navigate, replaceParameters, route } from '../router.js';
import { repository } from '../state/repository.js';
import { head, revisions, tags } from '../state/revision.js';
import { PlusMinus } from '../terms/changes.js';
import { ErrorView } from '../terms/problem-view.js';
import { RevertDialog } from '../terms/revert-dialog.js';
import { Icon } from '../ui/icon.js';
import { useLoaded } from '../ui/use-loaded.js';

const AT_ONCE = 100;

export function HistoryPage() {
  const { author = '', message = '', since = '' } = route.value.parameters;
  const filter = useMemo(() => ({ author, message, since }), [author, message, since]);
  const setFilter = (changed: Filter): void =>
    replaceParameters({
      author: changed.author || undefined,
      message: changed.message || undefined,
      since: changed.since || undefined,
    });
  const [most, setMost] = useState(AT_ONCE);
  const [reverting, setReverting] = useState<RevisionRecord | undefined>(undefined);
  const log = useLoaded(
    (signal) => listRevisions(repository.value!, { ...requested(filter), limit: most + 1 }, signal),
    [repository.value, filter, most, head.value?.uuid],
  );
  return (
    <div class="column wide">
      <div class="title-row">
        <h1>{text.pages.history}</h1>
        <Compare />
      </div>
      <Filters filter={filter} onChange={setFilter} />
      {log.error !== undefined && <ErrorView error={log.error} onRetry={log.again} />}
      <ol class="log" aria-busy={log.loading}>
        {log.value?.slice(0, most).map((revision) => (
          <Entry key={revision.uuid} revision={revision} onRevert={setReverting} />
        ))}
      </ol>
      {log.value?.length === 0 && <p class="empty-note">{text.history.none}</p>}
      {(log.value?.length ?? 0) > most && (
        <button type="button" class="button" onClick={() => setMost(most + AT_ONCE)}>
          {text.history.older}
        </button>
      )}
      {reverting !== undefined && <RevertDialog revision={reverting} onClose={() => setReverting(undefined)} />}
    </div>
  );
}

interface Filter {
  readonly author: string;
  readonly message: string;
  /** `YYYY-MM-DD`, or empty. */
  readonly since: string;
}

const requested = ({ author, message, since }: Filter): LogFilter => ({
  author: author || undefined,
  message: message || undefined,
  from: since === '' ? undefined : `${since}T00:00:00Z`,
});

function Filters({ filter, onChange }: { readonly filter: Filter; readonly onChange: (filter: Filter) => void }) {
  return (
    <div class="filters">
      <select
        aria-label={text.history.author}
        value={filter.author}
        onChange={({ currentTarget: { value } }) => onChange({ ...filter, author: value })}
      >
        <option value="">{text.history.allAuthors}</option>
        {authors().map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
      <label class="inline-field">
        <span>{text.history.since}</span>
        <input
          type="date"
          value={filter.since}
          onInput={({ currentTarget: { value } }) => onChange({ ...filter, since: value })}
        />
      </label>
      <span class="search">
        <Icon name="search" />
        <input
          type="search"
          aria-label={text.history.messageContains}
          placeholder={text.history.messageContains}
          value={filter.message}
          onInput={({ currentTarget: { value } }) => onChange({ ...filter, message: value })}
        />
      </span>
    </div>
  );
}

const authors = (): string[] =>
  [...new Set(revisions.value.map(({ agent }) => agent).filter((agent) => agent !== null))].sort();

interface EntryProperties {
  readonly revision: RevisionRecord;
  readonly onRevert: (revision: RevisionRecord) => void;
}

function Entry({ revision, onRevert }: EntryProperties) {
  const { uuid, ordinal, datetime, message, agent, added, removed } = revision;
  const at = ordinal === head.value?.ordinal ? undefined : String(ordinal);
  return (
    <li class="log-entry">
      <span class="log-number">{number(ordinal)}</span>
      <div class="log-text">
        <span class="log-message">
          {message ?? <span class="muted">{ordinal === 1 ? text.history.first : text.history.noMessage}</span>}{' '}
          {(tags.value.get(uuid) ?? []).map((tag) => (
            <span key={tag} class="tag">
              {tag}
            </span>
          ))}
        </span>
        <span class="log-facts muted">
          {agent !== null && <>{agent} · </>}
          <time dateTime={datetime} title={date(datetime)}>
            {ago(datetime)}
          </time>{' '}
          · <PlusMinus added={added} removed={removed} />
        </span>
      </div>
      <div class="row">
        {ordinal > 1 && (
          <a
            class="button small"
            href={hrefOf('compare', repository.value, { from: String(ordinal - 1), to: String(ordinal) })}
          >
            {text.history.showChanges}
          </a>
        )}
        <a class="button small" href={hrefOf('query', repository.value, { at })}>
          {text.history.queryHere}
        </a>
        {ordinal > 1 && (
          <button type="button" class="button small" onClick={() => onRevert(revision)}>
            {text.history.revert}
          </button>
        )}
      </div>
    </li>
  );
}

function Compare() {
  const list = revisions.value.toReversed();
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  if (list.length < 2) return null;
  const first = from || String(list[1]!.ordinal);
  const second = to || String(list[0]!.ordinal);
  const options = list.map(({ ordinal, uuid }) => (
    <option key={uuid} value={String(ordinal)}>
      {text.history.option(ordinal, tags.value.get(uuid)?.[0])}
    </option>
  ));
  return (
    <form
      class="row compare-form"
      onSubmit={(event) => {
        event.preventDefault();
        navigate(hrefOf('compare', repository.value, { from: first, to: second }));
      }}
    >
      <select
        aria-label={text.history.compare}
        value={first}
        onChange={({ currentTarget: { value } }) => setFrom(value)}
      >
        {options}
      </select>
      <span class="muted">{text.history.with}</span>
      <select
        aria-label={text.history.compareWith}
        value={second}
        onChange={({ currentTarget: { value } }) => setTo(value)}
      >
        {options}
      </select>
      <button type="submit" class="button">
        <Icon name="compare" />
        {text.history.compare}
      </button>
    </form>
  );
}
