import type { PortfolioSummary } from '../../../due-diligence/executive.ts';
import { Grade } from '../components/grade.tsx';
import { format } from '../format.ts';
import { hours } from '../words.ts';

/** What somebody who decides must know, in a few sentences. */
export function Verdict({ sentences }: { sentences: readonly string[] }) {
  return <p class="verdict">{sentences.join(' ')}</p>;
}

/** The worst of what was measured, with what it takes to put it right, and the best. */
export function Highlights({
  risks,
  strengths,
}: {
  risks: PortfolioSummary['key_risks'];
  strengths: PortfolioSummary['strengths'];
}) {
  return (
    <div class="highlights">
      <section>
        <h2>Key risks</h2>
        <List items={risks} isWork />
      </section>
      <section>
        <h2>Strengths</h2>
        <List items={strengths} />
      </section>
    </div>
  );
}

function List({ items, isWork = false }: { items: PortfolioSummary['key_risks']; isWork?: boolean }) {
  if (items.length === 0) return <p class="quiet">None of what was measured.</p>;
  return (
    <ul>
      {items.map(({ factor_id, title, grade, score, sentence, hours: work }) => (
        <li key={factor_id}>
          <Grade grade={grade} />
          <span>
            <strong>{title}</strong>, {format.tenth(score)} of 100. {sentence}.
            {isWork && work !== null && work.likely > 0 && ` About ${hours(work.likely)} h.`}
          </span>
        </li>
      ))}
    </ul>
  );
}
