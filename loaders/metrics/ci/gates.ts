import type { Leaf, Sources } from './follow/follow.ts';
import { toolOf } from './follow/wrappers.ts';

/** The five gates, in the order of the evidence. */
export const gateIds = ['build', 'test', 'lint', 'sast', 'dependency_or_secret_scan'] as const;
export type GateId = (typeof gateIds)[number];

/** What is asked of the tree beside its files' texts. */
export interface GateFacts extends Sources {
  isTest(path: string): boolean;
}

/** By each gate, the commands that are one, from their tool on; each ends at a word's end. */
const commands: Readonly<Record<GateId, RegExp>> = {
  build: tools(
    'npm (ci|install(?!.* (-g|--global))|i(?!.* (-g|--global))|run build|pack)|yarn( install| build)?|pnpm (i|install|build)|bun (install|build)|mvnw? (.* )?(compile|package|verify|install|deploy|test)|gradlew? (.* )?(build|assemble|jar|compile\\w*|check|\\w*[tT]est\\w*)|go (build|install)|cargo (build|check|install|test|nextest|clippy)|make|ninja|cmake|meson (setup|compile)|bazel(isk)? (build|test)|dotnet (build|publish|pack|test)|docker (buildx )?build|(python )?build|poetry (build|install)|pip3? (.* )?install (.* )?(-r|-e|\\.|--editable|--requirement|-U \\.)\\S*|uv (sync|build|pip)|tsc|webpack|rollup|vite build|esbuild|swc|parcel build|swift build|sbt (.* )?\\S*([cC]ompile|test|package|publishLocal|ci)\\S*|mill (.* )?\\S*([cC]ompile|[tT]est|publish)\\S*|mix compile|bundle install|composer (install|update)|flit build|hatch build|cc|gcc|g\\+\\+|clang(\\+\\+)?|javac|kotlinc|msbuild|xcodebuild|zig build|dune build|stack build|cabal build',
  ),
  test: tools(
    'pytest|py\\.test|nose2?|nosetests|trial|twisted\\.trial|stestr|ward|behave|robot|green|unittest|python -m (unittest|doctest)|doctest|testtools\\.run|python (setup\\.py (test|pytest)|(\\S*/)?(manage|runtests|run_tests|run-tests)\\.py( test)?)|manage\\.py test|django-admin test|hatch (test|run (\\S+:)?\\S*(test|cov)\\S*)|_?mocha|jest|vitest|ava|tap|tape|tap-\\w+|jasmine|karma|cypress run|playwright test|nightwatch|wdio|qunit|uvu|lab|ng test|react-scripts test|vue-cli-service test|web-test-runner|wtr|testem|ember test|node (.* )?--test|borp|tsd|vitest|jest-cli|cucumber(-js)?|codeceptjs|testcafe|intern|bats|urchin|shunit2|shellspec|zunit|deno test|bun test|go test|gotestsum|ginkgo|richgo test|cargo (\\+\\S+ )?(test|t|nextest|llvm-cov|tarpaulin|miri test|hack .*test)|cross test|wasm-pack test|ctest|meson test|dotnet (test|vstest)|vstest\\.console|xunit\\.console|nunit3-console|bazel(isk)? (test|coverage)|rspec|minitest|rails test|ruby (.* )?-I\\S*test|testrb|phpunit|pest|paratest|codecept run|behat|phpspec run|kahlan|atoum|simple-phpunit|tester|artisan test|swift test|xcodebuild (.* )?test|fastlane (.* )?(test|scan)|mix test|rebar3 (eunit|ct)|stack test|cabal test|sbt (.* )?\\S*(test|ci|validate|coverage)\\S*|mill (.* )?\\S*[tT]est\\S*|scala-cli test|lein test|clojure \\S*test\\S*|dart test|flutter test|zig build test|zig test|nimble test|busted|prove|dub test|crystal spec|raco test|dune (test|runtest)|mvnw? (.* )?(test|package|verify|install|deploy|integration-test)|gradlew? (.* )?(\\S*:)?(test|check|build|\\w*Tests?|\\w*Check)|(make|ninja) (.* )?(test|check|distcheck|installcheck)|cmake --build (.* )?(test|check|RUN_TESTS)|valgrind',
  ),
  lint: tools(
    'eslint|oxlint|biome (check|lint|ci|format)|tsc|vue-tsc|standard|semistandard|ts-standard|xo|tslint|jshint|jscs|stylelint|prettier (.* )?(--check|-c|-l|--list-different)|dprint check|flake8|pycodestyle|pydocstyle|pylint|ruff( check| format (.* )?(--check|--diff))?|black (.* )?--check|mypy|pyright|basedpyright|pytype|pyre|ty check|isort (.* )?(--check|--check-only|-c)|pre-commit run|prek run|lefthook run|golangci-lint|go vet|staticcheck|revive|golint|cargo (\\+\\S+ )?(clippy|check)|cargo (\\+\\S+ )?fmt (.* )?--check|rustfmt (.* )?--check|checkstyle|ktlint|detekt(-cli)?|rubocop|standardrb|reek|herb (analyze|lint)|erblint|erb_lint|phpstan|psalm|phpcs|php-cs-fixer (.* )?--dry-run|pint --test|parallel-lint|shellcheck|shfmt (.* )?-d|hadolint|yamllint|ansible-lint|clang-tidy|clang-format (.* )?(--dry-run|-n|-Werror)|cppcheck|cpplint|swiftlint|swiftformat (.* )?--lint|dotnet format (.* )?--verify-no-changes|actionlint|typos|codespell|markdownlint(-cli2)?|scalafmt (.* )?(--check|--test)|sbt (.* )?\\S*(scalafmtCheck|scalafix|scalastyle)\\S*|mill (.* )?\\S*(checkFormat|scalafix)\\S*|mix (format --check|credo|dialyzer)|deno (lint|check|fmt --check)|gradlew? (.* )?\\S*(spotlessCheck|ktlintCheck|detekt|checkstyle\\w*|lint\\w*|apiCheck|pmd\\w*)|mvnw? (.* )?(checkstyle:\\S+|spotless:check|ktlint:check|pmd:check)|buf lint|publint|attw|knip|luacheck|bandit-lint|nitpick|interrogate|validate-pyproject|check-manifest|twine check|jsonlint|dialyzer|credo',
  ),
  sast: tools(
    'codeql|semgrep|bandit|gosec|sonar-scanner|gradlew? (.* )?sonar(qube)?|mvnw? (.* )?(sonar:sonar|spotbugs:check)|snyk code|brakeman|njsscan|spotbugs|pmd|zizmor|pysa|qodana|infer|cov-build|flawfinder|security-scan|gradlew? (.* )?\\S*spotbugs\\w*',
  ),
  dependency_or_secret_scan: tools(
    'npm audit|yarn (npm )?audit|pnpm audit|bun audit|pip-audit|safety (check|scan)|govulncheck|cargo (\\+\\S+ )?(audit|deny)|osv-scanner|trivy|grype|snyk (test|monitor)|dependency-check|gitleaks|trufflehog|detect-secrets(-hook)?|bundle(r)?[- ]audit|composer audit|nancy|dotnet list (.* )?--vulnerable|uv-secure|audit-ci|better-npm-audit|mvnw? (.* )?(org\\.owasp:)?dependency-check\\S*|gradlew? (.* )?dependencyCheck\\w*|symfony security:check|local-php-security-checker',
  ),
};

/** Actions that are a gate. */
const actions: Readonly<Record<GateId, RegExp>> = {
  build: /^docker\/build-push-action|^gradle\/|build-push|^pypa\/(build|cibuildwheel)|maturin-action/,
  test: /^cypress-io\/github-action|^wntrblm\/nox|pytest/,
  lint: /^golangci\/golangci-lint-action|^pre-commit(-ci)?\/(lite-)?action|^psf\/black|^astral-sh\/ruff-action|super-linter|^reviewdog\/|^actions-rs\/clippy|staticcheck-action|shellcheck|typos|^chartboost\/ruff|eslint/,
  sast: /^github\/codeql-action\/(analyze|upload)|sonar(cloud|source|qube)|snyk\/|semgrep|qodana|gosec|bandit|zizmor|pysa-action|shiftleft|checkmarx|veracode|cifuzz|coverity/i,
  dependency_or_secret_scan:
    /dependency-review-action|aquasecurity\/trivy|anchore\/|gitleaks|trufflehog|osv-scanner|snyk\/|rustsec\/audit|cargo-deny|pypa\/gh-action-pip-audit|govulncheck|dependency-check|fossa/i,
};

/** A pattern of the tools' own words, from the first to the end of a word. */
function tools(alternatives: string): RegExp {
  // Bounded: a command of at most `maxCommandLength` characters.
  return new RegExp(`^(?:${alternatives})(?=$|[\\s:])`);
}

const maxCommandLength = 300;

/** What makes a tool do nothing: shows its version, lists, or reports no failure. */
const idle: readonly (readonly [RegExp, string])[] = [
  [
    /^(pytest|py\.test)\b.*\s(--collect-only|--co|--setup-plan|--fixtures|--markers)(\s|$)/,
    'collects tests and runs none',
  ],
  [/^(jest|vitest|_?mocha|ava)\b.*\s(--listTests|--dry-run|list)(\s|$)/, 'lists tests and runs none'],
  [/^cargo\b.*\s--no-run(\s|$)/, 'builds tests and runs none'],
  [/^go test\b.*\s-(c|list)(\s|$)/, 'builds or lists tests and runs none'],
  [/^go test\b.*\s-run[= ]['"]?(\^?\$|NONE|XXX|NoTests|nothing)['"]?(\s|$)/i, 'is told to run no test'],
  [/^ctest\b.*\s(-N|--show-only)/, 'lists tests and runs none'],
  [/^mvnw?\b.*\s-D(skipTests|maven\.test\.skip)(?!=false)/, 'is told to skip the tests'],
  [/^mvnw?\b.*\s-D(maven\.test\.failure\.ignore|testFailureIgnore)(?!=false)/, 'is told to ignore failures'],
  [/^gradlew?\b.*\s(--dry-run|-m)(\s|$)/, 'only shows what it would run'],
  [/^dotnet test\b.*\s(--list-tests|-t)(\s|$)/, 'lists tests and runs none'],
  [
    /^(npm|pnpm|pip3?|uv|bundle|poetry|composer|docker|bazel(isk)?|meson|swift|yarn)\b.*\s--dry-run(\s|$)/,
    'only shows what it would do',
  ],
  [/^(npm|pnpm|yarn)\b.*\s--audit-level[= ]none(\s|$)/, 'is told never to fail'],
  [/\s--exclude[= ]['"]?\*{1,2}['"]?(\s|$)/, 'is told to look at nothing'],
  [/\s--exit-zero(\s|$)/, 'is told never to fail (`--exit-zero`)'],
  [/\s(--issues-exit-code|--exit-code)[= ]0(\s|$)/, 'is told never to fail'],
];

const prints =
  /^(echo|printf|true|:|false|exit|sleep|cat|ls|pwd|date|env|say|write-host|write-output|test|\[|\[\[|rm|grep|egrep|which|mkdir|cp|mv|touch|sed|awk|find|cd|tr|head|tail|tee|wc|type|command)$/i;

/** The gates that the end of a chain is; `idle` says why one would be that does nothing. */
export function gatesOf(leaf: Leaf, facts: GateFacts): { gates: GateId[]; idle: string | null } {
  const text = normal(leaf.words);
  const gates = gateIds.filter((id) => commands[id].test(text));
  if (!gates.includes('test') && isOwnTest(leaf, facts)) gates.push('test');
  if (
    !gates.includes('build') &&
    leaf.hidden === null &&
    leaf.chain.some((call) => isBuild(call)) &&
    !prints.test(toolOf(leaf.words))
  )
    gates.push('build');
  const excluded = gates.filter((id) => id !== 'test' || !skipsTests(text));
  const reason =
    idle.find(([pattern]) => pattern.test(text))?.[1] ??
    ([leaf.words, ...leaf.chain.map((call) => call.split(' '))].some(tellsOfItself)
      ? 'asks for help or a version, and runs nothing'
      : null) ??
    withoutLockfile(text, facts) ??
    withoutFiles(leaf.words, facts);
  return { gates: excluded, idle: reason ?? ignoredByBuild(text, leaf, facts) };
}

/** `--help` wherever it stands, `--version` where no version follows, `-h` at the end. What is a script of its own is looked into. */
function tellsOfItself(words: readonly string[]): boolean {
  if (words.some((word) => /^(-\w*c|&&|\|\|?|;)$/.test(word) || /\s/.test(word))) return false;
  const end = words.indexOf('--');
  const own = words.slice(1, end === -1 ? undefined : end);
  return (
    own.some((word, at) => {
      const next = own[at + 1] ?? '-';
      return word === '--help' || (/^--?version$/.test(word) && next.startsWith('-'));
    }) ||
    own.at(-1) === '-h' ||
    (own.length === 1 && /^(-V|help)$/.test(own[0] ?? '') && toolOf(words) !== 'ctest')
  );
}

/** `npm ci` ends at once where nothing is locked. */
const withoutLockfile = (text: string, { paths }: GateFacts): string | null =>
  /^npm ci\b/.test(text) && ![...paths].some((path) => /(^|\/)(package-lock|npm-shrinkwrap)\.json$/.test(path))
    ? 'fails, as no lockfile is there'
    : null;

const looksAtFiles = /^(jest|vitest|_?mocha|ava|eslint|pytest|py\.test|ruff|flake8|pylint|bandit|semgrep)$/;

const stem = (name: string): string => {
  const dot = name.indexOf('.', 1);
  return dot === -1 ? name : name.slice(0, dot);
};

/** Where all that a tool is to look at is named, and nothing is called so in the tree, wherever. */
function withoutFiles(words: readonly string[], { paths }: GateFacts): string | null {
  const at = words.findIndex((word) => looksAtFiles.test(word));
  if (at === -1) return null;
  const named = words
    .slice(at + 1)
    .filter((word, index, all) => !word.startsWith('-') && !/^--(?!no-|pass)/.test(all[index - 1] ?? ''));
  const isPath = (word: string) => /^(\.\/)?[\w.-]+(\/[\w.-]+)+\/?$/.test(word);
  if (named.length === 0 || !named.every(isPath)) return null;
  const parts = new Set([...paths].flatMap((path) => path.split('/').map(stem)));
  // What is built has a name of the source somewhere in it, or is where everybody puts it.
  const isThere = (part: string) => parts.has(stem(part)) || /^(?:dist|build|out|lib|target|tmp)$/.test(part);
  return named.some((word) => word.split('/').some(isThere)) ? null : 'looks at files that are not there';
}

export const gatesOfAction = (text: string): GateId[] => gateIds.filter((id) => actions[id].test(text));

/** Why a command that reads like a gate is none: it only prints. Null where it does not read like one. */
export function printedGates({ words, chain }: Leaf): GateId[] {
  if (!/^(echo|printf|true|:|write-host|write-output)$/i.test(toolOf(words))) return [];
  const [call = ''] = chain;
  const said = normal(words.slice(1).flatMap((word) => word.split(' ')));
  const called = normal(call.split(' '));
  return gateIds.filter(
    (id) =>
      (words.length > 1 && (commands[id].test(said) || namedFor[id].test(said))) ||
      (chain.length > 1 && namedFor[id].test(called)),
  );
}

/** How one calls a gate, whatever is behind it. */
const namedFor: Readonly<Record<GateId, RegExp>> = {
  build: /^(npm|yarn|pnpm|bun|make|just|rake|composer|tox|nox)\b.{0,80}\bbuild\b/,
  test: /^(npm|yarn|pnpm|bun|make|just|rake|composer|tox|nox)\b.{0,80}\b(tests?|t|check|ci|spec)\b|^\S{0,80}tests?(\.\w+)?\b/,
  lint: /^(npm|yarn|pnpm|bun|make|just|rake|composer|tox|nox)\b.{0,80}\b(lint|typecheck|format|style)\b/,
  sast: /\b(sast|semgrep|bandit|codeql|security)\b/,
  dependency_or_secret_scan: /\b(audit|scan)\b/,
};

/** Calls that build on the way; tox builds and installs the package that it tests. */
const isBuild = (call: string): boolean =>
  /^(make|npm run build|yarn build|pnpm (run )?build|just build)\b|^(\S+ ){0,6}tox\b/.test(call);

/** As the tables have it: the tool without its folder, version and the variable before it. */
function normal(words: readonly string[]): string {
  const [first = '', ...rest] = words;
  const variable = /^\$\{?([A-Za-z]\w{0,40}?)(?:_?(?:BIN|CMD|EXE|COMMAND|PATH))?\}?$/.exec(first)?.[1];
  const bare = variable?.toLowerCase() ?? toolOf([first.replace(/^\$\{\w{1,40}\}(?=\w)/, '')]);
  const tool = bare
    .replace(
      /^(python|pypy|pip|php|ruby|node|perl|lua|tclsh|phpunit|go|clang-tidy|clang-format|clang|gcc|g\+\+|ctest)[-_]?[\d.]+$/,
      '$1',
    )
    .replace(/\.(phar|js|cjs|mjs|rb|pl)$/, '');
  const known = tool === 'nodejs' ? 'node' : tool === 'py' ? 'python' : tool;
  return [known, ...rest].join(' ').replaceAll(/\s+/g, ' ').slice(0, maxCommandLength);
}

/** Gradle and Maven run the tests on the way to what they are asked for, unless they are told not to. */
function skipsTests(text: string): boolean {
  return /^gradlew?\b/.test(text) && /\s(-x|--exclude-task)[ =]:?(\S*:)?(test|check)(\s|$)/.test(text);
}

const settings = /(^|\/)(pom\.xml|build\.gradle(\.kts)?)$/;

/** What the build's own settings do to its tests. */
function ignoredByBuild(text: string, { dir }: Leaf, { paths, text: textOf }: GateFacts): string | null {
  if (!/^(mvnw?|gradlew?)\b/.test(text)) return null;
  const prefix = dir === '.' ? '' : `${dir}/`;
  const path = ['pom.xml', 'build.gradle', 'build.gradle.kts']
    .map((name) => prefix + name)
    .find((each) => paths.has(each));
  const written = path === undefined ? null : textOf(path);
  if (path === undefined || written === null || !settings.test(path)) return null;
  if (path.endsWith('pom.xml')) {
    // A profile is for those who ask for it.
    const always = written.replaceAll(/<profiles>[^]*?<\/profiles>/g, '').replaceAll(/<!--[^]*?-->/g, '');
    if (/<(skipTests|maven\.test\.skip)>\s{0,9}true/.test(always)) return `${path} skips the tests`;
    return /<(testFailureIgnore|maven\.test\.failure\.ignore)>\s{0,9}true/.test(always)
      ? `${path} ignores failures of tests`
      : null;
  }
  if (/\btest\s{0,9}\{[^{}]*\b(ignoreFailures\s{0,9}=?\s{0,9}true|enabled\s{0,9}=?\s{0,9}false)/.test(written))
    return `${path} ignores or switches off the tests`;
  return /\b(test\.enabled\s{0,9}=\s{0,9}false|test\.ignoreFailures\s{0,9}=\s{0,9}true)/.test(written)
    ? `${path} ignores or switches off the tests`
    : null;
}

const interpreters =
  /^(python|node|ruby|php|perl|tclsh|lua|julia|rscript|bash|sh|tsx|ts-node|deno|bun|escript|elixir|groovy|guile|racket|osascript|\$.*)$/;

/** A program of the repository's own that is a test by its place or name: `./runtest`, `node test/run.js`. */
function isOwnTest({ words, dir }: Leaf, { paths, isTest }: GateFacts): boolean {
  const [tool = '', base] = normal(words).split(' ');
  const isInterpreted = interpreters.test(tool);
  const file = isInterpreted
    ? words.slice(1).find((word) => !word.startsWith('-') && /[/.]/.test(word))
    : /[/\\]/.test(words[0] ?? '')
      ? words[0]
      : undefined;
  if (file === undefined || base === '-c' || base === '-e') return false;
  const path = [dir === '.' ? '' : `${dir}/`, '']
    .map(
      (prefix) =>
        `${prefix}${file
          .replaceAll('\\', '/')
          .replace(/^(\.\/)+/, '')
          .replace(/^\$_\//, '')}`,
    )
    .find((each) => paths.has(each));
  // Bounded: a path.
  return path !== undefined && (isTest(path) || /(^|\/)(run[-_]?)?(all[-_]?)?tests?([-_.]\w+)*$/i.test(path));
}
