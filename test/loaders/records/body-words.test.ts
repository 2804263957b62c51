import { expect } from 'chai';
import { analyze } from '../../../loaders/analyze.ts';
import { bodyWords, textsIn } from '../../../loaders/records/body-words.ts';
import { gitRepository, type GitRepository } from '../../support/git-repository.ts';

describe('words of bodies', () => {
  let repository: GitRepository;
  let words: (name: string) => string[];
  before(async () => {
    repository = gitRepository({
      files: {
        'src/mail.ts':
          "export class Mail {\n  host = 'smtp';\n  /** Sends it. */\n  send(text: string) {\n    // Waits for the greylisting to end.\n    this.retryLater(text, 'postponed');\n  }\n}\n",
        'node_modules/x/index.js': 'function vendored() { return "somewhere"; }\n',
      },
    });
    const { snapshot, close } = await analyze(repository.path, { name: 'shop', keepSource: true });
    const wordsOf = bodyWords(snapshot.nodes, () => textsIn(snapshot.source ?? []));
    const ids = [...snapshot.nodes].map(({ id }) => id);
    const found = new Map(ids.map((id) => [id, wordsOf(id)]));
    words = (name) => found.get(`shop/src/mail.ts#${name}`) ?? [];
    expect([...found.values()].flat()).to.not.include('somewhere');
    close();
  });
  after(() => repository.remove());

  it('are those of its comments, literals and identifiers, without what it is found by anyhow', () => {
    expect(words('Mail.send')).to.include.members(['greylisting', 'later', 'postponed', 'retry']);
    expect(words('Mail.send')).to.not.include.members(['send', 'text', 'mail']);
  });

  it('are not those of what is within it', () => {
    expect(words('Mail')).to.include('smtp').and.to.not.include('greylisting');
  });
});
