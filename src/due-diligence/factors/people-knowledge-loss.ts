import { minutes } from '../scoring-model.ts';
import { defineFactor, each } from './factor.ts';

export const peopleKnowledgeLoss = defineFactor({
  id: 'people.knowledge_loss',
  dimension: 'people',
  title: 'Loss of knowledge',
  risk: 'high',
  inputs: ['orphaned_code_pct'],
  points: [
    [10, 100],
    [25, 75],
    [50, 50],
    [75, 25],
    [100, 0],
  ],
  sources: "50 at 50 %: Avelino's abandonment line; the rest our own choice",
  recommendation: 'Assign an owner to the listed folders.',
  horizon: 'post_deal',
  cost: each('orphaned_code_pct', ['hotspots', minutes.orphaned_hotspot]),
});
