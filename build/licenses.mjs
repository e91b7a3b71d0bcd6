import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * The licence texts of every package whose code is inside the bundle.
 * @param {string[]} inputs the bundle's input files, relative to the project
 * @returns {string} one section a package, sorted by name
 */
export function thirdPartyLicenses(inputs) {
  const folders = new Set();
  for (const input of inputs) {
    const match = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input);
    if (match) folders.add(match[1]);
  }
  return [...folders]
    .map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
      const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
      const text = file && existsSync(join(folder, file)) ? readFileSync(join(folder, file), "utf8").trim() : "";
      return `${name} ${version} (${license ?? "no licence named"})\n\n${text}\n`;
    })
    .sort()
    .join(`\n${"-".repeat(80)}\n\n`);
}
