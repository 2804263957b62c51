import { firstOf, type Reader, unknown } from './source-file.ts';

/** A name, looked up where it stands. */
export const nameHere: Reader = (file, node, place) => ({ kind: 'name', name: file.text(node), scope: place.scope });

/** `this`: what the place says that it is, else by the class around. */
export const selfHere: Reader = (_, __, place) =>
  place.self ? { kind: 'typed', type: place.self } : { kind: 'self', definition: place.definition };

/** `super`, `base`. */
export const superHere: Reader = (_, __, place) => ({ kind: 'super', definition: place.definition });

/** `await x`. */
export const awaitedFirst: Reader = (file, node, place) => ({ kind: 'await', value: firstOf(file, node, place) });

/** `return x`. */
export const returned: Reader = (file, node, place) => {
  file.returns(place, firstOf(file, node, place));
  return unknown;
};

/** What has a condition and two ways on is what either gives. */
export const eitherBranch: Reader = (file, node, place) => {
  file.read(node.childForFieldName('condition'), place);
  const parts = [node.childForFieldName('consequence'), node.childForFieldName('alternative')];
  return { kind: 'union', options: parts.map((part) => file.read(part, place)) };
};

/** An assignment is what is assigned. */
export const assigned: Reader = (file, node, place) => {
  file.read(node.childForFieldName('left'), place);
  return file.read(node.childForFieldName('right'), place);
};
