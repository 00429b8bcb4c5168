/** The component that both frameworks draw, and the repositories that it draws. */
import { connect } from '@quadrille/client';
import type { LiveRepository, LiveState, UseLiveOptions } from 'quadrille/react';
import { open } from 'quadrille';

/** What is drawn: the texts of queries with their options. */
export interface Asked {
  readonly query: string;
  readonly options?: UseLiveOptions;
}

/** What is drawn of an answer. */
export function textOf({ rows, added, removed, revision, error, loading }: LiveState): string {
  if (error !== undefined) return `error ${(error as { code?: string }).code}`;
  if (loading) return 'loading';
  const names = rows.map(({ name }) => name!.value).join();
  return `${revision!.number}: ${names} +${added.length} -${removed.length}`;
}

export interface Drawn {
  /** Draws other answers, or nothing. */
  draw(asked: readonly Asked[]): void;
}

/** For tests: the text of each answer, and updates of the repository. */
export interface HooksPage {
  begin(url?: string): Promise<void>;
  draw(asked: readonly Asked[]): void;
  update(text: string): Promise<void>;
  texts(): string[];
}

export function pageOf(mount: (repository: LiveRepository, root: HTMLElement) => Drawn): HooksPage {
  let repository: LiveRepository & { update(text: string): Promise<unknown> };
  let drawn: Drawn;
  return {
    async begin(url) {
      repository =
        url === undefined ? await (await open(':memory:')).repository('people', { create: true }) : await connect(url);
      drawn = mount(repository, document.body.appendChild(document.createElement('main')));
    },
    draw: (asked) => drawn.draw(asked),
    async update(text) {
      await repository.update(text);
    },
    texts: () => Array.from(document.querySelectorAll('p'), ({ textContent }) => textContent),
  };
}
