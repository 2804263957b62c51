const sha = 'a'.repeat(40);
const digest = `sha256:${'b'.repeat(64)}`;

/** A tree whose builds fetch things in every way that is told apart. */
export const buildFiles: Record<string, string> = {
  '.github/workflows/ci.yml': `name: CI
on: [push, pull_request]
permissions: read-all
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@${sha}
      - uses: ./.github/actions/local
      - uses: docker/build-push-action@v6
      - uses: acme/deploy@${sha}
      - run: npm ci
      - run: |
          # pip install of-a-comment
          sudo pip install -r requirements.txt
          pip3 install --require-hashes -r requirements.txt
          python -m pip install wheels/a.whl
          npm install left-pad && npm test
          echo "npm install in a text"
          VERSION=\${{ matrix.version }} npm i -g "eslint@\${{ matrix.version }}"
      - run: curl -sSfL https://example.com/install.sh | sh -s -- -b /usr/local/bin
      - run: |
          curl -sSf https://raw.githubusercontent.com/acme/tools/${sha}/install.sh | bash
          bash <(curl -s https://example.com/uploader)
          wget https://example.com/get.sh
          chmod +x get.sh
          ./get.sh --yes
      - run: choco install node
        shell: pwsh
  go:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/setup-go@v5
      - run: go install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.1.0
      - run: go install golang.org/x/tools/cmd/stringer@latest
      - run: go install ./...
      - run: bash -c "curl https://example.com/x.sh | bash"
  windows:
    runs-on: windows-latest
    steps:
      - uses: actions/checkout@${sha}
      - run: pip install not-in-a-shell-that-is-read
  called:
    uses: acme/workflows/.github/workflows/build.yml@main
`,
  Dockerfile: `ARG BASE=python:3.13
FROM golang:1.25 AS build
RUN go install example.com/tool@v1.2.3
FROM \${BASE} AS runtime
RUN pip install --no-cache-dir flask && \\
    curl https://example.com/setup.sh | bash
RUN ["npm", "install"]
FROM debian@${digest} AS base
FROM base
COPY --from=build /go/bin/tool /usr/local/bin/
RUN if true; then pip install --no-deps -e .; fi
`,
  'api/Dockerfile': 'FROM scratch\nCOPY app /app\n',
  'scripts/setup.sh': `#!/usr/bin/env bash
set -euo pipefail
pip install -e .
npm install github:acme/tools#${sha}
dotnet restore --locked-mode
nuget install Acme.Json
cat <<EOF
npm install in-a-heredoc
EOF
if ! command -v jq; then
  curl -o jq https://example.com/jq
  wget -O - https://example.com/a.sh | bash
fi
x=$(npm update)
`,
  'scripts/report.py': 'print("pip install nothing")\n',
};

/**
 * What OpenSSF Scorecard v5.4.0 says of them, `scorecard --local FOLDER --checks Pinned-Dependencies --show-details`: it takes
 * minutes to build, so that its words are kept here.
 */
const scorecard = `
Info:   2 out of   4 GitHub-owned GitHubAction dependencies pinned
Info:   1 out of   3 third-party GitHubAction dependencies pinned
Info:   3 out of   4 goCommand dependencies pinned
Info:   3 out of   6 pipCommand dependencies pinned
Info:   0 out of   6 downloadThenRun dependencies pinned
Info:   2 out of   6 npmCommand dependencies pinned
Info:   1 out of   2 nugetCommand dependencies pinned
Info:   2 out of   4 containerImage dependencies pinned
`;

const names: Record<string, string> = {
  'GitHub-owned GitHubAction': 'github_owned',
  'third-party GitHubAction': 'third_party_action',
  goCommand: 'go',
  pipCommand: 'pip',
  downloadThenRun: 'download_then_run',
  npmCommand: 'npm',
  nugetCommand: 'nuget',
  containerImage: 'container',
};

/** The same by our names. */
export const scorecardCounts: Record<string, number> = Object.fromEntries(
  Array.from(scorecard.matchAll(/(\d+) out of +(\d+) (.+) dependencies/g), ([, pinned, total, name = '']) => [
    [`pinned ${names[name]}`, Number(pinned)],
    [`total ${names[name]}`, Number(total)],
  ]).flat(),
);
