import type { NodeHoverDrawingFunction } from 'sigma/rendering';
import { colorOf } from '../theme.ts';
import type { EdgeAttributes, NodeAttributes } from './code-graph.ts';

export const labelFont = 'system-ui, sans-serif';

/** The label of the node under the pointer, on a ground of the current theme: sigma's own is white. */
export function hoverLabel(): NodeHoverDrawingFunction<NodeAttributes, EdgeAttributes> {
  const back = colorOf('--panel');
  const line = colorOf('--edge');
  const text = colorOf('--text');
  return (context, { x, y, size, label }, { labelSize }) => {
    context.font = `600 ${labelSize}px ${labelFont}`;
    const words = label ?? '';
    const width = context.measureText(words).width;
    context.fillStyle = back;
    context.strokeStyle = line;
    context.beginPath();
    context.roundRect(x + size + 2, y - labelSize / 2 - 5, width + 12, labelSize + 10, 5);
    context.fill();
    context.stroke();
    context.beginPath();
    context.arc(x, y, size + 2, 0, 2 * Math.PI);
    context.lineWidth = 2;
    context.strokeStyle = text;
    context.stroke();
    context.fillStyle = text;
    context.fillText(words, x + size + 8, y + labelSize / 3);
  };
}
