/** Links to the pages around the one that is shown. The page is part of the address. */
import { compareText } from '../messages/compare.js';
import { hrefOf, route } from '../router.js';

interface Properties {
  /** From 1. */
  readonly page: number;
  readonly size: number;
  /** The number of changes of this page. */
  readonly shown: number;
  /** Of all pages, where that is known. */
  readonly of: number | undefined;
  readonly hasMore: boolean;
}

export function Pager({ page, size, shown, of, hasMore }: Properties) {
  if (page === 1 && !hasMore) return null;
  const before = (page - 1) * size;
  const { page: name, repository, parameters } = route.value;
  const addressOf = (other: number): string =>
    hrefOf(name, repository, { ...parameters, page: other === 1 ? undefined : String(other) });
  return (
    <nav class="row pager" aria-label={compareText.pages}>
      {page > 1 && shown > 0 && (
        <a class="button" href={addressOf(page - 1)} rel="prev">
          {compareText.previous}
        </a>
      )}
      {shown === 0 && (
        <a class="button" href={addressOf(1)}>
          {compareText.firstPage}
        </a>
      )}
      {shown > 0 && <span class="muted">{compareText.page(before + 1, before + shown, of)}</span>}
      {hasMore && (
        <a class="button" href={addressOf(page + 1)} rel="next">
          {compareText.next}
        </a>
      )}
    </nav>
  );
}
