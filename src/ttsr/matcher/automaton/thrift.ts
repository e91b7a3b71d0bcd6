/**
 * Who is given up when there is too much: the cheapest are kept, as many as there is room for.
 *
 * @param costs by part
 * @param room for the costs of those that are kept together
 * @returns the others
 */
export function tooDear(parts: readonly number[], costs: { readonly [part: number]: number }, room: number): number[] {
  // Among thousands of parts, a sort by a comparison of ours would take as long as the work that is to be saved.
  const ascending = new Float64Array(parts.length);
  for (let i = 0; i < parts.length; i++) ascending[i] = costs[parts[i] ?? 0] ?? 0;
  ascending.sort();
  let most = -1;
  let sum = 0;
  for (const cost of ascending) {
    sum += cost;
    if (sum > room) break;
    most = cost;
  }
  let left = room;
  return parts.filter((part) => {
    const cost = costs[part] ?? 0;
    if (cost > most || cost > left) return true;
    left -= cost;
    return false;
  });
}
