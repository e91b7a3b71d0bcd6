/**
 * JSON as people would set it: on one line where it fits, else each part on its own.
 * @param width UTF-16 units of a line; a single value may be longer
 * @param lead units that stand before the first line
 */
export function jsonLines(value: unknown, width: number, lead = 0): string[] {
  const whole = JSON.stringify(value) ?? "null";
  if (whole.length + lead <= width || typeof value !== "object" || value === null) return [whole];
  const isList = Array.isArray(value);
  const parts = Object.entries(value).map(([key, part]): [string, unknown] => [
    isList ? "" : `${JSON.stringify(key)}: `,
    part,
  ]);
  const lines = parts.flatMap(([name, part], index) => {
    // A comma, two columns of indentation.
    const [first = "", ...rest] = jsonLines(part, width - 3, name.length);
    const own = [`  ${name}${first}`, ...rest.map((line) => `  ${line}`)];
    return index === parts.length - 1 ? own : [...own.slice(0, -1), `${own.at(-1)},`];
  });
  return [isList ? "[" : "{", ...lines, isList ? "]" : "}"];
}
