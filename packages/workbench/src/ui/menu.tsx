/** A button that opens a list of commands. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

export interface Command {
  readonly label: string;
  readonly run: () => void;
  readonly checked?: boolean;
}

interface Properties {
  readonly label: string;
  readonly commands: readonly Command[];
  readonly children: ComponentChildren;
  readonly class?: string;
}

export function Menu({ label, commands, children, class: className = 'button' }: Properties) {
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!open) return undefined;
    root.current?.querySelector<HTMLElement>('[role^=menuitem]')?.focus();
    const outside = (event: Event): void => {
      if (!root.current?.contains(event.target as Node)) setOpen(false);
    };
    addEventListener('pointerdown', outside);
    addEventListener('focusin', outside);
    return () => {
      removeEventListener('pointerdown', outside);
      removeEventListener('focusin', outside);
    };
  }, [open]);
  const close = (): void => {
    setOpen(false);
    root.current?.querySelector('button')?.focus();
  };
  return (
    <div class="menu" ref={root} onKeyDown={(event) => open && moved(event, root.current!, close)}>
      <button
        type="button"
        class={className}
        aria-label={label}
        title={label}
        aria-haspopup="menu"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        {children}
      </button>
      {open && (
        <div class="menu-list" role="menu" aria-label={label}>
          {commands.map(({ label: text, run, checked }) => (
            <button
              key={text}
              type="button"
              role={checked === undefined ? 'menuitem' : 'menuitemradio'}
              aria-checked={checked}
              onClick={() => {
                close();
                run();
              }}
            >
              {text}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

function moved(event: KeyboardEvent, root: HTMLElement, close: () => void): void {
  const items = [...root.querySelectorAll<HTMLElement>('[role^=menuitem]')];
  const at = items.indexOf(document.activeElement as HTMLElement);
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    Home: 0,
    End: items.length - 1,
  };
  const target = steps[event.key];
  if (event.key === 'Escape') close();
  else if (target === undefined) return;
  else items[(target + items.length) % items.length]?.focus();
  event.preventDefault();
  event.stopPropagation();
}
