import { expect } from 'chai';
import { StoreUnavailable } from '../../src/stores/errors.ts';
import { eventually } from '../support/eventually.ts';
import { openTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';

type Calls<S> = Readonly<Record<string, (store: S) => Promise<unknown>>>;

/**
 * What a store on a server promises while the server is away: `questions` are calls of its port, `timeoutMs` what it was opened with;
 * `ofLoads` are those that have more time.
 */
export function unavailableContract<S extends { ping(): Promise<void>; close(): Promise<void> }>(
  url: () => string,
  open: (url: string) => Promise<S>,
  { questions, ofLoads = {}, timeoutMs }: { questions: Calls<S>; ofLoads?: Calls<S>; timeoutMs: number },
): void {
  describe('when the server is away', () => {
    let proxy: TcpProxy;
    let store: S;
    beforeEach(async () => {
      proxy = await openTcpProxy(url());
      store = await open(proxy.url);
    });
    afterEach(async () => {
      await store.close();
      proxy.close();
    });

    for (const fault of ['cut', 'freeze'] as const) {
      it(`says StoreUnavailable in time, and works again when it is back (${fault})`, async () => {
        await eventually(() => store.ping());
        proxy[fault]();
        for (const [call, run] of Object.entries(questions)) {
          const begin = performance.now();
          expect(await failure(run(store)), call).to.be.instanceOf(StoreUnavailable);
          expect(performance.now() - begin, call).to.be.below(3 * timeoutMs);
        }
        for (const [call, run] of Object.entries(ofLoads))
          expect(await failure(run(store)), call).to.be.instanceOf(StoreUnavailable);
        proxy.restore();
        await eventually(() => store.ping());
        for (const run of Object.values({ ...questions, ...ofLoads })) await eventually(() => run(store));
      });
    }

    it('opens without it, and works when it comes', async () => {
      proxy.cut();
      const other = await open(proxy.url);
      expect(await failure(other.ping())).to.be.instanceOf(StoreUnavailable);
      proxy.restore();
      await eventually(() => other.ping());
      await other.close();
    });
  });
}

async function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => expect.fail('expected a failure'),
    (error: unknown) => error,
  );
}
