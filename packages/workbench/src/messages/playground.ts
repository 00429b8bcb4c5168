/** Texts of the page that needs no server, and of the example data. */

export const playgroundText = {
  unkept: (reason: string): string =>
    `This browser keeps nothing for this page: your changes are lost when its last tab is closed. (${reason})`,
  published: (place: string): string => `This is the published store at ${place}. It can only be read.`,
  ownData: 'Show the data of this browser',
  newVersion: 'A newer version of this page is ready.',
  reload: 'Reload',
  otherVersion:
    'Another tab shows another version of this page, and holds the data. Reload that tab, or close it; then reload this one.',
  workerEnded: 'The worker with the data has ended',
  exampleSummary: 'The solar system as it was known',
  asKnownIn: (year: string): string => `as known in ${year}`,
  workerFailed: 'The part of this page that holds the data could not be started',
} as const;
