import { join } from 'node:path';
import { expect } from 'chai';
import { analyze } from '../../../loaders/analyze.ts';
import { findInsecureCode } from '../../../loaders/detectors/insecure-code/find.ts';
import { insecureCodeRules } from '../../../loaders/detectors/insecure-code/rules.ts';
import { temporaryFolder, writeFiles } from '../../support/git-repository.ts';

describe('rules of insecure code', () => {
  for (const { id, language, insecure, fine } of insecureCodeRules()) {
    it(`${id} finds its insecure examples and none of the fine ones`, async () => {
      const found = async (source: string) =>
        (await findInsecureCode(language.toLowerCase(), source)).filter(({ rule }) => rule === id).length;
      for (const source of insecure) expect(await found(source), source).to.equal(1);
      for (const source of fine) expect(await found(source), source).to.equal(0);
    });
  }

  it('are missed in one sentence where their engine does not start, and are applied as soon as it does', async () => {
    const folder = temporaryFolder();
    const pattern = 'it/a.js#securitypattern:ecmascript_code_from_data';
    writeFiles(folder, { 'a.js': 'exports.run = (text) => eval(text);\n', 'b.js': 'exports.fine = () => 1;\n' });
    const analyzed = async () => {
      const { snapshot, close } = await analyze(folder, { name: 'it', cacheFile: join(folder, '.cache/facts.sqlite') });
      const said = snapshot.repository.warnings.filter((warning) => warning.startsWith('insecure_code_unread'));
      const ids = Array.from(snapshot.nodes, ({ id }) => id);
      close();
      return { said, ids };
    };
    // Where its loader looks for the native library, before all else.
    process.env['NAPI_RS_NATIVE_LIBRARY_PATH'] = join(folder, 'no-such.node');
    const without = await analyzed().finally(() => delete process.env['NAPI_RS_NATIVE_LIBRARY_PATH']);
    expect(without.said).to.have.length(1);
    expect(without.said[0]).to.match(/: 1 of the files .* the first "a\.js": load it where npm has a build of /);
    expect(without.ids).to.include('it/a.js#run').and.not.include(pattern);
    const whole = await analyzed();
    expect(whole.said).to.deep.equal([]);
    expect(whole.ids).to.include(pattern);
  });
});
