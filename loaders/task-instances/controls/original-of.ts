/** The id of the test that this one is a copy of; of one that is no copy, its own. */
export function originalOf(id: string, marks: readonly string[]): string {
  const mark = marks.find((each) => id.includes(each));
  return mark === undefined ? id : id.replaceAll(` ${mark}`, '').replaceAll(`_${mark}`, '');
}
