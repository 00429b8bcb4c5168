/** What the page and its worker with the data tell one another, apart from requests. */

/** How the data are kept. */
export interface StoreState {
  /** `own`: this tab holds the store. `other`: another tab does, and answers. */
  readonly holder: 'own' | 'other';
  /** Why nothing will be kept when the last tab is closed; undefined where it is. */
  readonly unkept?: string;
  /** Why nothing can be answered; undefined where it can. */
  readonly failure?: string;
  /** Whether this visit has made the store. */
  readonly isNew: boolean;
}

export type ToStoreWorker =
  /** The first message. The address of a published store to open; undefined for the store of this browser. */
  | { readonly type: 'start'; readonly published: string | undefined }
  /** Requests come by this port. */
  | { readonly type: 'connect'; readonly id: number; readonly port: MessagePort }
  /** Nobody reads the answers of this port any more. */
  | { readonly type: 'disconnect'; readonly id: number };

export interface FromStoreWorker {
  readonly type: 'state';
  readonly state: StoreState;
}
