import type { LoadedSettings } from "../config/settings.js";
import type { SettingLine } from "./ui.js";

/** @returns every setting as it holds, with its place */
export function settingLines(loaded: LoadedSettings): SettingLine[] {
  return [...loaded.all().keys()].map((key) => {
    const { value, origin } = loaded.getWithOrigin(key);
    const place = origin.file === undefined ? (origin.variable ?? "") : `${origin.file}:${origin.line ?? 1}`;
    return {
      key,
      value: typeof value === "string" ? value : (JSON.stringify(value) ?? "–"),
      origin: `${origin.from} ${place}`.trim(),
    };
  });
}
