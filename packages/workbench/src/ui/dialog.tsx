/** A dialog over the page, by the element of the browser: it keeps the focus inside, and Escape closes it. */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { text } from '../messages/en.js';

interface Properties {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
  readonly wide?: boolean;
}

export function Dialog({ title, onClose, children, wide = false }: Properties) {
  const element = useRef<HTMLDialogElement>(null);
  // Before the next key: what is typed is meant for the dialog.
  useLayoutEffect(() => {
    const dialog = element.current!;
    const before = document.activeElement;
    dialog.showModal();
    return () => {
      dialog.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={element}
      class={wide ? 'dialog wide' : 'dialog'}
      aria-label={title}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <h2>{title}</h2>
      {children}
    </dialog>
  );
}

interface ButtonsProperties {
  /** What the form does, as a verb. */
  readonly submit: string;
  readonly onClose: () => void;
  /** For what cannot be undone. */
  readonly danger?: boolean;
  readonly disabled?: boolean;
}

/** The last row of a form in a dialog: "Cancel", and the button that submits it. */
export function DialogButtons({ submit, onClose, danger = false, disabled = false }: ButtonsProperties) {
  return (
    <div class="row end">
      <button type="button" class="button" onClick={onClose}>
        {text.cancel}
      </button>
      <button type="submit" class={danger ? 'button danger' : 'button primary'} disabled={disabled}>
        {submit}
      </button>
    </div>
  );
}
