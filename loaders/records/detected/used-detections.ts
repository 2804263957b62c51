import type { Detector, Found } from '../../detectors/detector.ts';
import { detectorById } from '../../detectors/index.ts';
import type { DetectedInput } from '../detected-nodes.ts';

/** Detections, by path, of what the file imports, a manifest names, or can't be mistaken. */
export function usedDetections({
  detections,
  publishes,
  requires,
}: Pick<DetectedInput, 'detections' | 'publishes' | 'requires'>) {
  const packages = [...requires, ...publishes].map(({ name }) => name);
  const isNamed = new Map<Detector, boolean>();
  const named = (detector: Detector) => {
    const known = isNamed.get(detector);
    if (known !== undefined) return known;
    const found = packages.some((name) => detector.uses?.test(name));
    isNamed.set(detector, found);
    return found;
  };
  return [...detections]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, all]) => {
      const taken = new Set<string>();
      const sure = all.toSorted((a, b) => Number(b.imported) - Number(a.imported));
      return {
        path,
        detections: sure.flatMap(({ detector: id, imported, found }) => {
          const detector = detectorById(id);
          if (!detector || !(imported || named(detector))) return [];
          // Of two frameworks of one form, the first.
          const own = found.filter((each) => !taken.has(keyOf(each)));
          for (const each of own) taken.add(keyOf(each));
          return [{ detector, imported, found: own }];
        }),
      };
    });
}

const keyOf = (found: Found) =>
  found.gives === 'endpoint' ? `${found.method} ${found.path} ${found.line}` : JSON.stringify(found);
