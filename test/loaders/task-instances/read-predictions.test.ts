import { rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { readPredictions } from '../../../loaders/task-instances/read-predictions.ts';
import { temporaryFolder } from '../../support/git-repository.ts';

describe('predictions', () => {
  const folder = temporaryFolder();
  after(() => rmSync(folder, { recursive: true }));
  const known = new Set(['acme__shop-17', 'acme__shop-18']);
  const read = async (name: string, content: unknown) => {
    const file = join(folder, name);
    await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
    return readPredictions(file, known).catch((error: unknown) => String(error));
  };
  const [one, two] = ['acme__shop-17', 'acme__shop-18'];
  const swebench = (instance_id: string, model_patch: string | null) => ({
    instance_id,
    model_name_or_path: 'acme/coder',
    model_patch,
  });

  it('are read in the forms of SWE-bench and its relatives, and a file names the model where they do not', async () => {
    const both = [
      { instance_id: one, model: 'acme/coder', patch: 'x' },
      { instance_id: two, model: 'acme/coder', patch: null },
    ];
    const list = [swebench(one, 'x'), swebench(two, null)];
    expect(await read('list.json', list)).to.deep.equal(both);
    expect(await read('lines.jsonl', list.map((line) => JSON.stringify(line)).join('\n\n'))).to.deep.equal(both);
    expect(await read('by-id.json', { [one]: list[0], [two]: list[1] }), 'SWE-agent').to.deep.equal(both);
    const named = (model: string) => [{ instance_id: one, model, patch: 'x' }];
    expect(await read('live.json', { [one]: { model_patch: 'x' } }), 'SWE-bench-Live').to.deep.equal(named('live'));
    const multi = { org: 'acme', repo: 'shop', number: 17, fix_patch: 'x' };
    expect(await read('multi.jsonl', multi), 'Multi-SWE-bench').to.deep.equal(named('multi'));
    const pro = [{ instance_id: one, patch: 'x', prefix: 'coder' }];
    expect(await read('pro.json', pro), 'SWE-bench Pro').to.deep.equal(named('coder'));
    expect(await read('single.json', swebench(one, 'x'))).to.deep.equal(both.slice(0, 1));
  });

  it('are refused as a whole when one of them can’t be evaluated, and the reason names it', async () => {
    for (const [content, says] of [
      [
        [swebench('acme__none-1', 'x'), swebench('acme__none-2', '')],
        'Not in the dataset: acme__none-1, acme__none-2.',
      ],
      [[swebench(one, 'x'), swebench(one, 'y')], `More than one prediction of a model: ${one}.`],
      [[swebench(one, 'x'), { instance_id: two }], 'entry 2: it is no prediction'],
      [[{ ...swebench(one, 'x'), model_patch: 7 }], 'entry 1: it is no prediction'],
      [[{ ...swebench(one, 'x'), model_name_or_path: '..' }], 'No folder can be named after the model ".."'],
      ['7', 'there is no list in it'],
    ] as const)
      expect(await read('bad.json', content)).to.include(says);
    expect(await read('bad.jsonl', `${JSON.stringify(swebench(one, 'x'))}\n[`)).to.include('line 2: it is no JSON');
    expect(await read('slashes.json', [{ ...swebench(one, 'x'), model_name_or_path: 'a/../b' }])).to.have.length(1);
  });
});
