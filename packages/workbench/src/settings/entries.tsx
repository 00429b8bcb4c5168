/** A list of entries that can be removed, below its heading. */
import type { ComponentChildren } from 'preact';
import { Icon } from '../ui/icon.js';

export interface Entry {
  readonly name: string;
  readonly content: ComponentChildren;
  readonly remove: string;
  readonly onRemove: () => void;
}

interface Properties {
  readonly title: string;
  readonly help: string;
  /** What is said where there are none. */
  readonly none: string;
  readonly entries: readonly Entry[];
  readonly children?: ComponentChildren;
}

export function Entries({ title, help, none, entries, children }: Properties) {
  return (
    <section class="block" aria-label={title}>
      <h2>{title}</h2>
      <p class="muted">{help}</p>
      {entries.length === 0 && <p class="none">{none}</p>}
      <ul class="entries">
        {entries.map(({ name, content, remove, onRemove }) => (
          <li key={name}>
            <span class="entry-name">{name}</span>
            <span class="entry-content">{content}</span>
            <button
              type="button"
              class="button quiet square small"
              aria-label={remove}
              title={remove}
              onClick={onRemove}
            >
              <Icon name="trash" />
            </button>
          </li>
        ))}
      </ul>
      {children}
    </section>
  );
}
