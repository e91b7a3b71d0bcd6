/** The keys of a rule file, and what is known of others. */

/** All of these are the trigger; patterns of more than one add up. */
export const TRIGGER_KEYS = ["ttsr_trigger", "ttsrTrigger", "condition"] as const;

/** Keys that only mean something to a rule with a trigger. */
export const STREAM_KEYS = [
  "detect",
  "astCondition",
  "callCondition",
  "scope",
  "in",
  "unless",
  "unlessWithin",
  "unlessAfter",
  "instead",
  "repeatMode",
  "repeatGap",
  "warmupMatches",
  "contextMode",
  "interruptMode",
  "examples",
  "observe",
] as const;

const OTHER_KEYS = ["globs", "agents", "description", "enabled", "alwaysApply", "severity", "name"] as const;

export const KNOWN_KEYS: ReadonlySet<string> = new Set([...TRIGGER_KEYS, ...STREAM_KEYS, ...OTHER_KEYS]);

/** How others call what has a name here. */
export const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ["trigger", "ttsr_trigger"],
  ["triggers", "ttsr_trigger"],
  ["pattern", "ttsr_trigger"],
  ["patterns", "ttsr_trigger"],
  ["regex", "ttsr_trigger"],
  ["match", "ttsr_trigger"],
  ["conditions", "ttsr_trigger"],
  ["paths", "globs"],
  ["files", "globs"],
  ["applyTo", "globs"],
  ["disabled", "enabled"],
  ["active", "enabled"],
  ["title", "description"],
  ["message", "instead"],
  ["fix", "instead"],
  ["level", "severity"],
  ["tests", "examples"],
  ["probes", "examples"],
  ["interrupt", "interruptMode"],
  ["mode", "interruptMode"],
  ["repeat", "repeatMode"],
  ["gap", "repeatGap"],
  ["context", "contextMode"],
  ["tool", "scope"],
  ["tools", "scope"],
  ["event", "scope"],
  ["events", "scope"],
  ["zone", "in"],
  ["zones", "in"],
  ["report", "observe"],
  ["replace", "instead"],
  ["suggestion", "instead"],
  ["arguments", "callCondition"],
  ["schema", "callCondition"],
  ["jsonSchema", "callCondition"],
  ["warmup", "warmupMatches"],
]);

export const DETECTORS = ["repetition"] as const;
export const REPEAT_MODES = ["always", "once", "after-gap"] as const;
export const CONTEXT_MODES = ["discard", "keep", "rewind"] as const;
export const INTERRUPT_MODES = ["always", "prose-only", "tool-only", "never"] as const;
export const ZONES = ["code", "comment", "string", "prose", "any"] as const;
export const SEVERITIES = ["info", "warning", "error"] as const;

/** A file is read up to here. */
export const MAX_FILE_BYTES = 64 * 1024;
export const MAX_TRIGGERS = 32;
/** Of `unless`, the same limits hold. UTF-16 units. */
export const MAX_TRIGGER_LENGTH = 1_000;
/** Of one word of `scope`, `globs` and `agents`. UTF-16 units. */
export const MAX_ENTRY_LENGTH = 1_000;
/** Of one provider. */
export const MAX_RULES = 500;
/** Folders below a rules folder. */
export const MAX_DEPTH = 8;
export const MAX_NAME_LENGTH = 128;
