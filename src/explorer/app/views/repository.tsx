import { useEffect, useState } from 'preact/hooks';
import type { RepositoryPackage } from '../../../due-diligence/deep.ts';
import type { RepositorySummary } from '../../../due-diligence/executive.ts';
import type { FactorCatalog } from '../../../due-diligence/factor-routes.ts';
import { DimensionBars, standard } from '../charts/dimension-bars.tsx';
import { Sparkline } from '../charts/sparkline.tsx';
import { Answered } from '../components/answered.tsx';
import { Empty } from '../components/empty.tsx';
import { Grade } from '../components/grade.tsx';
import { format } from '../format.ts';
import { hours, valueWords } from '../words.ts';
import type { Api } from '../api.ts';
import { download } from '../download.ts';
import { hrefOf } from '../router.ts';
import type { Navigate } from '../router.ts';
import { useAnswer } from '../use-answer.ts';
import { Highlights, Verdict } from './due-diligence-highlights.tsx';
import type { ViewProps } from './index.ts';
import { RepositoryBadge } from './repository-badge.tsx';
import { RepositoryArchitecture, RepositoryKnowledge } from './repository-architecture.tsx';
import { RepositoryCosts } from './repository-costs.tsx';
import { RepositoryFactors } from './repository-factors.tsx';
import { RepositoryHotspots } from './repository-hotspots.tsx';
import { RepositoryMetrics } from './repository-metrics.tsx';
import { RepositoryPeople } from './repository-people.tsx';
import { RepositoryTrend } from './repository-trend.tsx';
import './due-diligence.css';
import './repository.css';

const parts = {
  dimensions: 'Dimensions',
  trend: 'Trend',
  costs: 'Costs',
  hotspots: 'Hotspots',
  architecture: 'Architecture',
  people: 'People',
  factors: 'Factors',
  metrics: 'Metrics',
} as const;

/** All that is known of one repository; printed, it is a report. */
export function RepositoryView({ api, query, navigate }: ViewProps) {
  const repo = query.get('repo');
  const name = encodeURIComponent(repo ?? '');
  const summary = useAnswer<RepositorySummary>(api, repo === null ? null : `/api/dd/executive/${name}`);
  const whole = useAnswer<RepositoryPackage>(api, repo === null ? null : `/api/dd/deep/${name}`);
  const catalog = useAnswer<FactorCatalog>(api, '/api/dd/factors');
  const part = query.get('part');
  const isThere = summary.answer !== null && whole.answer !== null && catalog.answer !== null;
  useEffect(() => {
    if (isThere && part !== null) document.getElementById(part)?.scrollIntoView();
  }, [isThere, part]);

  if (repo === null) return <NoRepository>No repository is named in the address.</NoRepository>;
  if (summary.error?.status === 404) return <NoRepository>{summary.error.message}</NoRepository>;
  return (
    <article class="repository">
      <header>
        <p class="quiet">Due diligence</p>
        <h1>
          <bdi>{repo}</bdi>
        </h1>
        <p class="row on-screen">
          <a href={hrefOf('graph', { node: repo })}>On the portfolio map</a>
          <a href={hrefOf('inside', { repo })}>Code map</a>
          <a href={hrefOf('compare', { a: repo })}>Compare with another</a>
          <a href={hrefOf('repository', { repo, part: 'badge' })}>Badge</a>
          <ReportButton api={api} repo={repo} />
          <button type="button" onClick={() => print()}>
            Print
          </button>
        </p>
      </header>
      <nav class="parts-nav on-screen" aria-label="Parts of this page">
        {Object.entries(parts).map(([id, title]) => (
          <a key={id} href={hrefOf('repository', { repo, part: id })} aria-current={part === id ? 'true' : undefined}>
            {title}
          </a>
        ))}
      </nav>
      {/* All at once, so that nothing is moved by what comes later. */}
      <Answered asked={summary} lines={40}>
        {(summary) => (
          <Answered asked={whole} lines={40}>
            {(whole) => (
              <Answered asked={catalog} lines={40}>
                {(catalog) => (
                  <Parts
                    summary={summary}
                    whole={whole}
                    catalog={catalog}
                    point={query.get('point')}
                    navigate={navigate}
                  />
                )}
              </Answered>
            )}
          </Answered>
        )}
      </Answered>
      <section id="badge" class="on-screen">
        <h2>Badge</h2>
        {part === 'badge' ? (
          <RepositoryBadge api={api} repo={repo} />
        ) : (
          <p>
            <a href={hrefOf('repository', { repo, part: 'badge' })}>Show the grade in a README</a>
          </p>
        )}
      </section>
    </article>
  );
}

function Parts({
  summary,
  whole,
  catalog,
  point,
  navigate,
}: {
  summary: RepositorySummary;
  whole: RepositoryPackage;
  catalog: FactorCatalog;
  /** Of the trend: its commit. */
  point: string | null;
  navigate: Navigate;
}) {
  const before = aYearBefore(whole.trend);
  return (
    <>
      <Overall summary={summary} />
      <Verdict sentences={summary.verdict} />
      <Facts whole={whole} />
      <Highlights risks={summary.key_risks} strengths={summary.strengths} />
      <section id="dimensions">
        <h2>{parts.dimensions}</h2>
        <DimensionBars dimensions={whole.dimensions} factors={catalog.factors} before={before} />
        <p class="quiet">
          Of 100; the mark at {standard} is what published standards ask for
          {whole.dimensions.some(({ rank }) => rank) && '; better than so many public repositories'}.
          {before !== null && ` ▲ and ▼: since ${format.day(before.on)}.`}
        </p>
      </section>
      <section id="trend">
        <h2>{parts.trend}</h2>
        <RepositoryTrend
          repo={whole.repo}
          trend={whole.trend}
          metrics={catalog.metrics}
          commit={point}
          navigate={navigate}
        />
      </section>
      <section id="costs">
        <h2>Remediation cost</h2>
        <RepositoryCosts
          remediation={whole.remediation}
          factors={whole.factors}
          recommendations={summary.recommendations}
        />
      </section>
      <section id="hotspots">
        <h2>Hotspots: complex code that changes often</h2>
        <RepositoryHotspots repo={whole.repo} hotspots={whole.hotspots} />
      </section>
      <section id="architecture">
        <h2>{parts.architecture}</h2>
        <RepositoryArchitecture
          repo={whole.repo}
          architecture={whole.architecture}
          people={whole.people_by_component}
        />
      </section>
      <section id="people">
        <h2>People over time</h2>
        <RepositoryPeople activity={whole.activity} />
        <RepositoryKnowledge people={whole.people_by_component} />
      </section>
      <section id="factors">
        <h2>{parts.factors}</h2>
        <RepositoryFactors factors={whole.factors} catalog={catalog} />
      </section>
      <section id="metrics">
        <h2>All metrics, with their evidence</h2>
        <RepositoryMetrics repo={whole.repo} matrix={whole.matrix} coverage={whole.coverage} catalog={catalog} />
      </section>
    </>
  );
}

/** How large it is, who works on it, and what it would take: before any judgement. */
function Facts({ whole: { matrix, remediation } }: { whole: RepositoryPackage }) {
  const words = (id: string) => {
    const metric = matrix.find((each) => each.id === id);
    return (metric && valueWords(metric)) ?? 'not known';
  };
  const value = (id: string) => matrix.find((each) => each.id === id)?.value ?? null;
  const { likely } = remediation.hours;
  return (
    <dl class="figures">
      <div>
        <dt>Lines of code</dt>
        <dd>{format.short(value('loc_code'))}</dd>
        <dd class="quiet">
          {words('source_file_count')}, {words('language_count')}
        </dd>
      </div>
      <div>
        <dt>Tests</dt>
        <dd>
          {format.whole(value('test_code_ratio_pct'))}% <small>of production code</small>
        </dd>
        <dd class="quiet">line coverage {words('line_coverage_pct')}</dd>
      </div>
      <div>
        <dt>Contributors</dt>
        <dd>
          {format.whole(value('active_contributors_12m'))} <small>in 12 months</small>
        </dd>
        <dd class="quiet">truck factor {words('truck_factor')}</dd>
      </div>
      <div>
        <dt>Security</dt>
        <dd>
          {format.whole(value('security_pattern_finding_count'))} <small>insecure patterns</small>
        </dd>
        <dd class="quiet">
          secrets: {words('secret_finding_count')}, vulnerable: {words('known_vulnerable_dependency_count')}
        </dd>
      </div>
      <div>
        <dt>Remediation effort</dt>
        <dd>{hours(likely)} h</dd>
        <dd class="quiet">{format.money(remediation.cost.likely, remediation.currency)}</dd>
      </div>
    </dl>
  );
}

const yearMs = 365 * 24 * 3_600_000;

/** The last point that is a year and more before the newest; the first where all are younger. Null where there is but one. */
function aYearBefore(trend: RepositoryPackage['trend']) {
  const [newest, first] = [trend.at(-1), trend[0]];
  if (newest === undefined || first === undefined || first === newest) return null;
  const then = Date.parse(newest.as_of) - yearMs;
  const point = trend.findLast((each) => Date.parse(each.as_of) <= then) ?? first;
  return { on: point.as_of, dimensions: point.dimensions };
}

/** The report for who decides: one file that opens without this service. */
function ReportButton({ api, repo }: { api: Api; repo: string }) {
  const [state, setState] = useState<'idle' | 'busy' | 'failed'>('idle');
  const save = async () => {
    setState('busy');
    try {
      const page = await api.text(`/api/dd/deep/${encodeURIComponent(repo)}/report.html`);
      download(`due-diligence-${repo.replaceAll(/[^\p{L}\p{N}.-]+/gu, '-')}.html`, page, 'text/html');
      setState('idle');
    } catch {
      setState('failed');
    }
  };
  return (
    <>
      <button type="button" disabled={state === 'busy'} onClick={() => void save()}>
        Download the report
      </button>
      {state === 'failed' && <span class="wrong">That did not work.</span>}
    </>
  );
}

function NoRepository({ children }: { children: string }) {
  return (
    <Empty title="There is nothing to show" isPage>
      <p>{children}</p>
      <p>
        <a href={hrefOf('portfolio')}>All repositories</a>
      </p>
    </Empty>
  );
}

function Overall({ summary }: { summary: RepositorySummary }) {
  const { score, grade, confidence, as_of_commit, committed_at, completed_at, model_version, trend } = summary;
  const scores = trend.flatMap((past) => (past.score === null ? [] : [past.score])).toReversed();
  return (
    <>
      <div class="overall">
        <Grade grade={grade} />
        <div>
          <p>
            {score === null ? (
              'Nothing could be measured.'
            ) : (
              <>
                <strong>{format.tenth(score)}</strong> of 100
              </>
            )}
          </p>
          <p class="quiet">
            {format.share(confidence)} of the model measured, by weight{grade === null && ': too little for a grade'}
          </p>
        </div>
        {scores.length > 1 && (
          <div>
            <Sparkline scores={scores} />
            <p class="quiet">{format.count(trend.length, 'run')}</p>
          </div>
        )}
        <p class="quiet">
          {as_of_commit === null ? (
            'A folder without history'
          ) : (
            <>
              Commit <code>{as_of_commit.slice(0, 12)}</code>
            </>
          )}
          {committed_at !== null && ` of ${format.day(committed_at)}`}
          <br />
          Measured {format.moment(completed_at)}, model {model_version}
        </p>
      </div>
    </>
  );
}
