/** What removes history for good, for the owner. */
import { useState } from 'preact/hooks';
import { eraseText } from '../messages/erase.js';
import { removalText } from '../messages/removal.js';
import { hasFeature } from '../state/session.js';
import { EraseDialog } from './erase-dialog.js';
import { TrimDialog } from './trim-dialog.js';

export function Removal() {
  const [open, setOpen] = useState<'trim' | 'erase' | undefined>(undefined);
  const close = (): void => setOpen(undefined);
  if (!hasFeature('trim')) return null;
  return (
    <section class="block" aria-label={removalText.title}>
      <h2>{removalText.title}</h2>
      <p class="muted">{removalText.help}</p>
      <div class="row">
        <button type="button" class="button danger" onClick={() => setOpen('trim')}>
          {removalText.trim}
        </button>
        {hasFeature('erase') && (
          <button type="button" class="button danger" onClick={() => setOpen('erase')}>
            {eraseText.open}
          </button>
        )}
      </div>
      {open === 'trim' && <TrimDialog onClose={close} />}
      {open === 'erase' && <EraseDialog onClose={close} />}
    </section>
  );
}
