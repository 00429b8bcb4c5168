/** A field for a text that rows or names are to have. */
import { Icon } from './icon.js';

interface Properties {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
}

export function SearchField({ label, value, onInput }: Properties) {
  return (
    <span class="search">
      <Icon name="search" />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        value={value}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
    </span>
  );
}
