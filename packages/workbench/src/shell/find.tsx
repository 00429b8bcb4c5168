/** The field that finds resources: what it found is a list below it, and keys choose from it. */
import { useEffect, useState } from 'preact/hooks';
import { number, text } from '../messages/en.js';
import { hrefOf, navigate } from '../router.js';
import { status } from '../state/notices.js';
import { namespaces, place, repository } from '../state/repository.js';
import { at, mayScan } from '../state/revision.js';
import { hasFeature } from '../state/session.js';
import { Icon } from '../ui/icon.js';
import { type FoundResource, findResources } from './find-resources.js';

const FIELD = 'find-resource';
const LIST = 'found-resources';
/** The user rests so long before the server is asked. */
const REST_MS = 180;

export const focusFind = (): void => document.getElementById(FIELD)?.focus();

export function Find() {
  const [wanted, setWanted] = useState('');
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const found = useFound(wanted.trim());
  useEffect(() => setActive(0), [found]);
  if (repository.value === undefined || !hasFeature('terms')) return null;
  const shown = open && wanted.trim() !== '' && found !== undefined;
  const list = found ?? [];
  const choose = ({ iri }: FoundResource): void => {
    setOpen(false);
    setWanted('');
    navigate(hrefOf('resource', repository.value, { iri, at: at.value }));
  };
  const pressed = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    const chosen = list[active];
    if (step !== 0 && list.length > 0) {
      setOpen(true);
      setActive((active + step + list.length) % list.length);
    } else if (event.key === 'Enter' && shown && chosen !== undefined) choose(chosen);
    else if (event.key === 'Escape' && shown) setOpen(false);
    else return;
    event.preventDefault();
  };
  return (
    <span class="search find">
      <Icon name="search" />
      <input
        id={FIELD}
        type="search"
        aria-label={text.find.field}
        placeholder={text.find.field}
        aria-keyshortcuts="Control+K /"
        aria-autocomplete="list"
        aria-haspopup="listbox"
        aria-controls={shown ? LIST : undefined}
        aria-activedescendant={shown && list.length > 0 ? `${LIST}-${String(active)}` : undefined}
        autocomplete="off"
        spellcheck={false}
        value={wanted}
        onInput={({ currentTarget: { value } }) => {
          setWanted(value);
          setOpen(true);
        }}
        onKeyDown={pressed}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
      />
      {shown && <Found list={list} active={active} onChoose={choose} />}
    </span>
  );
}

interface FoundProperties {
  readonly list: readonly FoundResource[];
  readonly active: number;
  readonly onChoose: (found: FoundResource) => void;
}

function Found({ list, active, onChoose }: FoundProperties) {
  if (list.length === 0) return <p class="menu-list found-none">{text.find.none}</p>;
  return (
    <ul id={LIST} role="listbox" aria-label={text.find.found} class="menu-list found">
      {list.map((each, place) => (
        // The field keeps the focus, so that nothing is lost before a click ends.
        <li
          key={each.iri}
          id={`${LIST}-${String(place)}`}
          role="option"
          aria-selected={place === active}
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onChoose(each)}
        >
          <bdi>{each.name}</bdi>
          <small>
            <bdi>{each.iri}</bdi>
            {each.count !== undefined && <> · {number(each.count)}</>}
          </small>
        </li>
      ))}
    </ul>
  );
}

/** What was found for a text; undefined until the first answer. What was found for the text before stays until then. */
function useFound(wanted: string): readonly FoundResource[] | undefined {
  const [found, setFound] = useState<readonly FoundResource[] | undefined>(undefined);
  useEffect(() => {
    const name = repository.value;
    if (wanted === '' || name === undefined) return setFound(undefined);
    const aborting = new AbortController();
    const { signal } = aborting;
    const request = {
      repository: name,
      text: wanted,
      at: at.value,
      namespaces: namespaces.value,
      signal,
      mayScan: mayScan.value,
    };
    const timer = setTimeout(() => {
      void findResources(request).then(
        (list) => {
          setFound(list);
          status.value = text.find.count(list.length);
        },
        // Another text is looked for now.
        () => undefined,
      );
    }, REST_MS);
    return () => {
      clearTimeout(timer);
      aborting.abort();
    };
  }, [wanted, place.value, at.value]);
  return found;
}
