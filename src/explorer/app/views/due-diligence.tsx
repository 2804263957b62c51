import type { PortfolioSummary } from '../../../due-diligence/executive.ts';
import { DimensionBars } from '../charts/dimension-bars.tsx';
import { moneyWords } from '../charts/range-bars.tsx';
import { Answered } from '../components/answered.tsx';
import { Empty } from '../components/empty.tsx';
import { Grade } from '../components/grade.tsx';
import { format } from '../format.ts';
import { hrefOf } from '../router.ts';
import { useAnswer } from '../use-answer.ts';
import { Insights } from './due-diligence-insights.tsx';
import { DueDiligenceTable } from './due-diligence-table.tsx';
import { Highlights, Verdict } from './due-diligence-highlights.tsx';
import type { ViewProps } from './index.ts';
import './due-diligence.css';

/** The whole portfolio: how it stands together, and each repository in a row. */
export function DueDiligenceView({ api, query, navigate }: ViewProps) {
  const asked = useAnswer<PortfolioSummary>(api, '/api/dd/executive', { trend: 8, page_size: 1_000 });
  return (
    <>
      <h1>Due diligence</h1>
      <Answered asked={asked} lines={24}>
        {(summary) =>
          summary.repositories.length === 0 ? (
            <Empty title="No repository is loaded yet">
              <p>
                <code>repo-intel load PATH</code> loads one, and measures it.
              </p>
            </Empty>
          ) : (
            <>
              <Together summary={summary} />
              <Insights {...summary} />
              <DueDiligenceTable repositories={summary.repositories} query={query} navigate={navigate} />
            </>
          )
        }
      </Answered>
    </>
  );
}

function Together({ summary }: { summary: PortfolioSummary }) {
  const { score, grade, confidence, kpis, remediation, repositories, dimensions, key_risks, strengths, verdict } =
    summary;
  return (
    <section aria-label="All repositories together">
      <Verdict sentences={verdict} />
      <dl class="figures">
        <div>
          <dt>Portfolio score</dt>
          <dd>
            <Grade grade={grade} /> {format.score(score)} <small>of 100</small>
          </dd>
          <dd class="quiet">{format.share(confidence)} of the model measured</dd>
        </div>
        <div>
          <dt>Repositories</dt>
          <dd>{format.whole(repositories.length)}</dd>
          <dd class="quiet">median score {format.score(kpis.median)}</dd>
        </div>
        <div>
          <dt>Most active code</dt>
          <dd>
            {format.score(kpis.hotspot)} <small>of 100</small>
          </dd>
          <dd class="quiet">weighted by lines; all code {format.score(kpis.average)}</dd>
        </div>
        <div>
          <dt>Lowest score</dt>
          <dd>
            {format.score(kpis.worst?.score)} <small>of 100</small>
          </dd>
          <dd>
            {kpis.worst !== null && <a href={hrefOf('repository', { repo: kpis.worst.repo })}>{kpis.worst.repo}</a>}
          </dd>
        </div>
        <div>
          <dt>Remediation effort</dt>
          <dd>{format.whole(remediation.hours.likely)} h</dd>
          <dd class="quiet">
            {format.whole(remediation.hours.low)} to {format.whole(remediation.hours.high)} h
          </dd>
          <dd class="quiet">{moneyWords(remediation.cost, remediation.currency)}</dd>
        </div>
      </dl>
      <details>
        <summary>Dimensions, risks and strengths of the portfolio</summary>
        <DimensionBars dimensions={dimensions} />
        <Highlights risks={key_risks} strengths={strengths} />
      </details>
    </section>
  );
}
