import type { MetricSource } from '../metric.ts';
import type { WorkflowStep } from './workflow.ts';
import { readsWorkflows, workflowsOf } from './workflows-of.ts';

/** What a gate is told by: a command, or an action that is used. */
interface Gate {
  id: string;
  run: RegExp;
  uses: RegExp;
}

const gates: readonly Gate[] = [
  {
    id: 'build',
    run: /\b(npm (ci|install|run build)|yarn( install| build)?|pnpm (i|install|build|run build)|bun (install|run build)|mvn\b|\.?\/?mvnw|gradle\b|\.?\/?gradlew|go build|cargo build|make\b|cmake|bazel build|dotnet (build|publish)|docker (buildx )?build|python -m build|poetry (build|install)|pip3? install|uv (sync|build|pip)|tsc\b|webpack|vite build|swift build|sbt compile|mix compile|bundle install|composer install|flit|hatch build)/,
    uses: /^docker\/build-push-action|^gradle\/|build-push|^pypa\/(build|cibuildwheel)|maturin-action/,
  },
  {
    id: 'test',
    run: /\b(npm (t|tst|test)\b|npm run [\w:-]{0,80}test|yarn [\w:-]{0,80}test|pnpm (run )?[\w:-]{0,80}test|bun test|node --test|npx (mocha|jest|vitest|ava|tap)|jest\b|vitest|mocha\b|pytest|tox\b|nox\b|python3? -m (unittest|pytest)|go test|cargo (test|nextest)|mvn\b.{0,200}\b(test|verify|install|package)|\.?\/?mvnw\b.{0,200}\b(test|verify|install|package)|gradlew?\b.{0,200}\b(test|check|build)|make [\w-]{0,80}(test|check)|ctest|dotnet test|bazel test|rspec|rake test|phpunit|swift test|mix test|sbt test|manage\.py test|runtests|playwright test|cypress run|hatch (run )?[\w:]{0,80}test|uv run [\w ]{0,80}(pytest|tox|nox)|hatch test|composer [\w:-]{0,80}test|just [\w-]{0,80}test|deno test)/,
    uses: /cypress-io\/github-action|wntrblm\/nox|pytest/,
  },
  {
    id: 'lint',
    run: /\b(eslint|oxlint|biome|tsc\b|standard\b|xo\b|prettier|npm run [\w:-]{0,80}(lint|typecheck|type-check|types|format|check)|yarn [\w:-]{0,80}(lint|typecheck)|pnpm (run )?[\w:-]{0,80}(lint|typecheck)|flake8|pylint|ruff|black\b|mypy|pyright|isort|pre-commit|golangci-lint|go vet|staticcheck|gofmt|cargo (clippy|fmt|check)|checkstyle|spotless|ktlint|detekt|rubocop|phpstan|psalm|phpcs|php-cs-fixer|shellcheck|hadolint|yamllint|clang-(tidy|format)|cppcheck|swiftlint|dotnet format|actionlint|make [\w-]{0,80}(lint|fmt|vet)|tox -e [\w,-]{0,80}(lint|style|typing|mypy|flake8)|typos)/,
    uses: /golangci\/golangci-lint-action|pre-commit\/action|psf\/black|astral-sh\/ruff-action|super-linter|reviewdog\/|actions-rs\/clippy|staticcheck-action|shellcheck|typos/,
  },
  {
    id: 'sast',
    run: /\b(codeql|semgrep|bandit|gosec|sonar-scanner|sonar:sonar|sonarqube?|snyk code|brakeman|njsscan|spotbugs|pmd\b|zizmor|pysa|qodana)/,
    uses: /^github\/codeql-action|sonar(cloud|source|qube)|snyk\/|semgrep|qodana|hadolint|gosec|bandit|zizmor|pysa-action|okteto|shiftleft|checkmarx|veracode/i,
  },
  {
    id: 'dependency_or_secret_scan',
    run: /\b(npm audit|yarn (npm )?audit|pnpm audit|pip-audit|safety (check|scan)|govulncheck|cargo (audit|deny)|osv-scanner|trivy|grype|snyk (test|monitor)|dependency-check|gitleaks|trufflehog|detect-secrets|bundle[- ]audit|composer audit|nancy\b|dotnet list package --vulnerable|uv-secure)/,
    uses: /dependency-review-action|aquasecurity\/trivy|anchore\/|gitleaks|trufflehog|osv-scanner|snyk\/|rustsec\/audit|cargo-deny|pypa\/gh-action-pip-audit|govulncheck|ossf\/scorecard-action|dependency-check|fossa/i,
  },
];

/** Five gates, on pushes or requests to merge: build, test, lint or type check, static analysis, dependency or secret scan. */
export const ciGateScore: MetricSource = {
  id: 'ci_gate_score_pct',
  version: 1,
  reads: readsWorkflows,
  measure(input) {
    const workflows = workflowsOf(input);
    if (workflows.length === 0) return { value: null, reason: 'no_ci_config' };
    const found = gates.flatMap((gate) => {
      for (const { path, steps, onChanges } of workflows) {
        const step = onChanges ? steps.find((each) => passes(gate, each)) : undefined;
        if (step) return [{ id: gate.id, path, line: step.line }];
      }
      return [];
    });
    const missing = gates.filter(({ id }) => !found.some((each) => each.id === id));
    return {
      value: (100 * found.length) / gates.length,
      numerator: found.length,
      denominator: gates.length,
      evidence: [
        ...found.map(({ id, path, line }) => ({ path, line, note: id })),
        ...missing.map(({ id }) => ({ note: `missing: ${id}` })),
      ],
      quantities: { missing: missing.length },
    };
  },
};

const passes = ({ run, uses }: Gate, { kind, text }: WorkflowStep) =>
  kind === 'uses' ? uses.test(text) : kind === 'run' && run.test(text);
