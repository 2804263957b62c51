import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { callControl } from '../../src/cli/call-control.ts';
import { openControl } from '../../src/cli/control.ts';
import type { OpenService } from '../../src/cli/store-command.ts';

describe('The commands that a running service takes', () => {
  it('send more than the reader takes at once, and leave no listeners behind', async () => {
    const edge = { from: 'lib', to: 'lib', path: 'x'.repeat(1000) };
    const edges = async function* () {
      for (let count = 0; count < 20_000; count++) yield edge;
    };
    const relational = {
      accounts: { organizations: async () => [{ id: 'org', slug: 'default' }] },
      repositories: { list: async () => [{ key: 'lib', name: 'lib', organization_id: 'org' }] },
      snapshots: { list: async () => [{ repository: 'lib' }] },
    };
    const control = await openControl({ stores: { graph: { edges }, relational } } as unknown as OpenService);
    const warnings: Error[] = [];
    const onWarning = (warning: Error) => warnings.push(warning);
    process.on('warning', onWarning);
    let bytes = 0;
    const nothing = () => undefined;
    const out = async (text: string) => {
      bytes += text.length;
      await setImmediate();
    };
    const count = await callControl(
      control,
      'export',
      { format: 'edges' },
      { out, say: nothing, progress: nothing, done: nothing },
    );
    process.off('warning', onWarning);
    await control.close();
    expect(count).to.equal(20_000);
    expect(bytes).to.equal(20_000 * (JSON.stringify(edge).length + 1));
    expect(warnings).to.deep.equal([]);
  });
});
