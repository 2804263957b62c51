import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { apiKeyPepper } from '../../src/auth/pepper.ts';
import { failure } from '../contract/relational-store.ts';

describe('pepper', () => {
  let dataDir: string;
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'pepper-'));
  });
  afterEach(() => rm(dataDir, { recursive: true }));

  it('is the one configured, and then nothing is kept', async () => {
    const given = 'x'.repeat(32);
    expect(await apiKeyPepper({ apiKeyPepper: given, dataDir })).to.equal(given);
    expect(await failure(stat(join(dataDir, 'pepper')))).to.have.property('code', 'ENOENT');
  });

  it('is made once where none is configured, and read by nobody else', async () => {
    const first = await apiKeyPepper({ apiKeyPepper: undefined, dataDir });
    expect(first).to.match(/^[A-Za-z0-9_-]{43}$/);
    expect(await apiKeyPepper({ apiKeyPepper: undefined, dataDir })).to.equal(first);
    if (process.platform !== 'win32') {
      expect(((await stat(join(dataDir, 'pepper'))).mode & 0o777).toString(8)).to.equal('600');
    }
    const elsewhere = join(dataDir, 'new', 'folder');
    expect(await apiKeyPepper({ apiKeyPepper: undefined, dataDir: elsewhere })).to.not.equal(first);
  });

  it('is never made anew over a damaged one, which would void every key without a word', async () => {
    await writeFile(join(dataDir, 'pepper'), 'short');
    expect(await failure(apiKeyPepper({ apiKeyPepper: undefined, dataDir })))
      .to.have.property('message')
      .that.includes('is damaged');
  });
});
