/** The time machine: every revision as a bar, and a slider that moves all pages through them. */
import { useState } from 'preact/hooks';
import type { RevisionRecord } from '../api/revisions.js';
import { date, number, text } from '../messages/en.js';
import {
  arrived,
  head,
  isOld,
  readRevisions,
  revisions,
  show,
  shown,
  slide,
  sliding,
  tags,
} from '../state/revision.js';
import { Icon } from '../ui/icon.js';

export function Timeline() {
  const [open, setOpen] = useState(false);
  const list = revisions.value;
  const index = indexOf(list);
  const revision = list[index];
  return (
    <section class={open ? 'timeline open' : 'timeline'} aria-label={text.timeline.region} data-old={isOld.value}>
      <button type="button" class="button quiet timeline-opener" aria-expanded={open} onClick={() => setOpen(!open)}>
        <Icon name="clock" />
        {revision === undefined ? text.timeline.open : positionOf(revision)}
        <Icon name="down" />
      </button>
      {revision !== undefined && (
        <div class="timeline-body">
          <Step name="left" label={text.timeline.previous} to={list[index - 1]} />
          <Slider list={list} index={index} revision={revision} />
          <Step name="right" label={text.timeline.next} to={list[index + 1]} />
          <Description revision={revision} />
        </div>
      )}
    </section>
  );
}

/** Where the slider is while it moves, else the revision of the address. */
function indexOf(list: readonly RevisionRecord[]): number {
  const wanted = sliding.value ?? shown.value?.ordinal;
  return list.findIndex(({ ordinal }) => ordinal === wanted);
}

const positionOf = ({ ordinal }: RevisionRecord): string =>
  text.timeline.position(ordinal, head.value?.ordinal ?? ordinal);

function Step({
  name,
  label,
  to,
}: {
  readonly name: 'left' | 'right';
  readonly label: string;
  readonly to: RevisionRecord | undefined;
}) {
  return (
    <button
      type="button"
      class="button quiet square"
      aria-label={label}
      title={label}
      disabled={to === undefined}
      onClick={() => to !== undefined && show(to.ordinal)}
    >
      <Icon name={name} />
    </button>
  );
}

interface SliderProperties {
  readonly list: readonly RevisionRecord[];
  readonly index: number;
  readonly revision: RevisionRecord;
}

function Slider({ list, index, revision }: SliderProperties) {
  const { ordinal, datetime, added, removed } = revision;
  const last = head.value?.ordinal ?? ordinal;
  return (
    <div class="timeline-slider">
      <Bars list={list} index={index} />
      <input
        type="range"
        aria-label={text.timeline.slider}
        aria-valuetext={text.timeline.spoken(ordinal, last, datetime, added, removed)}
        min={0}
        max={list.length - 1}
        value={index}
        onInput={({ currentTarget: { value } }) => slide(list[Number(value)]!.ordinal)}
      />
    </div>
  );
}

/** At most so many bars; more revisions share one. */
const MOST_BARS = 160;
const HEIGHT = 36;

/** How much each revision changed, on a logarithmic scale: what was added stands on what was removed. */
function Bars({ list, index }: { readonly list: readonly RevisionRecord[]; readonly index: number }) {
  const each = Math.ceil(list.length / MOST_BARS);
  const bars = Array.from({ length: Math.ceil(list.length / each) }, (_, bar) =>
    list.slice(bar * each, (bar + 1) * each),
  );
  const most = Math.max(...list.map(({ added, removed }) => added + removed), 1);
  const scale = (value: number): number =>
    value === 0 ? 0 : 3 + ((HEIGHT - 3) * Math.log1p(value)) / Math.log1p(most);
  // The middle of the thumb is at these places: the range of a slider ends half a thumb before its edges.
  const place = (bar: number): number => (bars.length === 1 ? 0 : (100 * bar) / (bars.length - 1));
  return (
    <div class="timeline-bars" aria-hidden="true">
      {bars.map((group, bar) => {
        const added = group.reduce((sum, revision) => sum + revision.added, 0);
        const removed = group.reduce((sum, revision) => sum + revision.removed, 0);
        const height = scale(added + removed);
        const state = bar === Math.floor(index / each) ? 'now' : bar > index / each ? 'later' : 'before';
        return (
          <span
            key={group[0]!.uuid}
            class={`bar ${state}`}
            style={{ left: `${String(place(bar))}%`, height: `${String(height)}px` }}
          >
            <i style={{ height: `${String((100 * removed) / Math.max(added + removed, 1))}%` }} />
          </span>
        );
      })}
    </div>
  );
}

function Description({ revision }: { readonly revision: RevisionRecord }) {
  const { uuid, datetime, added, removed, message } = revision;
  const current = uuid === head.value?.uuid;
  return (
    <div class="timeline-description">
      <strong>{positionOf(revision)}</strong>
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
      <span class="spring" />
      {arrived.value > 0 && (
        <button type="button" class="button small" onClick={() => void readRevisions()}>
          {text.timeline.arrived(arrived.value)}
        </button>
      )}
      {isOld.value && <ReadOnly revision={revision} />}
      <button type="button" class="button small" disabled={current} onClick={() => show(undefined)}>
        {text.timeline.current}
      </button>
    </div>
  );
}

function ReadOnly({ revision }: { readonly revision: RevisionRecord }) {
  return (
    <span class="read-only">
      {text.timeline.readOnly(revision.ordinal)}
      <button type="button" class="button small" onClick={() => show(undefined)}>
        {text.timeline.back}
      </button>
    </span>
  );
}
