/** The log of a repository. */
import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { listRevisions, type LogFilter, parentsOf, type RevisionRecord } from '../api/revisions.js';
import { text } from '../messages/en.js';
import { logText } from '../messages/log.js';
import { hrefOf, navigate, replaceParameters, route } from '../router.js';
import { branches, branchName, heads, isGone } from '../state/branch.js';
import { repository } from '../state/repository.js';
import { head, revisions } from '../state/revision.js';
import { ErrorView } from '../terms/problem-view.js';
import { RevertDialog } from '../terms/revert-dialog.js';
import { ComboField } from '../ui/combo-field.js';
import { Icon } from '../ui/icon.js';
import { useLoaded } from '../ui/use-loaded.js';
import { type Acting, Entry } from './entry.js';
import { type Graph, lanesOf } from './lanes.js';
import { PickDialog } from './pick-dialog.js';
import { refOptions } from '../terms/refs.js';

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
  const [acting, setActing] = useState<Acting | undefined>(undefined);
  const hasBranches = (branches.value?.length ?? 0) > 1;
  // The log of all branches is not filtered by time.
  const all =
    hasBranches && !isGone.value && since === '' && route.value.parameters['only'] === undefined ? 'all' : undefined;
  const log = useLoaded(
    (signal) => listRevisions(repository.value!, { ...requested(filter), branches: all, limit: most + 1 }, signal),
    [repository.value, filter, most, head.value?.uuid, all, heads.value],
  );
  const list = useMemo(() => log.value?.slice(0, most) ?? [], [log.value, most]);
  // Of what a filter has left, most parents are missing.
  const isWhole = author === '' && message === '' && since === '';
  const graph = useMemo(() => (isWhole ? graphOf(list) : undefined), [list, isWhole, head.value?.uuid]);
  const byId = useMemo(() => new Map(list.map((each) => [each.uuid, each])), [list]);
  const own = useMemo(() => new Set(revisions.value.map(({ uuid }) => uuid)), [revisions.value]);
  const isElsewhere = ({ uuid, branch }: RevisionRecord): boolean =>
    all !== undefined && !own.has(uuid) && branch !== branchName.value;
  return (
    <div class="column wide">
      <div class="title-row">
        <h1>{text.pages.history}</h1>
        <Compare />
      </div>
      <Filters filter={filter} onChange={setFilter}>
        {hasBranches && <AllBranches isOn={all !== undefined} />}
      </Filters>
      {log.error !== undefined && <ErrorView error={log.error} onRetry={log.again} />}
      <ol class="log" aria-busy={log.loading}>
        {list.map((revision, place) => (
          <Entry
            key={revision.uuid}
            revision={revision}
            drawn={graph && { row: graph.rows[place]!, lanes: graph.width }}
            isElsewhere={isElsewhere(revision)}
            merged={byId.get(parentsOf(revision)[1] ?? '')}
            onAct={setActing}
          />
        ))}
      </ol>
      {log.value?.length === 0 && <p class="empty-note">{text.history.none}</p>}
      {(log.value?.length ?? 0) > most && (
        <button type="button" class="button" onClick={() => setMost(most + AT_ONCE)}>
          {text.history.older}
        </button>
      )}
      {acting !== undefined && <Act acting={acting} onClose={() => setActing(undefined)} />}
    </div>
  );
}

function Act({ acting: { revision, name }, onClose }: { readonly acting: Acting; readonly onClose: () => void }) {
  if (name === undefined) return <RevertDialog revision={revision} onClose={onClose} />;
  return <PickDialog revision={revision} name={name} onClose={onClose} />;
}

const graphOf = (list: readonly RevisionRecord[]): Graph =>
  lanesOf(
    list.map((each) => ({ uuid: each.uuid, parents: parentsOf(each) })),
    head.value?.uuid,
  );

function AllBranches({ isOn }: { readonly isOn: boolean }) {
  return (
    <>
      <label class="inline-field">
        <input
          type="checkbox"
          checked={isOn}
          onChange={({ currentTarget: { checked } }) => replaceParameters({ only: checked ? undefined : '' })}
        />
        <span>{logText.allBranches}</span>
      </label>
      <a class="button quiet" href={hrefOf('branches', repository.value)}>
        <Icon name="branch" />
        {logText.branches}
      </a>
    </>
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

interface FiltersProperties {
  readonly filter: Filter;
  readonly onChange: (filter: Filter) => void;
  readonly children: ComponentChildren;
}

function Filters({ filter, onChange, children }: FiltersProperties) {
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
      {children}
    </div>
  );
}

const authors = (): string[] =>
  [...new Set(revisions.value.map(({ agent }) => agent).filter((agent) => agent !== null))].sort();

function Compare() {
  const list = revisions.value;
  const [from, setFrom] = useState('HEAD~1');
  const [to, setTo] = useState('HEAD');
  if (list.length < 2) return null;
  const options = refOptions();
  return (
    <form
      class="row compare-form"
      onSubmit={(event) => {
        event.preventDefault();
        navigate(hrefOf('compare', repository.value, { from, to }));
      }}
    >
      <ComboField label={text.history.compare} value={from} options={options} onChange={setFrom} />
      <span class="muted">{text.history.with}</span>
      <ComboField label={text.history.compareWith} value={to} options={options} onChange={setTo} />
      <button type="submit" class="button">
        <Icon name="compare" />
        {text.history.compare}
      </button>
    </form>
  );
}
