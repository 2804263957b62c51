import { expect } from 'chai';
import { decompressSnapshot, readBoundary } from '../../../loaders/records/snapshot-file.ts';
import { openTemporaryFile } from '../../../loaders/temporary-file.ts';

describe('the stored form of a snapshot', () => {
  /** What a store gives that is closed while it is read. */
  async function* brokenOff() {
    yield new Uint8Array(await Promise.resolve(0));
    throw new Error('The store was closed.');
  }

  it('fails for who reads it when the store is closed meanwhile, and for nobody else', async () => {
    const file = openTemporaryFile();
    const message = (error: Error) => error.message;
    expect(await decompressSnapshot(brokenOff(), file).then(String, message)).to.include('The store was closed.');
    file.close();
    expect(await readBoundary(brokenOff()).then(String, message)).to.include('The store was closed.');
  });
});
