import { rmSync, writeFileSync } from 'node:fs';
import type { FileContent, GitRepository } from './git-repository.ts';

/**
 * How the tests of the planted history are run: each script in tests/ prints TAP. A report and an exit code as any runner has them,
 * in a few milliseconds.
 */
export const plantedTestCommand = [
  'for file in tests/*.sh; do sh "$file"; done >$OUT/report.tap',
  'echo "1..$(grep -c "ok - " $OUT/report.tap)" >>$OUT/report.tap',
  '! grep -q "^not ok" $OUT/report.tap',
].join('; ');

/** A test of a planted library: `SCRIPT` is sourced, and `ok NAME` printed where the condition holds. */
const test = (script: string, checks: Record<string, string>) =>
  [
    `if ! . ./lib/${script}.sh 2>/dev/null; then echo "not ok - ${script} can be read"; exit; fi`,
    ...Object.entries(checks).map(
      ([name, condition]) => `if ${condition}; then echo "ok - ${name}"; else echo "not ok - ${name}"; fi`,
    ),
    '',
  ].join('\n');

const library = (name: string, result: string, comment = '') => `${comment}${name}() {\n  echo ${result}\n}\n`;
const returns = (name: string, result: string) => `[ "$(${name})" = ${result} ]`;

/** Words that say nothing, so that a message has enough of them. */
const because =
  'Callers of the library were told the wrong thing by this function before, and some of them noticed it.';
const says = (subject: string, body = because) => `${subject}\n\n${body}\n`;

interface Planted {
  /** The commit's id, by the name under which the test speaks of it. */
  good: Readonly<Record<string, string>>;
  /** How many commits there are for each reason. */
  rejected: Readonly<Record<string, number>>;
}

/** A commit with a fix of a library of its own and the test that proves it, each on the parent's files. */
function fixOf(name: string, more: Record<string, FileContent> = {}): Record<string, FileContent> {
  return {
    [`lib/${name}.sh`]: library(name, 'right'),
    [`tests/${name}.sh`]: test(name, { [`${name} is right`]: returns(name, 'right') }),
    ...more,
  };
}

/** Plants one commit for each reason to refuse one, and good fixes in all forms between them. */
export function plantFixes(repository: GitRepository): Planted {
  const good: Record<string, string> = {};
  const rejected: Record<string, number> = {};
  const reject = (reason: string, message: string, files: Record<string, FileContent>, author?: string) => {
    rejected[reason] = (rejected[reason] ?? 0) + 1;
    const by = author === undefined ? {} : { author: { name: author, email: 'x@example.com' } };
    return repository.commit(message, { files, ...by });
  };

  const broken = [
    'plain',
    'squashed',
    'merged',
    'binary',
    'hidden',
    'endings',
    'repeated',
    'slow',
    'breaking',
    'random',
  ];
  reject('root', 'Begin', {
    'README.md': '# Planted\n',
    'package.json': '{"name":"planted"}\n',
    'lib/other.sh': library('other', 'well'),
    ...Object.fromEntries(broken.map((name) => [`lib/${name}.sh`, library(name, 'wrong')])),
  });
  // Nothing passes before it, so nothing says that tests can be run at all.
  reject('base_failed', says('The first test comes with a fix'), {
    'lib/first.sh': library('first', 'right'),
    'tests/first.sh': test('first', { 'first is right': returns('first', 'right') }),
  });
  reject('environment_incomplete', says('loaded returns what is right, in tests of two kinds'), {
    ...fixOf('loaded'),
    'tests/unloaded.sh':
      'if . ./lib/loaded.sh 2>/dev/null; then echo "not ok - tests/unloaded.sh > [suite load]"; fi\n',
  });
  reject('tests_deleted_only', says('What can not be loaded goes'), { 'tests/unloaded.sh': null });
  good['plain'] = repository.commit(says('plain returns what is right'), { files: fixOf('plain') });
  reject('no_fail_before', says('Say the same of other in fewer words'), {
    'lib/other.sh': `other() { echo well; }\n`,
    'tests/other.sh': test('other', { 'other is well': returns('other', 'well') }),
  });
  good['squashed'] = repository.commit(
    `squashed returns what is right (#8)\n\n${because}\n\nFixes #5\n\nSigned-off-by: Ann Author <ann@example.com>\n`,
    { files: fixOf('squashed') },
  );

  repository.git('checkout', '--quiet', '-b', 'topic');
  repository.commit('merged is wrong: show it', {
    files: { 'tests/merged.sh': test('merged', { 'merged is right': returns('merged', 'right') }) },
  });
  repository.commit('merged is right', { files: { 'lib/merged.sh': library('merged', 'right') } });
  repository.git('checkout', '--quiet', 'main');
  repository.git('merge', '--quiet', '--no-ff', 'topic', '-m', `Merge pull request #7 from ann/topic\n\n${because}`);
  good['merged'] = repository.git('rev-parse', 'HEAD').trim();

  const image = Uint8Array.from({ length: 300 }, (_, index) => (index * 7) % 256);
  good['binary'] = repository.commit(says('binary is compared with what it shall be, byte for byte'), {
    files: fixOf('binary', {
      'tests/expected.bin': image,
      'tests/binary.sh': test('binary', {
        'binary is right': '[ "$(binary)" = right ] && [ "$(wc -c <tests/expected.bin)" -eq 300 ]',
      }),
    }),
  });
  reject('binary', says('A logo comes with a test of it'), {
    'logo.png': image,
    'lib/logo.sh': library('logo', '1'),
    'tests/logo.sh': test('logo', { logo: returns('logo', '1') }),
  });
  good['hidden'] = repository.commit(says('hidden is right, and no archive has its tests'), {
    files: fixOf('hidden', { '.gitattributes': 'tests/ export-ignore\n*.bat text eol=crlf\n' }),
  });
  good['endings'] = repository.commit(says('endings keeps the ends of its lines, whatever they are'), {
    files: {
      'lib/endings.sh': library('endings', 'right', '# With two\r\n# ends of DOS\r\n'),
      'lib/run.bat': 'echo right\n',
      'tests/endings.sh': test('endings', {
        'endings is right': '[ "$(endings)" = right ] && grep -q "DOS\r" lib/endings.sh',
      }),
    },
  });

  reject('docs_only', says('Describe it'), { 'README.md': '# Planted\n\nMore of it.\n', 'docs/a.txt': 'a\n' });
  reject('lockfile_only', says('Lock it'), { 'package-lock.json': '{}\n' });
  reject('no_tests', says('Quietly change something'), { 'lib/quiet.sh': library('quiet', '1') });
  reject('no_code', says('Test more of it'), { 'tests/quiet.sh': test('quiet', { quiet: returns('quiet', '1') }) });
  reject('tests_deleted_only', says('Test less of it'), { 'tests/quiet.sh': null, 'lib/quiet.sh': null });
  reject('inline_tests', says('Count from one, and test that in place'), {
    'src/lib.rs': 'pub fn one() -> u8 { 1 }\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn one() {}\n}\n',
    'tests/rust.sh': 'echo "ok - rust"\n',
  });
  reject('bot', says('Bump something'), fixOf('bumped'), 'renovate[bot]');
  reject('version_bump', 'Release 1.2.0\n', fixOf('released'));
  reject('too_large', says('Write all of it anew'), {
    ...fixOf('large'),
    'lib/large.sh': library('large', 'right', Array.from({ length: 501 }, (_, line) => `# ${line}\n`).join('')),
  });
  reject('too_many_files', says('Touch everything'), {
    ...Object.fromEntries(Array.from({ length: 16 }, (_, n) => [`lib/many${n}.sh`, `# ${n}\n`])),
    'tests/many.sh': 'echo "ok - many"\n',
  });
  reject('format_only', says('Indent by four'), {
    'lib/other.sh': `other()  {  echo well;  }\n`,
    'tests/other.sh': `${test('other', { 'other is well': returns('other', 'well') })}\n`,
  });
  reject('symlink', says('Call it by two names'), { ...fixOf('link'), 'lib/alias.sh': { symlink: 'link.sh' } });
  reject('lfs', says('Keep it elsewhere'), {
    ...fixOf('stored'),
    'lib/data.sh': 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n',
  });
  reject('short_statement', 'Fix short\n', fixOf('short'));
  reject(
    'solution_leak',
    says('leak', 'Put `echo "the leaked answer"` there,\nas the callers of the function expect it to say so.'),
    {
      'lib/leak.sh': 'echo "the leaked answer"\n',
      'tests/leak.sh': test('leak', { leak: 'true' }),
    },
  );
  reject('not_utf8', says('Spell the name of the author as she does'), {
    'lib/latin.sh': Uint8Array.from([0x23, 0x20, 0x4a, 0xf6, 0x72, 0x67, 0x0a]),
    'tests/latin.sh': test('latin', { latin: 'true' }),
  });
  rejected['empty'] = 1;
  repository.commit('Nothing at all, in so many words that nobody reads them\n');
  rejected['submodule'] = 1;
  repository.write(fixOf('module'));
  repository.git('add', '--all');
  repository.git('update-index', '--add', '--cacheinfo', `160000,${good['plain']},vendor/module`);
  repository.git('commit', '--quiet', '-m', says('Use a newer module'));
  repository.git('rm', '--quiet', '--cached', 'vendor/module');
  rejected['submodule'] += 1;
  repository.git('commit', '--quiet', '-m', says('Use no module any more'));

  good['repeated'] = repository.commit(says('repeated returns what is right'), { files: fixOf('repeated') });
  rejected['revert'] = 1;
  repository.git('revert', '--no-edit', 'HEAD');
  reject('duplicate', says('repeated returns what is right, once more'), fixOf('repeated'));

  reject('no_fail_to_pass', says('Try to mend what stays as it is'), {
    'lib/tried.sh': library('tried', 'wrong'),
    'tests/tried.sh': test('tried', { 'tried is right': returns('tried', 'right') }),
  });
  reject('no_tests', says('Give that up again, as it can not be mended'), { 'lib/tried.sh': null });
  reject('tests_deleted_only', says('Nor is there anything left to test'), { 'tests/tried.sh': null });
  reject('gold_breaks', says('breaking is right, though other is not any more'), {
    ...fixOf('breaking'),
    'lib/other.sh': library('other', 'badly'),
  });
  good['other'] = repository.commit(says('other is well again, as it was for so long'), {
    files: {
      'lib/other.sh': library('other', 'well'),
      'tests/other.sh': test('other', { 'other is well': returns('other', 'well') }),
    },
  });
  reject('unspecified_symbols', says('One function more does what nobody can guess'), {
    // Its interface can't be told, as that would name the hidden test.
    'lib/other.sh': `${library('other', 'well')}\n${library('un_guessable', 'right')}`,
    'tests/guess.sh': '. ./lib/other.sh; un_guessable >/dev/null && echo "ok - un_guessable"\n',
  });

  reject('no_tests', says('Break the manifest'), { 'package.json': '{"name":"broken"}\n' });
  reject('setup_failed', says('Mend the manifest, and more than that'), {
    'package.json': '{"name":"planted"}\n',
    ...fixOf('mended'),
  });
  reject('timeout', says('slow returns, and soon'), {
    'lib/slow.sh': library('slow', 'right'),
    'tests/slow.sh': `. ./lib/slow.sh\n${returns('slow', 'right')} || sleep 600\necho "ok - slow"\n`,
  });
  // What these tests do to the report they would do to all that follow: each goes with the next commit.
  const withdrawn = (reason: string, name: string, check: string) => {
    reject(reason, says(`${name} has a test that is no good`), {
      [`lib/${name}.sh`]: library(name, 'right'),
      // Without `command` a missing file would end the script.
      [`tests/${name}.sh`]: `command . ./lib/${name}.sh 2>/dev/null\n${check}\n`,
    });
    reject('tests_deleted_only', says(`${name} goes`), { [`lib/${name}.sh`]: null, [`tests/${name}.sh`]: null });
  };
  const isRight = (name: string) =>
    `if ${returns(name, 'right')}; then echo "ok - ${name}"; else echo "not ok - ${name}"; fi`;
  withdrawn('no_report', 'lost', `${isRight('lost')}\n${returns('lost', 'right')} && rm $OUT/report.tap`);
  withdrawn(
    'control_failed',
    'todo',
    `${isRight('todo')}\n${returns('todo', 'right')} && echo "not ok - later # TODO"`,
  );
  // One of so many tests fails in each run, by chance another one each time.
  const chance = `awk -v bad=$(($(od -An -N2 -tu2 /dev/urandom) % 30000)) 'BEGIN { for (n = 0; n < 30000; n++) print (n == bad ? "not ok" : "ok") " - " n }'`;
  withdrawn('flaky', 'chance', chance);

  const bytes = (text: string) => Buffer.from(`${repository.path}/lib/${text}`, 'latin1');
  writeFileSync(bytes('\xff.sh'), library('x', '1'));
  reject('path_not_utf8', says('A name that is no text'), fixOf('name'));
  rmSync(bytes('\xff.sh'));
  reject('path_not_utf8', says('A name that is no text goes again'), fixOf('named'));
  // A name that holds the time is another one in each run, and no test of the fix.
  const clock = { 'tests/clock.sh': 'echo "ok - at $(date +%s%N)"\n' };
  good['last'] = repository.commit(says('last is right at last'), { files: fixOf('last', clock) });
  return { good, rejected };
}
