/** Texts of the page that needs no server. */

export const playgroundText = {
  unkept: (reason: string): string =>
    `This browser keeps nothing for this page: your changes are lost when its last tab is closed. (${reason})`,
  newVersion: 'A newer version of this page is ready.',
  reload: 'Reload',
  workerFailed: 'The part of this page that holds the data could not be started',
} as const;
