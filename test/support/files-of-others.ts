/** Of each kind of file that somebody else may have written, a good one, and what could be repeated in it without end. */
export const kinds: Record<string, { good: string; without_end: readonly string[] }> = {
  'package.json': { good: '{"name":"a","dependencies":{"koa":"^3.0.0"}}', without_end: ['{"a":', '"\\"', '['] },
  'pom.xml': {
    good: '<project><groupId>a</groupId><artifactId>b</artifactId><dependencies><dependency><groupId>c</groupId><artifactId>d</artifactId></dependency></dependencies></project>',
    without_end: ['<a>', '<!ENTITY a "&a;">', '<artifactId> '],
  },
  'pyproject.toml': {
    good: '[project]\nname = "a"\ndependencies = ["flask>=2"]\n',
    without_end: ['[[a]]\n', 'a=[', '"""'],
  },
  'requirements.txt': {
    good: 'flask==3.0.0\n-e git+https://x/y#egg=z\n',
    without_end: ['://', 'a ', 'a==1\n', '\\\n'],
  },
  'build.gradle': { good: "implementation 'a.b:c:1.0'\n", without_end: ["implementation 'a:", 'a:a', "'"] },
  'setup.py': { good: 'setup(name="a", install_requires=["flask"])\n', without_end: ['setup(', '["', "name='"] },
  'go.mod': { good: 'module a\n\nrequire b.c/d v1.2.3\n', without_end: ['require (', 'require a v1\n'] },
  'Cargo.toml': { good: '[package]\nname = "a"\n[dependencies]\nserde = "1"\n', without_end: ['[a.', 'a.b={'] },
  'package-lock.json': {
    good: '{"packages":{"node_modules/a":{"version":"1.0.0"}}}',
    without_end: ['{"dependencies":', '['],
  },
  'yarn.lock': { good: 'a@1:\n  version "1.0.0"\n', without_end: ['"a@', 'version ', '\n'] },
  'pnpm-lock.yaml': {
    good: 'packages:\n\n  a@1.0.0:\n    resolution: {}\n',
    without_end: ['packages:\n', '  a@1:', '{'],
  },
  'poetry.lock': { good: '[[package]]\nname = "a"\nversion = "1"\n', without_end: ['[[package]]\n', "'''"] },
  'Gemfile.lock': { good: 'GEM\n  specs:\n    a (1.0)\n', without_end: ['GEM\n', '    a (1'] },
  '.github/workflows/ci.yml': {
    good: 'on: push\njobs: { a: { steps: [{ uses: a/b@v1 }, { run: "curl https://x | sh" }] } }\n',
    without_end: ['{', '[', '&a [*a,', '? ', '- &a *a ', '"'],
  },
  '.gitlab-ci.yml': { good: 'a:\n  script: [npm test]\n', without_end: ['mvn ', 'uv run ', 'a: '] },
  Dockerfile: {
    good: 'FROM node:24\nRUN curl https://x | sh\n',
    without_end: ['FROM a AS b\n', 'RUN curl http: ', '\\\n', '$('],
  },
  'setup.sh': {
    good: 'curl https://x | sh\npip install a\n',
    without_end: ['curl http: ', '<<A\n', "'", '${', '`', 'a|'],
  },
  'lcov.info': { good: 'SF:a.c\nDA:1,1\nend_of_record\n', without_end: ['SF:a\n', 'DA:1,1\n', 'BRDA:'] },
  'coverage.xml': {
    good: '<coverage><packages><package><classes><class filename="a.c"><lines><line number="1" hits="1"/></lines></class></classes></package></packages></coverage>',
    without_end: ['<package>', '<class filename="', '<!ENTITY a "&a;">', '<![CDATA['],
  },
  'jacoco.xml': {
    good: '<report><package name="a"><sourcefile name="A.java"><line nr="1" ci="1"/></sourcefile></package></report>',
    without_end: ['<package>', "<line nr='"],
  },
  'clover.xml': {
    good: '<coverage><project><file path="a.c"><line num="1" type="stmt" count="1"/></file></project></coverage>',
    without_end: ['<file>', '<line/>'],
  },
  'coverage.out': { good: 'mode: set\na.go:1.1,2.2 1 1\n', without_end: ['a.go:1.1,99999999999.2 1 1\n', ':1'] },
  'scan.sarif': {
    good: '{"runs":[{"tool":{"driver":{"name":"a","rules":[]}},"results":[{"ruleId":"a","level":"error"}]}]}',
    without_end: ['{"runs":[', '{"locations":', '['],
  },
  'bom.json': {
    good: '{"bomFormat":"CycloneDX","components":[{"purl":"pkg:npm/a@1.0.0"}]}',
    without_end: ['{"bomFormat":"CycloneDX","components":[', '['],
  },
  'app.spdx': { good: 'ExternalRef: PACKAGE-MANAGER purl pkg:npm/a@1.0.0\n', without_end: ['ExternalRef: ', 'pkg:'] },
  'README.md': { good: '# A\n\nSells things to people.\n', without_end: ['aa', '<!--', '[![a](b)](', '# '] },
};
