/** Texts of imports. */

export const importText = {
  noGraph: 'Say which graph the documents go into. Nothing was loaded.',
  wrongGraph: (problem: string): string => `Graph IRI: ${problem} Nothing was loaded.`,
} as const;
