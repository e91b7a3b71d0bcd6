import { describe, expect, it } from "vitest";
import type { UiState } from "../../../src/modes/interactive/store/state.js";
import { notification, Presence } from "../../../src/modes/interactive/term/presence.js";

const at = (activity: string, cwd = "/home/ada/project"): UiState =>
  ({ status: { activity, session: { cwd } } }) as unknown as UiState;

function open(env: NodeJS.ProcessEnv = {}, always = false) {
  const written: string[] = [];
  return { written, presence: new Presence((sequence) => written.push(sequence), env, always) };
}

describe("the window's title", () => {
  it("names the folder and the state, and is written once a change", () => {
    const { written, presence } = open();
    for (const activity of ["idle", "working", "working", "asking", "idle"]) presence.follow(at(activity));
    expect(written).toEqual([
      "\u001b]2;project - ttsr-agent\u0007",
      "\u001b]2;* project - ttsr-agent\u0007",
      "\u001b]2;? project - ttsr-agent\u0007",
      "\u001b]2;project - ttsr-agent\u0007",
    ]);
  });

  it("carries nothing of a hostile folder's name but its letters", () => {
    const { written, presence } = open();
    presence.follow(at("idle", "/p/a\u001b]52;c;b3duZWQ=\u0007b\nc\u009d0;x\u009c"));
    expect(written).toEqual(["\u001b]2;ab c - ttsr-agent\u0007"]);
  });
});

describe("notifications", () => {
  const told = (written: readonly string[]): string[] => written.filter((one) => !one.startsWith("\u001b]2;"));

  it("come at the end of a run and at a question, only while the window is not in front", () => {
    const { written, presence } = open();
    for (const activity of ["idle", "working", "idle"]) presence.follow(at(activity));
    expect(told(written)).toEqual([]);
    presence.reply("[O");
    for (const activity of ["working", "asking", "asking", "working", "idle"]) presence.follow(at(activity));
    expect(told(written)).toEqual(["\u0007", "\u0007"]);
    presence.reply("[I");
    for (const activity of ["working", "idle"]) presence.follow(at(activity));
    expect(told(written)).toHaveLength(2);
  });

  it("a key says that somebody is there, whatever the terminal told", () => {
    const { written, presence } = open();
    presence.reply("[O");
    presence.touched();
    for (const activity of ["working", "idle"]) presence.follow(at(activity));
    expect(told(written)).toEqual([]);
  });

  it("come always for a screen reader", () => {
    const { written, presence } = open({}, true);
    for (const activity of ["idle", "working", "idle"]) presence.follow(at(activity));
    expect(told(written)).toEqual(["\u0007"]);
  });

  it("use what the terminal shows, and a bell elsewhere and inside a multiplexer", () => {
    expect(notification("x", { TERM_PROGRAM: "WezTerm" })).toBe("\u001b]9;x\u0007");
    expect(notification("x", { TERM: "xterm-kitty" })).toBe("\u001b]9;x\u0007");
    expect(notification("x", { TERM: "foot" })).toBe("\u001b]777;notify;ttsr-agent;x\u0007");
    expect(notification("x", { TERM: "xterm-256color" })).toBe("\u0007");
    expect(notification("x", { TERM_PROGRAM: "WezTerm", TMUX: "/tmp/t" })).toBe("\u0007");
  });
});
