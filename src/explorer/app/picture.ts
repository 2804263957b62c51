import { download } from './download.ts';

/** What a drawing looks like is in style sheets, which do not go with it. */
const kept = [
  'fill',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'opacity',
  'font-family',
  'font-size',
  'font-weight',
];

/** Hands over a drawing as it stands there, for documents and slides. */
export async function savePicture(svg: SVGSVGElement, name: string, format: 'svg' | 'png'): Promise<void> {
  const text = new XMLSerializer().serializeToString(standalone(svg));
  if (format === 'svg') download(`${name}.svg`, text, 'image/svg+xml');
  else download(`${name}.png`, await painted(text, svg.getBoundingClientRect()));
}

function standalone(svg: SVGSVGElement): SVGSVGElement {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const copies = copy.querySelectorAll('*');
  const plain = colorWriter();
  for (const [index, element] of svg.querySelectorAll('*').entries()) {
    const target = copies[index];
    const style = getComputedStyle(element);
    for (const property of element.closest('title') === null ? kept : []) {
      const value = style.getPropertyValue(property);
      const isColor = property === 'fill' || property === 'stroke';
      target?.setAttribute(property, isColor && value !== 'none' ? plain(value) : value);
    }
    for (const attribute of ['style', 'class', 'href', 'aria-hidden']) target?.removeAttribute(attribute);
  }
  const { width, height } = svg.getBoundingClientRect();
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('viewBox', `0 0 ${width} ${height}`);
  const ground = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
  const paint = { width: '100%', height: '100%', fill: plain(getComputedStyle(document.body).backgroundColor) };
  for (const [attribute, value] of Object.entries(paint)) ground.setAttribute(attribute, value);
  copy.prepend(ground);
  return copy;
}

/** Any colour as every program reads it, which mixtures of colours are not. */
function colorWriter(): (color: string) => string {
  const context = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  const known = new Map<string, string>();
  return (color) => {
    let written = known.get(color);
    if (written === undefined) {
      written = color;
      if (context !== null) {
        context.clearRect(0, 0, 1, 1);
        context.fillStyle = color;
        context.fillRect(0, 0, 1, 1);
        const [red = 0, green = 0, blue = 0, alpha = 255] = context.getImageData(0, 0, 1, 1).data;
        written = `rgba(${red}, ${green}, ${blue}, ${(alpha / 255).toFixed(3)})`;
      }
      known.set(color, written);
    }
    return written;
  };
}

/** Twice as fine as on the screen. */
async function painted(drawing: string, { width, height }: DOMRect): Promise<Blob> {
  const src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(drawing)}`;
  const image = Object.assign(new Image(2 * width, 2 * height), { src });
  await image.decode();
  const canvas = new OffscreenCanvas(2 * width, 2 * height);
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas.convertToBlob({ type: 'image/png' });
}
