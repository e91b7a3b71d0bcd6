/** Hits as SARIF 2.1.0, which code hosts show beside the lines of a change. */
import { pathToFileURL } from "node:url";
import type { Rule } from "../../../capability/rule.js";
import type { FileHit } from "../../../ttsr/scan/scanner.js";

declare const __VERSION__: string;

const LEVEL = { info: "note", warning: "warning", error: "error" } as const;

/** @param hits with paths relative to the repository's root */
export function sarifOf(hits: readonly { path: string; hit: FileHit }[]): unknown {
  const rules = [...new Set(hits.map(({ hit }) => hit.rule))];
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "ttsr-agent", version: __VERSION__, rules: rules.map(ruleOf) } },
        columnKind: "utf16CodeUnits",
        results: hits.map(({ path, hit }) => ({
          ruleId: hit.rule.name,
          ruleIndex: rules.indexOf(hit.rule),
          level: levelOf(hit.rule),
          message: { text: hit.rule.instead ?? hit.rule.description ?? `The rule ${hit.rule.name} holds here.` },
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: uriOf(path) },
                region: { startLine: hit.line, startColumn: hit.column, endLine: hit.lastLine },
              },
            },
          ],
        })),
      },
    ],
  };
}

function ruleOf(rule: Rule): unknown {
  return {
    id: rule.name,
    shortDescription: { text: rule.description ?? rule.name },
    fullDescription: { text: rule.content.trim() || rule.name },
    defaultConfiguration: { level: levelOf(rule) },
  };
}

function levelOf({ severity = "warning" }: Rule): string {
  return LEVEL[severity];
}

/** Relative, with everything escaped that a URI may not hold. */
function uriOf(path: string): string {
  return pathToFileURL(`/${path}`).pathname.slice(1);
}
