import { expect } from 'chai';
import { insecureCodeRules } from '../../../loaders/detectors/insecure-code/rules.ts';
import { createExtractor } from '../../../loaders/extraction/extract.ts';
import { languageById } from '../../../loaders/languages/index.ts';

/** In which each rule has to work, by the language that it names. */
const dialects = { TypeScript: ['javascript', 'typescript', 'tsx'], Python: ['python'], Go: ['go'], Java: ['java'] };

describe('rules of insecure code', () => {
  let extractor: Awaited<ReturnType<typeof createExtractor>>;

  before(async () => {
    extractor = await createExtractor({ languages: Object.values(dialects).flat() });
  });

  after(() => extractor.close());

  const find = (id: string, source: string) => {
    const language = languageById(id);
    if (!language) throw new Error(id);
    return extractor.read(language, Buffer.from(source), 'file', null).insecure ?? [];
  };

  for (const { id, language, insecure, fine } of insecureCodeRules()) {
    it(`${id} finds its insecure examples and none of the fine ones`, () => {
      for (const dialect of dialects[language]) {
        const found = (source: string) => find(dialect, source).filter(({ rule }) => rule === id).length;
        for (const source of insecure) expect(found(source), `${dialect}: ${source}`).to.equal(1);
        for (const source of fine) expect(found(source), `${dialect}: ${source}`).to.equal(0);
      }
    });
  }

  it('tell the line, once, of what goes over several lines or is found twice', () => {
    expect(find('python', 'import os\n\nos.system(\n  "rm " + path\n)\nos.system(a); os.system(b)\n')).to.deep.equal([
      { rule: 'python_command_from_data', line: 3, severity: 'high' },
      { rule: 'python_command_from_data', line: 6, severity: 'high' },
    ]);
  });
});
