import type { ComponentChildren } from 'preact';

/** Says that there is nothing, and why or what to do. */
export function Empty({
  title,
  isPage = false,
  children,
}: {
  title: string;
  /** It stands in place of the whole page, so its title is the page’s. */
  isPage?: boolean;
  children?: ComponentChildren;
}) {
  return (
    <div class="state">
      {isPage ? <h1>{title}</h1> : <h2>{title}</h2>}
      {children}
    </div>
  );
}
