/** Single keys that move through the pages, and the list of them. They can be turned off. */
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { text } from '../messages/en.js';
import { isOfServer, pageOfKey } from '../pages.js';
import { hrefOf, navigate } from '../router.js';
import { shortcutsOn } from '../state/preferences.js';
import { repository } from '../state/repository.js';
import { at, neighbour, show } from '../state/revision.js';
import { isReadOnly } from '../state/session.js';
import { answerTour } from '../state/tour.js';
import { Dialog } from '../ui/dialog.js';
import { focusFind } from './find.js';

export const helpOpen = signal(false);

/** So long after `g` the second key is awaited. */
const SECOND_MS = 1500;

/** Fields whose keys are no text. */
const WITHOUT_TEXT = 'input:is([type=range], [type=checkbox], [type=radio])';

/** Where keys are text. */
const isTyping = (event: KeyboardEvent): boolean => {
  const [target] = event.composedPath();
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      (/^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName) && !target.matches(WITHOUT_TEXT)) ||
      target.closest('dialog') !== null)
  );
};

function step(by: 1 | -1): void {
  const next = neighbour(by);
  if (next !== undefined) show(next);
}

export function Shortcuts() {
  useEffect(() => {
    let goneSince = -Infinity;
    const pressed = (event: KeyboardEvent): void => {
      if (!shortcutsOn.value) return;
      if ((event.ctrlKey || event.metaKey) && event.key === 'k') {
        event.preventDefault();
        return focusFind();
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
      const page = pageOfKey(event.key);
      const second = event.timeStamp - goneSince < SECOND_MS;
      goneSince = event.key === 'g' ? event.timeStamp : -Infinity;
      if (second && page !== undefined) {
        if (isOfServer(page)) navigate(hrefOf(page));
        else if (repository.value !== undefined) navigate(hrefOf(page, repository.value, { at: at.value }));
      } else if (event.key === '/') {
        event.preventDefault();
        focusFind();
      } else if (event.key === '?') helpOpen.value = true;
      else if (event.key === '[') step(-1);
      else if (event.key === ']') step(1);
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, []);
  return helpOpen.value ? <Help /> : null;
}

function takeTour(): void {
  helpOpen.value = false;
  answerTour(true);
}

function Help() {
  return (
    <Dialog title={text.shortcuts} onClose={() => (helpOpen.value = false)}>
      <dl class="shortcuts">
        {text.shortcutList.map(([keys, what]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <label class="inline-field">
        <input type="checkbox" checked={shortcutsOn.value} onChange={() => (shortcutsOn.value = !shortcutsOn.value)} />
        {text.shortcutsOn}
      </label>
      <div class="row end">
        {!isReadOnly.value && (
          <button type="button" class="button" onClick={takeTour}>
            {text.tour.take}
          </button>
        )}
        <button type="button" class="button" onClick={() => (helpOpen.value = false)}>
          {text.close}
        </button>
      </div>
    </Dialog>
  );
}
