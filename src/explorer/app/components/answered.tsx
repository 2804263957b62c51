import type { ComponentChildren } from 'preact';
import type { Asked } from '../use-answer.ts';
import { Failure } from './failure.tsx';
import { Skeleton } from './skeleton.tsx';

/** Shows what was answered, or that it is on its way, or what went wrong. */
export function Answered<T>({
  asked: { answer, error, isLoading, again },
  lines,
  children,
}: {
  asked: Asked<T>;
  /** As high as the answer will be. */
  lines?: number;
  children: (answer: T) => ComponentChildren;
}) {
  if (error !== null) return <Failure error={error} again={again} />;
  if (answer === null) return <Skeleton {...(lines === undefined ? {} : { lines })} />;
  return <div aria-busy={isLoading}>{children(answer)}</div>;
}
