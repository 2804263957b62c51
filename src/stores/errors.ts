/** A store can't be reached or did not answer in time; the message names the store and never its address. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
  readonly store: 'graph' | 'search' | 'relational' | 'ephemeral';
  constructor(store: StoreUnavailable['store'], options?: ErrorOptions) {
    super(`The ${store} store can't be reached.`, options);
    this.store = store;
  }
}
