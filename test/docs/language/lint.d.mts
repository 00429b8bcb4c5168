/** One line for each fault of the text of a file; `path` is from the root of the repository. */
export function faultsOf(path: string, content: string): string[];
