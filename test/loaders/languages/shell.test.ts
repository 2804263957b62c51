import { expect } from 'chai';
import { edgesOf } from '../../support/edges-of.ts';
import { dedent } from '../../support/dedent.ts';

describe('Shell', () => {
  it('functions call those of their file and of the files that it reads in, and nobody else’s', async () => {
    const sources = {
      'bin/run.sh': dedent`
          source "$(dirname "$0")/lib/util.sh"
          . ../share/more.sh
          main() { local x=$(upper a); own | more; trap clean EXIT; ls; hidden; if own; then log x; fi; }
          function own { echo; }
          clean() { :; }
          main "$@"
        `,
      'bin/lib/util.sh': 'upper() { tr a-z A-Z; }\n. ${HERE}/log.sh',
      'bin/lib/log.sh': 'log() { printf x; }',
      'share/more.sh': 'more() { :; }',
      'other.sh': 'hidden() { :; }\nls() { :; }',
    };
    const edges = ['main -> clean', 'main -> log', 'main -> more', 'main -> own', 'main -> upper'];
    expect(await edgesOf(sources)).to.deep.equal(edges);
  });
});
