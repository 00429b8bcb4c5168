/** The field for terms, of all pages: it knows prefixes, proposes terms of the repository, and says what is wrong with a term. */
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { getTerms, type TermPosition } from '../api/schema.js';
import { number } from '../messages/en.js';
import { termText } from '../messages/terms.js';
import { shortened } from '../rows/term.js';
import { namespaces, repository } from '../state/repository.js';
import { hasFeature } from '../state/session.js';
import { type Taken, typedTerms } from './typed-term.js';

interface InputProperties {
  readonly label: string;
  /** As typed. */
  readonly value: string;
  readonly onInput: (value: string) => void;
  /** Where the proposed terms stand in statements; empty to propose none. */
  readonly positions?: readonly TermPosition[];
  readonly taken?: Taken;
  /** Whether it takes a term in each line. */
  readonly many?: boolean;
  readonly placeholder?: string;
  /** Words that are no term, and stand for something here. */
  readonly words?: readonly string[];
  readonly describedBy?: string;
  readonly required?: boolean;
}

interface FieldProperties extends InputProperties {
  readonly help?: string;
}

export function TermField({ help, ...input }: FieldProperties) {
  const id = useId();
  return (
    <div class="field">
      <span aria-hidden="true">{input.label}</span>
      <TermInput {...input} {...(help === undefined ? {} : { describedBy: id })} />
      {help !== undefined && (
        <small id={id} class="muted">
          {help}
        </small>
      )}
    </div>
  );
}

/** Without a caption of its own. */
export function TermInput(properties: InputProperties) {
  const { label, value, onInput, positions = [], taken, many = false, placeholder, words = [] } = properties;
  const { describedBy, required = false } = properties;
  const id = useId();
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const [word, setWord] = useState<Word | undefined>(undefined);
  const [active, setActive] = useState(-1);
  const proposed = useProposed(word?.text ?? '', positions);
  const { terms, problem } = words.includes(value.trim()) ? NOTHING : typedTerms(value, namespaces.value, taken);
  const expanded = terms.filter((term) => !value.includes(term.replace(/^<|>$/g, '')));
  const typed = (text: string): void => {
    onInput(text);
    setActive(-1);
    setWord(wordAt(text, field.current?.selectionStart ?? text.length));
  };
  const choose = (term: string): void => {
    const { from, to } = word ?? { from: 0, to: value.length };
    onInput(value.slice(0, from) + term + value.slice(to));
    setWord(undefined);
  };
  const pressed = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    const count = proposed.length;
    if (count === 0) return;
    if (step !== 0) setActive((active + step + count + (active < 0 && step < 0 ? 1 : 0)) % count);
    else if (event.key === 'Enter' && active >= 0) choose(proposed[active]!.written);
    else if (event.key === 'Escape') setWord(undefined);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const shared = {
    ref: field,
    class: 'code',
    'aria-label': label,
    'aria-autocomplete': 'list' as const,
    'aria-haspopup': 'listbox' as const,
    'aria-controls': proposed.length > 0 ? `${id}-list` : undefined,
    'aria-activedescendant': active >= 0 && active < proposed.length ? `${id}-${String(active)}` : undefined,
    'aria-invalid': problem !== undefined,
    'aria-describedby': [describedBy, `${id}-note`].filter(Boolean).join(' '),
    autocomplete: 'off',
    spellcheck: false,
    placeholder,
    required,
    value,
    onInput: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) => typed(currentTarget.value),
    onKeyDown: pressed,
    onBlur: () => setWord(undefined),
  };
  return (
    <span class="term-field">
      {many ? <textarea rows={3} {...shared} /> : <input {...shared} />}
      {proposed.length > 0 && <List id={id} proposed={proposed} active={active} onChoose={choose} />}
      <small id={`${id}-note`} class={problem === undefined ? 'muted' : 'field-error'}>
        {problem ?? (expanded.length > 0 ? termText.standsFor(expanded) : '')}
      </small>
    </span>
  );
}

const NOTHING = { terms: [], problem: undefined } as const;

/** A part of the text, by its place. */
interface Word {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/** The line at a place, without the white space around it. */
function wordAt(text: string, place: number): Word {
  const from = text.lastIndexOf('\n', place - 1) + 1;
  const end = text.indexOf('\n', place);
  const to = end < 0 ? text.length : end;
  return { text: text.slice(from, to).trim(), from, to };
}

interface Proposed {
  readonly written: string;
  readonly note: string;
}

const MOST_PROPOSED = 8;
/** The user rests so long before the server is asked. */
const REST_MS = 180;

/** Prefixes that begin so, and terms of the repository. */
function useProposed(text: string, positions: readonly TermPosition[]): readonly Proposed[] {
  const [found, setFound] = useState<{ readonly of: string; readonly list: readonly Proposed[] }>({ of: '', list: [] });
  // The user may write before the page knows what the server can do.
  const isServed = hasFeature('terms');
  useEffect(() => {
    const name = repository.value;
    if (text === '' || positions.length === 0 || name === undefined || !isServed) return undefined;
    const aborting = new AbortController();
    const timer = setTimeout(() => {
      void termsLike(name, text, positions, aborting.signal).then((list) => {
        if (!aborting.signal.aborted) setFound({ of: text, list });
      });
    }, REST_MS);
    return () => {
      clearTimeout(timer);
      aborting.abort();
    };
  }, [text, isServed]);
  return found.of === text && text !== '' ? found.list : [];
}

async function termsLike(
  name: string,
  text: string,
  positions: readonly TermPosition[],
  signal: AbortSignal,
): Promise<readonly Proposed[]> {
  const asked = { repository: name, prefix: text.replace(/^</, ''), at: undefined, limit: MOST_PROPOSED, signal };
  const lists = await Promise.all(positions.map((position) => getTerms({ ...asked, position }).catch(() => [])));
  const counts = new Map<string, number>();
  for (const { term, count } of lists.flat()) counts.set(term, Math.max(count, counts.get(term) ?? 0));
  const terms = [...counts]
    .sort(([, one], [, other]) => other - one)
    .map(([term, count]) => ({ written: shortOf(term), note: number(count) }));
  const prefixes = Object.entries(namespaces.value)
    .filter(([prefix]) => prefix.startsWith(text))
    .map(([prefix, note]) => ({ written: `${prefix}:`, note }));
  return [...prefixes, ...terms].filter(({ written }) => written !== text).slice(0, MOST_PROPOSED);
}

const shortOf = (term: string): string =>
  term.startsWith('<') && !term.startsWith('<<') ? (shortened(term.slice(1, -1), namespaces.value) ?? term) : term;

interface ListProperties {
  readonly id: string;
  readonly proposed: readonly Proposed[];
  readonly active: number;
  readonly onChoose: (term: string) => void;
}

function List({ id, proposed, active, onChoose }: ListProperties) {
  return (
    <ul id={`${id}-list`} role="listbox" aria-label={termText.known} class="menu-list found">
      {proposed.map(({ written, note }, place) => (
        // The field keeps the focus, so that nothing is lost before a click ends.
        <li
          key={written}
          id={`${id}-${String(place)}`}
          role="option"
          aria-selected={place === active}
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onChoose(written)}
        >
          <bdi>{written}</bdi>
          <small>
            <bdi>{note}</bdi>
          </small>
        </li>
      ))}
    </ul>
  );
}
