/** A list to choose one of, with its name beside it. */

interface Properties {
  readonly label: string;
  /** Values with the words that are shown. */
  readonly options: readonly (readonly [string, string])[];
  readonly selected: string;
  readonly onSelect: (value: string) => void;
}

export function Choice({ label, options, selected, onSelect }: Properties) {
  return (
    <label class="inline-field">
      <span>{label}</span>
      <select value={selected} onChange={({ currentTarget: { value } }) => onSelect(value)}>
        {options.map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
