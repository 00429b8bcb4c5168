/** Numbers and times as text. */

export function bytesText(count: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let value = count;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${unit === 0 ? String(value) : value.toFixed(1)} ${units[unit] ?? ''}`;
}

/** ISO 8601 with a numeric offset, as the interface writes times. */
export const isoTime = (time: Date): string => time.toISOString().replace('Z', '+00:00');
