/** What removes history for good, for the owner. */
import { useState } from 'preact/hooks';
import { removalText } from '../messages/removal.js';
import { hasFeature } from '../state/session.js';
import { TrimDialog } from './trim-dialog.js';

export function Removal() {
  const [open, setOpen] = useState(false);
  if (!hasFeature('trim')) return null;
  return (
    <section class="block" aria-label={removalText.title}>
      <h2>{removalText.title}</h2>
      <p class="muted">{removalText.help}</p>
      <button type="button" class="button danger" onClick={() => setOpen(true)}>
        {removalText.trim}
      </button>
      {open && <TrimDialog onClose={() => setOpen(false)} />}
    </section>
  );
}
