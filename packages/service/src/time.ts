/** Times as the interface writes them. */

/** ISO 8601 with a numeric offset. */
export const isoTime = (time: Date): string => time.toISOString().replace('Z', '+00:00');
