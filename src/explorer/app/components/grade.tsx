import { unknown } from '../format.ts';

/** A grade, told by its letter and its colour. */
export function Grade({ grade }: { grade: string | null }) {
  return (
    <span class="grade" data-grade={grade ?? 'none'} title={grade === null ? 'Not graded' : `Grade ${grade}`}>
      {grade ?? unknown}
    </span>
  );
}
