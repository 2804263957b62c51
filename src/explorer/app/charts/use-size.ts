import { useEffect, useState } from 'preact/hooks';

/** How large an element is, in whole pixels; 0 until it is known. */
export function useSize(box: { current: HTMLElement | null }): { width: number; height: number } {
  const [size, setSize] = useState({ width: 0, height: 0 });
  useEffect(() => {
    if (box.current === null) return;
    const observer = new ResizeObserver(([entry]) =>
      setSize({
        width: Math.floor(entry?.contentRect.width ?? 0),
        height: Math.floor(entry?.contentRect.height ?? 0),
      }),
    );
    observer.observe(box.current);
    return () => observer.disconnect();
  }, [box]);
  return size;
}
