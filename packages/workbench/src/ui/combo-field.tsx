/** A field for a text that may be one of many: what is known opens below it, and anything else can be typed. */
import { useEffect, useId, useRef, useState } from 'preact/hooks';

export interface Option {
  readonly value: string;
  /** What is said of it. */
  readonly note?: string | undefined;
}

interface Properties {
  readonly label: string;
  readonly value: string;
  readonly options: readonly Option[];
  /** Gets what was chosen or typed, when Enter or a click says so, or the field is left. */
  readonly onChange: (value: string) => void;
  readonly invalid?: boolean;
}

/** So many are listed; typing finds the others. */
const MOST_LISTED = 50;

export function ComboField({ label, value, options, onChange, invalid = false }: Properties) {
  const id = useId();
  const [typed, setTyped] = useState<string | undefined>(undefined);
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const listed = open ? matching(options, typed ?? '').slice(0, MOST_LISTED) : [];
  const choose = (chosen: string): void => {
    setTyped(undefined);
    setOpen(false);
    setActive(-1);
    const text = chosen.trim();
    if (text !== '' && text !== value) onChange(text);
  };
  const pressed = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) {
      const count = open ? listed.length : 0;
      setOpen(true);
      if (count > 0) setActive((active + step + count) % count);
    } else if (event.key === 'Enter') choose(listed[active]?.value ?? typed ?? value);
    else if (event.key === 'Escape' && open) choose(value);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <span class="combo">
      <input
        role="combobox"
        aria-label={label}
        aria-expanded={listed.length > 0}
        aria-controls={listed.length > 0 ? id : undefined}
        aria-autocomplete="list"
        aria-activedescendant={listed[active] === undefined ? undefined : `${id}-${String(active)}`}
        aria-invalid={invalid}
        autocomplete="off"
        spellcheck={false}
        value={typed ?? value}
        onInput={({ currentTarget }) => {
          setTyped(currentTarget.value);
          setOpen(true);
          setActive(-1);
        }}
        onKeyDown={pressed}
        onFocus={({ currentTarget }) => currentTarget.select()}
        onClick={() => setOpen(true)}
        onBlur={() => choose(typed ?? value)}
      />
      {listed.length > 0 && <List id={id} label={label} options={listed} active={active} onChoose={choose} />}
    </span>
  );
}

interface ListProperties {
  readonly id: string;
  readonly label: string;
  readonly options: readonly Option[];
  readonly active: number;
  readonly onChoose: (value: string) => void;
}

function List({ id, label, options, active, onChoose }: ListProperties) {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' }), [active]);
  return (
    <ul ref={list} id={id} role="listbox" aria-label={label} class="menu-list found">
      {options.map(({ value, note }, place) => (
        // The field keeps the focus, so that nothing is lost before a click ends.
        <li
          key={value}
          id={`${id}-${String(place)}`}
          role="option"
          aria-selected={place === active}
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onChoose(value)}
        >
          <bdi>{value}</bdi>
          {note !== undefined && (
            <small>
              <bdi>{note}</bdi>
            </small>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Those that have a text, in any case; first those that begin with it. */
function matching(options: readonly Option[], text: string): readonly Option[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return options;
  const begins = ({ value }: Option): boolean => value.toLowerCase().startsWith(wanted);
  const has = ({ value, note = '' }: Option): boolean => `${value}\n${note}`.toLowerCase().includes(wanted);
  return [...options.filter(begins), ...options.filter((option) => !begins(option) && has(option))];
}
