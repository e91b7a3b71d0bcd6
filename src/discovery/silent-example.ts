/** Adds to a rule's own file a text on which it must stay silent (TTSR-10.3, "false alarm"). */
import { isMap, isSeq, parseDocument } from "yaml";
import type { RuleExample } from "../capability/rule.js";
import { atomicWrite } from "../platform/atomic-write.js";
import { UserError } from "../platform/errors.js";
import { readWhole } from "../platform/files.js";
import { decodeText, encodeText } from "../platform/text-codec.js";
import { parseYaml } from "../platform/yaml.js";
import { findFences } from "./fences.js";

/** A rule file is a page; more is none. Bytes. */
const FILE_LIMIT = 1024 * 1024;

/**
 * @param text of the whole file
 * @returns the text with one more entry in `examples.silent`; comments, order and line ends stay
 * @throws UserError where the front matter is not plain YAML: nothing is guessed in a file that somebody else must read
 */
export function withSilentExample(text: string, example: RuleExample): string {
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  const fences = findFences(lines);
  if (fences.kind !== "found" || !fences.closed) throw byHand("it has no front matter that is closed with ---");
  const block = lines.slice(1, fences.end).join("\n");
  // The limits first: they are checked before any parser sees the text.
  if (parseYaml(block).problems.length > 0) throw byHand("its front matter is not plain YAML");
  const doc = parseDocument(block, { schema: "core" });
  if (doc.contents !== null && !isMap(doc.contents)) throw byHand("its front matter is no list of keys");
  const known = doc.getIn(["examples", "silent"]);
  const examples = doc.get("examples");
  if (examples !== undefined && !isMap(examples)) throw byHand("its `examples` is no pair of lists");
  if (known !== undefined && !isSeq(known)) throw byHand("its `examples.silent` is no list");
  const { text: words, path, tool } = example;
  const entry = path === undefined && tool === undefined ? words : compact({ text: words, path, tool });
  if (isSeq(known)) known.add(doc.createNode(entry));
  else doc.setIn(["examples", "silent"], doc.createNode([entry]));
  const written = doc.toString({ lineWidth: 0 }).trimEnd().split("\n");
  return ["---", ...written, ...lines.slice(fences.end)].join(eol);
}

/**
 * @param path absolute
 * @throws UserError where the file cannot be read as text, or its front matter cannot be added to
 */
export async function addSilentExample(path: string, example: RuleExample): Promise<void> {
  const { bytes } = await readWhole(path, FILE_LIMIT);
  const decoded = decodeText(bytes);
  if (!decoded.ok) throw byHand("it cannot be read as text");
  await atomicWrite(path, encodeText(withSilentExample(decoded.text, example), decoded.encoding));
}

function compact(example: { text: string; path: string | undefined; tool: string | undefined }): RuleExample {
  const { text, path, tool } = example;
  return { text, ...(path === undefined ? {} : { path }), ...(tool === undefined ? {} : { tool }) };
}

function byHand(why: string): UserError {
  return new UserError("rule-not-changed", `The rule file was left as it is, because ${why}; add the example by hand.`);
}
