import { useEffect, useRef } from 'preact/hooks';
import { format } from '../format.ts';

/** At the end of a long list that is shown in part: the rest comes before one gets there, or when it is pressed. */
export function More({ left, show }: { left: number; show: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (button.current === null) return;
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && show(),
      {
        rootMargin: '800px',
      },
    );
    observer.observe(button.current);
    return () => observer.disconnect();
    // Observed anew after each part, as it may still be in sight.
  }, [left]);
  if (left <= 0) return null;
  return (
    <button ref={button} type="button" onClick={show}>
      {format.whole(left)} more
    </button>
  );
}
