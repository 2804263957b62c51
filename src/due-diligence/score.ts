import { grades, meanExponent } from './scoring-model.ts';
import type { Grade, Points } from './scoring-model.ts';

/** The score of a value: linear between the points, which are sorted by value, and level beyond them. */
export function interpolate(points: Points, value: number): number {
  const above = points.findIndex(([at]) => at >= value);
  const [lastValue, lastScore] = points[points.length - 1] ?? [0, 0];
  if (above === -1) return value > lastValue ? lastScore : 0;
  const [to, toScore] = points[above] ?? [0, 0];
  const [from, fromScore] = points[above - 1] ?? [to, toScore];
  return to === from ? toScore : fromScore + ((toScore - fromScore) * (value - from)) / (to - from);
}

/** Of the score as it is shown: 79.96 is shown as 80, an A of a dimension. The whole has a scale of its own, `overallGrades`. */
export function gradeOf(score: number, scale: readonly { grade: Grade; least: number }[] = grades): Grade {
  return scale.find(({ least }) => tenth(score) >= least)?.grade ?? 'E';
}

/** To one decimal, as every score and every hour is shown. */
export const tenth = (value: number): number => Math.round(value * 10) / 10;

/** Weighted power mean; null of nothing. */
export function powerMean(parts: readonly { score: number; weight: number }[], exponent = meanExponent): number | null {
  const total = parts.reduce((sum, { weight }) => sum + weight, 0);
  if (total === 0) return null;
  const sum = parts.reduce((all, { score, weight }) => all + weight * score ** exponent, 0);
  return (sum / total) ** (1 / exponent);
}
