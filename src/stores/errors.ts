/** A store can't be reached or did not answer in time; the message names the store and never its address. */
export class StoreUnavailable extends Error {
  override readonly name: string = 'StoreUnavailable';
  readonly store: 'graph' | 'search' | 'relational' | 'ephemeral';
  constructor(store: StoreUnavailable['store'], options?: ErrorOptions) {
    super(`The ${store} store can't be reached.`, options);
    this.store = store;
  }
}

/** All our connections to a store are in use, and none became free in time. That says nothing of its server. */
export class StoreBusy extends StoreUnavailable {
  override readonly name = 'StoreBusy';
  override readonly message = `All connections to the ${this.store} store are in use.`;
}
