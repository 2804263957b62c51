import type { PortfolioSummary } from '../../../due-diligence/executive.ts';
import { Grade } from '../components/grade.tsx';
import { format } from '../format.ts';

/** The worst of what was measured, and the best. */
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
        <List items={risks} />
      </section>
      <section>
        <h2>Strengths</h2>
        <List items={strengths} />
      </section>
    </div>
  );
}

function List({ items }: { items: PortfolioSummary['key_risks'] }) {
  if (items.length === 0) return <p class="quiet">None of what was measured.</p>;
  return (
    <ul>
      {items.map(({ factor_id, title, grade, score, sentence }) => (
        <li key={factor_id}>
          <Grade grade={grade} />
          <span>
            <strong>{title}</strong>, {format.tenth(score)} of 100. {sentence}.
          </span>
        </li>
      ))}
    </ul>
  );
}
