/** Edits of a JSON body by the path of its values: keys joined by dots, "" for the body itself. The body stands in a box, so that it can be replaced. */

/** @param edit gives the new value; undefined takes it away */
export function map(box: unknown, pattern: RegExp, edit: (value: unknown) => unknown): void {
  walk(box as Record<string, unknown>, "body", "", pattern, edit);
}

export function drop(box: unknown, pattern: RegExp): void {
  map(box, pattern, () => undefined);
}

/** Gives a key of what `pattern` finds another name. */
export function rename(box: unknown, pattern: RegExp, from: string, to: string): void {
  map(box, pattern, (parent) => {
    const { [from]: value, ...rest } = parent as Record<string, unknown>;
    return value === undefined ? parent : { ...rest, [to]: value };
  });
}

function walk(
  holder: Record<string, unknown>,
  key: string,
  path: string,
  pattern: RegExp,
  edit: (value: unknown) => unknown,
): void {
  if (pattern.test(path)) {
    const value = edit(holder[key]);
    if (value === undefined) delete holder[key];
    else holder[key] = value;
    return;
  }
  const value = holder[key];
  if (typeof value !== "object" || value === null) return;
  for (const inner of Object.keys(value))
    walk(value as Record<string, unknown>, inner, path === "" ? inner : `${path}.${inner}`, pattern, edit);
}
