/** Text with the ranges marked: each from, and before, in UTF-16 units. */
export function Highlighted({ text, ranges = [] }: { text: string; ranges?: readonly (readonly number[])[] }) {
  const bounds = ranges.flat().filter((bound) => bound <= text.length);
  return (
    <>
      {[0, ...bounds].map((from, index) => {
        const part = text.slice(from, bounds[index] ?? text.length);
        return index % 2 === 1 ? <mark key={index}>{part}</mark> : part;
      })}
    </>
  );
}
