/** A text that is to be copied, with a button that does it. */
import { useEffect, useRef, useState } from 'preact/hooks';

interface Properties {
  readonly label: string;
  readonly value: string;
  readonly copy: string;
  readonly copied: string;
}

export function CopyField({ label, value, copy, copied }: Properties) {
  const [done, setDone] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  // What had the focus before is gone from the page.
  useEffect(() => field.current?.select(), []);
  const run = async (): Promise<void> => {
    field.current?.select();
    // Pages that came without encryption have no clipboard; the text is selected for the keys of the browser.
    const written = navigator.clipboard?.writeText(value) ?? Promise.reject(new Error('no clipboard'));
    setDone(
      await written.then(
        () => true,
        () => document.execCommand('copy'),
      ),
    );
  };
  return (
    <div class="row">
      <input
        ref={field}
        readOnly
        class="grow code"
        aria-label={label}
        value={value}
        spellcheck={false}
        autocomplete="off"
      />
      <button type="button" class="button primary" onClick={() => void run()}>
        {done ? copied : copy}
      </button>
    </div>
  );
}
