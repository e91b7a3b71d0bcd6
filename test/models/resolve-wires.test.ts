import { fileURLToPath } from "node:url";
import { build, type Metafile } from "esbuild";
import { beforeAll, describe, expect, it } from "vitest";
import { NETWORK_WIRES } from "../../src/models/providers.js";

const root = fileURLToPath(new URL("../..", import.meta.url));

let outputs: Metafile["outputs"];
beforeAll(async () => {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: ["src/models/index.ts"],
    outdir: "unused",
    bundle: true,
    splitting: true,
    write: false,
    metafile: true,
    format: "esm",
    platform: "node",
    loader: { ".md": "text" },
    logLevel: "silent",
  });
  outputs = metafile.outputs;
});

/** Files of the project that are loaded together with an output, before anything is asked for lazily. */
function loadedWith(name: string): Set<string> {
  const inputs = new Set<string>();
  const seen = new Set<string>();
  const visit = (one: string): void => {
    const output = outputs[one];
    if (!output || seen.has(one)) return;
    seen.add(one);
    for (const input of Object.keys(output.inputs)) inputs.add(input);
    for (const { path, kind } of output.imports) if (kind === "import-statement") visit(path);
  };
  visit(name);
  return inputs;
}

function outputOf(entry: string): string {
  const found = Object.keys(outputs).find((name) => outputs[name]!.entryPoint === entry);
  if (!found) throw new Error(`${entry} has no output of its own`);
  return found;
}

const roomsIn = (inputs: Iterable<string>): string[] => {
  const rooms = new Set<string>();
  for (const input of inputs) {
    const room = /^src\/models\/([^/]+)\//.exec(input)?.[1];
    if (room) rooms.add(room);
  }
  return [...rooms].sort();
};

describe("the wires in the bundle", () => {
  it("are not loaded with the models room, and neither is the demo", () => {
    expect(roomsIn(loadedWith(outputOf("src/models/index.ts")))).toEqual([]);
  });

  it.each(NETWORK_WIRES)("%s loads no other wire", (wire) => {
    expect(roomsIn(loadedWith(outputOf(`src/models/${wire}/index.ts`)))).toEqual([wire]);
  });

  it("are not loaded with the demo", () => {
    expect(roomsIn(loadedWith(outputOf("src/models/demo/index.ts")))).toEqual(["demo"]);
  });
});
