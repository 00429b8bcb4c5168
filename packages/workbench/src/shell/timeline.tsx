/** The time machine: every revision as a bar, and a slider that moves all pages through them. */
import { useState } from 'preact/hooks';
import type { RevisionBucket, RevisionRecord } from '../api/revisions.js';
import { date, number, text } from '../messages/en.js';
import { hrefOf, route } from '../router.js';
import { repository } from '../state/repository.js';
import {
  at,
  arrived,
  buckets,
  first,
  head,
  isOld,
  missing,
  neighbour,
  placeOf,
  readRevisions,
  revisions,
  show,
  showDay,
  shown,
  slide,
  sliding,
  tags,
} from '../state/revision.js';
import { Icon } from '../ui/icon.js';

export function Timeline() {
  const [open, setOpen] = useState(false);
  // Where the slider is while it moves, else the revision of the address.
  const ordinal = sliding.value ?? shown.value?.ordinal;
  const last = head.value?.ordinal ?? 1;
  return (
    <section class={open ? 'timeline open' : 'timeline'} aria-label={text.timeline.region} data-old={isOld.value}>
      <button type="button" class="button quiet timeline-opener" aria-expanded={open} onClick={() => setOpen(!open)}>
        <Icon name="clock" />
        {ordinal === undefined ? text.timeline.open : text.timeline.position(ordinal, last)}
        {isOld.value && ordinal !== undefined && <span class="old-mark">{text.timeline.old}</span>}
        <Icon name="down" />
      </button>
      {isOld.value && !open && (
        <button type="button" class="button small narrow-only" onClick={() => show(undefined)}>
          {text.timeline.back}
        </button>
      )}
      {missing.value !== undefined && <Missing code={missing.value.code} />}
      {ordinal !== undefined && (
        <div class="timeline-body">
          <Step name="left" label={text.timeline.previous} to={neighbour(-1)} />
          <Slider ordinal={ordinal} last={last} />
          <Step name="right" label={text.timeline.next} to={neighbour(1)} />
          <Description ordinal={ordinal} last={last} />
        </div>
      )}
    </section>
  );
}

/** The address names a revision that is not there: links lead to those that are. */
function Missing({ code }: { readonly code: string }) {
  const { page, parameters } = route.value;
  const to = (ordinal: number | undefined): string =>
    hrefOf(page, repository.value, { ...parameters, at: ordinal?.toString() });
  const ref = at.value ?? '';
  return (
    <div class="notice warning" role="alert">
      <p>{code === 'REVISION_TRIMMED' ? text.timeline.trimmed(ref) : text.timeline.unknown(ref)}</p>
      <a class="button small" href={to(first.value)}>
        {text.timeline.oldest(first.value)}
      </a>
      <a class="button small" href={to(undefined)}>
        {text.timeline.back}
      </a>
    </div>
  );
}

/** What is known of a revision: those that are not held are read when the slider rests. */
function recordOf(ordinal: number): RevisionRecord | undefined {
  const found = revisions.value.find((revision) => revision.ordinal === ordinal);
  return found ?? (shown.value?.ordinal === ordinal ? shown.value : undefined);
}

interface StepProperties {
  readonly name: 'left' | 'right';
  readonly label: string;
  /** Undefined where there is none. */
  readonly to: number | undefined;
}

function Step({ name, label, to }: StepProperties) {
  return (
    <button
      type="button"
      class="button quiet square"
      aria-label={label}
      title={label}
      disabled={to === undefined}
      onClick={() => show(to)}
    >
      <Icon name={name} />
    </button>
  );
}

interface PlaceProperties {
  readonly ordinal: number;
  /** The current one. */
  readonly last: number;
}

const SLIDER = 'revision-slider';

function Slider({ ordinal, last }: PlaceProperties) {
  const revision = recordOf(ordinal);
  const spoken =
    revision === undefined
      ? text.timeline.position(ordinal, last)
      : text.timeline.spoken(ordinal, last, revision.datetime, revision.added, revision.removed);
  return (
    <div class="timeline-slider">
      <Bars ordinal={ordinal} />
      <input
        id={SLIDER}
        type="range"
        aria-label={text.timeline.slider}
        aria-valuetext={spoken}
        min={first.value}
        max={placeOf(last)}
        value={placeOf(ordinal)}
        onInput={({ currentTarget: { value } }) => slide(Number(value))}
      />
    </div>
  );
}

/** At most so many bars; more revisions share one. */
const MOST_BARS = 160;
const HEIGHT = 34;

/** The revisions that each bar stands for. */
function groups(): readonly RevisionBucket[] {
  if (buckets.value !== undefined) return buckets.value;
  const list = revisions.value;
  const each = Math.ceil(list.length / MOST_BARS);
  return Array.from({ length: Math.ceil(list.length / each) }, (_, bar) => {
    const group = list.slice(bar * each, (bar + 1) * each);
    return {
      from: group[0]!.ordinal,
      until: group.at(-1)!.ordinal,
      added: group.reduce((sum, { added }) => sum + added, 0),
      removed: group.reduce((sum, { removed }) => sum + removed, 0),
    };
  });
}

/** How much each revision changed, on a logarithmic scale: what was added stands on what was removed. */
function Bars({ ordinal }: { readonly ordinal: number }) {
  const bars = groups();
  const most = Math.max(...bars.map(({ added, removed }) => added + removed), 1);
  const scale = (value: number): number =>
    value === 0 ? 0 : 3 + ((HEIGHT - 3) * Math.log1p(value)) / Math.log1p(most);
  // The middle of the thumb is at these places: the range of a slider ends half a thumb before its edges.
  const length = placeOf(head.value?.ordinal ?? 1) - first.value;
  const place = (from: number, until: number): number =>
    length === 0 ? 0 : (100 * ((placeOf(from) + placeOf(until)) / 2 - first.value)) / length;
  return (
    <div class="timeline-bars" aria-hidden="true">
      {bars.map(({ from, until, added, removed }) => {
        const height = scale(added + removed);
        const state = ordinal < from ? 'later' : ordinal > until ? 'before' : 'now';
        return (
          <span
            key={from}
            class={`bar ${state}`}
            style={{ left: `${String(place(from, until))}%`, height: `${String(height)}px` }}
          >
            <i style={{ height: `${String((100 * removed) / Math.max(added + removed, 1))}%` }} />
          </span>
        );
      })}
    </div>
  );
}

function Description({ ordinal, last }: PlaceProperties) {
  const revision = recordOf(ordinal);
  return (
    <div class="timeline-description">
      <strong>{text.timeline.position(ordinal, last)}</strong>
      {revision !== undefined && <Facts revision={revision} />}
      <span class="spring" />
      {arrived.value > 0 && (
        <button type="button" class="button small" onClick={() => void readRevisions().then(focusSlider)}>
          {text.timeline.arrived(arrived.value)}
        </button>
      )}
      {buckets.value !== undefined && <Day />}
      {isOld.value ? <ReadOnly ordinal={ordinal} /> : <span class="current-mark">{text.timeline.current}</span>}
    </div>
  );
}

function Facts({ revision }: { readonly revision: RevisionRecord }) {
  const { uuid, datetime, added, removed, message } = revision;
  return (
    <>
      <span class="muted">{date(datetime)}</span>
      <span class="changes">
        <span class={added > 0 ? 'plus' : 'zero'}>+{number(added)}</span>{' '}
        <span class={removed > 0 ? 'minus' : 'zero'}>−{number(removed)}</span>
      </span>
      {(tags.value.get(uuid) ?? []).map((tag) => (
        <span key={tag} class="tag">
          {tag}
        </span>
      ))}
      {message !== null && <span class="message">{message}</span>}
    </>
  );
}

/** Jumps to a day where there are too many revisions to find it by the slider. */
function Day() {
  return (
    <input
      type="date"
      class="day"
      aria-label={text.timeline.day}
      title={text.timeline.day}
      onChange={({ currentTarget: { value } }) => void showDay(value)}
    />
  );
}

/** The button that was pressed goes away: the focus stays in the timeline. */
const focusSlider = (): void => document.getElementById(SLIDER)?.focus();

function toCurrent(): void {
  show(undefined);
  focusSlider();
}

function ReadOnly({ ordinal }: { readonly ordinal: number }) {
  return (
    <span class="read-only">
      {text.timeline.readOnly(ordinal)}
      <button type="button" class="button small" onClick={toCurrent}>
        {text.timeline.back}
      </button>
    </span>
  );
}
