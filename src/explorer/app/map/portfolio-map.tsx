import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { MapAnswer } from '../../../graph/map.ts';
import { useSize } from '../charts/use-size.ts';
import { format } from '../format.ts';
import { languageName } from '../words.ts';
import { linkWords } from './link-words.ts';
import { placeLabels } from './place-labels.ts';

type Repository = MapAnswer['repositories'][number];

const font = '12px system-ui, sans-serif';
const margin = 14;
/** A longer name is cut; the table and the title have all of it. */
const maxLetters = 26;
/** In a smaller disc no letter can be read, in pixels. */
const minLettered = 11;
/** So many are all named, however far from their discs; of more, as many as there is room for beside them. */
const allNamed = 80;
/** More stand back until a repository is pointed at. */
const manyLinks = 150;

/** Where one looks: how much nearer than all, and what of it is in the middle, from 0 to 1. */
interface Sight {
  zoom: number;
  x: number;
  y: number;
}
const whole: Sight = { zoom: 1, x: 0.5, y: 0.5 };

/** The repositories as discs in their regions, with their links. */
export function PortfolioMap({
  map,
  colorOf,
  letterOf,
  saysOf,
  withPeople,
  selected,
  onSelect,
}: {
  map: MapAnswer;
  /** The custom property of a repository’s colour. */
  colorOf: (repository: Repository) => string;
  /** What stands in its disc, for who does not tell the colours apart. */
  letterOf: (repository: Repository) => string | null;
  /** Its figures in words. */
  saysOf: (repository: Repository) => string;
  withPeople: boolean;
  selected: string | null;
  onSelect: (id: string | null) => void;
}) {
  const box = useRef<HTMLDivElement>(null);
  const { width, height } = useSize(box);
  const [sight, setSight] = useState(whole);
  const [pointed, setPointed] = useState<string | null>(null);
  const [told, setTold] = useState('');
  const drawing = useMemo(
    () => (width === 0 || height === 0 ? null : draw(map, { width, height }, sight)),
    [map, width, height, sight],
  );
  const point = (id: string | null, says: string) => {
    setPointed(id);
    setTold(says);
  };
  const sheet = { width, height, viewBox: `0 0 ${width} ${height}` };
  const active = pointed ?? selected;
  const near = (factor: number) => setSight((at) => ({ ...at, zoom: Math.min(12, Math.max(1, at.zoom * factor)) }));
  const go = (right: number, down: number) =>
    setSight((at) => ({ ...at, x: within(at.x + right / at.zoom), y: within(at.y + down / at.zoom) }));
  const links = useMemo(() => linksOf(map, withPeople), [map, withPeople]);
  useWheel(box, near);
  const drag = useDrag((x, y) => go(-x / width, -y / height));
  return (
    <div class="map">
      <div class="map-tools" role="group" aria-label="What is in sight">
        <button type="button" aria-label="Nearer" onClick={() => near(1.5)}>
          +
        </button>
        <button type="button" aria-label="Further away" onClick={() => near(1 / 1.5)}>
          −
        </button>
        <button type="button" onClick={() => setSight(whole)}>
          All
        </button>
      </div>
      <div
        ref={box}
        class="map-sheet"
        tabIndex={0}
        role="group"
        aria-label="Map of the repositories; arrows, plus and minus move it; the table shows the same"
        onKeyDown={(event) => {
          const move = keys[event.key];
          if (move === undefined || event.target !== event.currentTarget) return;
          event.preventDefault();
          move({ near, go, all: () => setSight(whole) });
        }}
        {...drag}
      >
        {drawing !== null && (
          <svg {...sheet} aria-hidden="true" onClick={() => onSelect(null)}>
            {drawing.regions.map(({ id, x, y, rx, ry }) => (
              <ellipse key={id} class="region" cx={x} cy={y} rx={rx} ry={ry} />
            ))}
            <g class={active === null && links.length < manyLinks ? 'links' : 'links some'}>
              {links.map(({ from, to, weight, isPeople, says }) => {
                const [a, b] = [drawing.discs.get(from), drawing.discs.get(to)];
                if (a === undefined || b === undefined) return null;
                const isActive = active === from || active === to;
                const d = curve(a, b);
                return (
                  <g
                    key={`${from} ${to} ${String(isPeople)}`}
                    class={`link${isPeople ? ' people' : ''}${isActive ? ' active' : ''}`}
                    onPointerEnter={() => setTold(says)}
                    onPointerLeave={() => setTold('')}
                  >
                    <path class="hit" d={d}>
                      <title>{says}</title>
                    </path>
                    <path class="stroke" d={d} stroke-width={1 + Math.log10(1 + weight)} />
                  </g>
                );
              })}
            </g>
            {map.repositories.map((repository) => {
              const disc = drawing.discs.get(repository.id);
              if (disc === undefined) return null;
              const { id } = repository;
              return (
                <circle
                  key={id}
                  data-id={id}
                  class={id === selected ? 'disc selected' : 'disc'}
                  style={{ fill: `var(${colorOf(repository)})` }}
                  cx={disc.x}
                  cy={disc.y}
                  r={disc.radius}
                  onPointerEnter={() => point(id, saysOf(repository))}
                  onPointerLeave={() => point(null, '')}
                  onClick={(event) => {
                    event.stopPropagation();
                    onSelect(id);
                  }}
                >
                  <title>{saysOf(repository)}</title>
                </circle>
              );
            })}
            <Letters repositories={map.repositories} discs={drawing.discs} letterOf={letterOf} />
            <g class="names">
              {drawing.regionLabels.map(({ id, text, x, y }) => (
                <text key={id} class="group" x={x} y={y}>
                  {text}
                </text>
              ))}
              {drawing.labels.map(({ id, text, x, y, isAway, disc }) => (
                <g key={id}>
                  {isAway && <line x1={disc.x} y1={disc.y} x2={x} y2={y} />}
                  <text x={x} y={y} class={id === active ? 'active' : undefined}>
                    {text}
                  </text>
                </g>
              ))}
            </g>
          </svg>
        )}
      </div>
      <p class="map-told quiet" role="status">
        {told ||
          (drawing !== null && drawing.labels.length < drawing.inSight
            ? `${format.whole(drawing.labels.length)} of ${format.count(drawing.inSight, 'repository', 'repositories')} named, the table has all`
            : '')}
      </p>
    </div>
  );
}

/** What stands in the discs that have room for it. */
function Letters({
  repositories,
  discs,
  letterOf,
}: {
  repositories: readonly Repository[];
  discs: ReadonlyMap<string, Disc>;
  letterOf: (repository: Repository) => string | null;
}) {
  return (
    <g class="letters">
      {repositories.map((repository) => {
        const [disc, letter] = [discs.get(repository.id), letterOf(repository)];
        if (disc === undefined || letter === null || disc.radius < minLettered) return null;
        return (
          <text key={repository.id} x={disc.x} y={disc.y} font-size={Math.min(28, disc.radius)}>
            {letter}
          </text>
        );
      })}
    </g>
  );
}

function linksOf(map: MapAnswer, withPeople: boolean) {
  const own = map.links.map((link) => ({ ...link, isPeople: false, says: linkWords(link) }));
  const people = map.people.map(({ from, to, contributors }) => ({
    from,
    to,
    weight: contributors,
    isPeople: true,
    says: `${from} and ${to} share ${format.count(contributors, 'contributor')}`,
  }));
  return withPeople ? [...own, ...people] : own;
}

const within = (share: number) => Math.min(1, Math.max(0, share));

type Moves = { near: (factor: number) => void; go: (right: number, down: number) => void; all: () => void };
const keys: Record<string, (moves: Moves) => void> = {
  ArrowLeft: ({ go }) => go(-0.1, 0),
  ArrowRight: ({ go }) => go(0.1, 0),
  ArrowUp: ({ go }) => go(0, -0.1),
  ArrowDown: ({ go }) => go(0, 0.1),
  '+': ({ near }) => near(1.5),
  '-': ({ near }) => near(1 / 1.5),
  '0': ({ all }) => all(),
};

/** Passive listeners can’t keep the page from scrolling. */
function useWheel(box: { current: HTMLElement | null }, near: (factor: number) => void): void {
  useEffect(() => {
    const listen = (event: WheelEvent) => {
      event.preventDefault();
      near(event.deltaY < 0 ? 1.2 : 1 / 1.2);
    };
    const element = box.current;
    element?.addEventListener('wheel', listen, { passive: false });
    return () => element?.removeEventListener('wheel', listen);
  }, []);
}

function useDrag(by: (x: number, y: number) => void) {
  const from = useRef<{ x: number; y: number } | null>(null);
  const end = () => {
    from.current = null;
  };
  return {
    onPointerDown: ({ clientX: x, clientY: y, button }: PointerEvent) => {
      if (button === 0) from.current = { x, y };
    },
    onPointerMove: ({ clientX: x, clientY: y, buttons }: PointerEvent) => {
      if (from.current === null || buttons === 0) return;
      by(x - from.current.x, y - from.current.y);
      from.current = { x, y };
    },
    onPointerUp: end,
    onPointerLeave: end,
  };
}

interface Disc {
  x: number;
  y: number;
  radius: number;
}

/** Everything in pixels: spread so that the picture is filled, which moves discs apart and never together. */
function draw(map: MapAnswer, { width, height }: { width: number; height: number }, { zoom, x, y }: Sight) {
  const left = Math.min(...map.groups.map((each) => each.x - each.radius), 0);
  const right = Math.max(...map.groups.map((each) => each.x + each.radius), 1);
  const top = Math.min(...map.groups.map((each) => each.y - each.radius), 0);
  const bottom = Math.max(...map.groups.map((each) => each.y + each.radius), 1);
  const across = ((width - 2 * margin) / (right - left)) * zoom;
  const down = ((height - 2 * margin) / (bottom - top)) * zoom;
  // A disc never is more than it would be in a square.
  const scale = Math.min(across, down);
  const atX = (value: number) => width / 2 + (value - left - x * (right - left)) * across;
  const atY = (value: number) => height / 2 + (value - top - y * (bottom - top)) * down;
  const discs = new Map<string, Disc>(
    map.repositories.map((each) => [
      each.id,
      { x: atX(each.x), y: atY(each.y), radius: Math.max(3, each.radius * Math.min(scale, 1.6 * zoom)) },
    ]),
  );
  const measure = document.createElement('canvas').getContext('2d');
  if (measure !== null) measure.font = font;
  const texts = new Map(map.repositories.map(({ id, name }) => [id, shortened(name)]));
  const widthOf = (text: string) => (measure?.measureText(text).width ?? 7 * text.length) + 2;
  const labelled = [...discs].map(([id, disc]) => ({ id, ...disc, width: widthOf(texts.get(id) ?? id) }));
  const regions = map.groups.map(({ name, radius, ...at }) => ({
    id: `region ${name}`,
    name: map.group === 'language' ? (languageName(name) ?? name) : name,
    x: atX(at.x),
    y: atY(at.y),
    rx: radius * across,
    ry: radius * down,
  }));
  // Named where there is room at their edge; the legend and the table name them, too.
  const edges = regions.flatMap(({ id, name, x, y, ry }) =>
    regions.length < 2 ? [] : [{ id, x, y: y - ry + 2, radius: 0, width: widthOf(name) }],
  );
  const labels = placeLabels([...labelled, ...edges], {
    width,
    height,
    maxAway: map.repositories.length <= allNamed ? Math.max(width, height) : 0,
  });
  return {
    discs,
    inSight: labelled.filter((each) => each.x > 0 && each.y > 0 && each.x < width && each.y < height).length,
    regions,
    regionLabels: regions.flatMap(({ id, name }) => {
      const label = labels.get(id);
      return label === undefined || label.isAway ? [] : [{ id, text: name, ...label }];
    }),
    labels: [...labels].flatMap(([id, label]) => {
      const disc = discs.get(id);
      return disc === undefined ? [] : [{ id, text: texts.get(id) ?? id, disc, ...label }];
    }),
  };
}

const shortened = (name: string) => (name.length <= maxLetters ? name : `${name.slice(0, maxLetters - 1)}…`);

/** From edge to edge, bent to one side so that what leads back is seen. */
function curve(from: Disc, to: Disc): string {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.max(1, Math.hypot(dx, dy));
  const bend = 0.14;
  const [middleX, middleY] = [(from.x + to.x) / 2 - dy * bend, (from.y + to.y) / 2 + dx * bend];
  const at = (disc: Disc, towards: number) =>
    `${(disc.x + (towards * dx * disc.radius) / length).toFixed(1)} ${(disc.y + (towards * dy * disc.radius) / length).toFixed(1)}`;
  return `M${at(from, 1)} Q${middleX.toFixed(1)} ${middleY.toFixed(1)} ${at(to, -1)}`;
}
