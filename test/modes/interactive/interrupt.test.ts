import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FaceHarness } from "./face-harness.js";
import { argDeltas, CUT_RUN, message, textDeltas } from "./fake-session.js";

let face: FaceHarness;
beforeEach(() => {
  face = new FaceHarness();
});
afterEach(() => face.dispose());

function cut(): void {
  face.session.running = true;
  face.session.emit(...CUT_RUN.before);
  face.session.isTtsrAbortPending = true;
  face.session.emit(...CUT_RUN.interrupt);
}

function goOn(): void {
  face.session.isTtsrAbortPending = false;
  face.session.emit(...CUT_RUN.retry);
}

describe("TTSR-10.1 the notice of an interrupt", () => {
  it("names rule, place and cost, marks the match, and shows two rows of the description", () => {
    cut();
    expect(face.frame).toContain("⟲ no-eval · edit src/calc.js · 38 tokens cut");
    expect(face.frame).toContain("return »eval(«");
    const about = face.frame.split("\n").filter((row) => /Never build|Parse the input|parser in src/.test(row));
    expect(about).toHaveLength(2);
    expect(about[1]).toMatch(/… \(Ctrl\+O\)$/);
    expect(face.frame).toContain("rewinding");
  });

  const FAR = "packages/server/src/handlers/accounts/other.js";
  it("C65: names one rule once, and every file in which it held", () => {
    face.session.running = true;
    face.session.emit(...CUT_RUN.before);
    for (const event of CUT_RUN.interrupt) {
      if (event.type !== "ttsr_triggered") face.session.emit(event);
      else {
        const matches = event.matches.flatMap((match) => [match, { ...match, filePath: FAR }]);
        face.session.emit({ ...event, matches });
      }
    }
    const [title = ""] = face.frame.split("\n").filter((row) => row.includes("⟲ no-eval"));
    expect(title).toContain("edit src/calc.js");
    expect(title).toContain("edit packages/");
    expect(title.match(/no-eval/g)).toHaveLength(1);
    face.type("\u000f");
    const places = face.frame
      .split("\n")
      .map((row) => row.trim())
      .filter((row) => row.startsWith("edit "));
    expect(places).toEqual(["edit src/calc.js", `edit ${FAR}`]);
  });

  it("opens the whole description with Ctrl+O, and closes it again", () => {
    cut();
    expect(face.frame).not.toContain("operators closed. There is a small parser");
    face.type("\u000f");
    expect(face.frame).toContain("operators closed. There is a small parser");
    face.type("\u000f");
    expect(face.frame).not.toContain("operators closed. There is a small parser");
  });

  it("does not draw the stop as a failure, whatever the message says of it", () => {
    cut();
    goOn();
    face.session.emit(...CUT_RUN.rest);
    expect(face.all).not.toMatch(/abort|error|fail|✗|Stopped/i);
  });

  it("stays above the retry while that streams, then is printed in its place", async () => {
    cut();
    goOn();
    await face.clock.advance(40);
    const { ttsr, live } = face.face.store.frame;
    expect(ttsr.length).toBeGreaterThan(2);
    expect(live.join("\n")).toContain("I use the parser instead.");
    face.session.emit(...CUT_RUN.rest);
    const order = [
      "› make calc work out expressions",
      "I will let the language do the work.",
      "• edit src/calc.js",
      "⟲ rewound by rule no-eval",
      "⟲ no-eval · edit src/calc.js",
      "I use the parser instead.",
      "• edit src/calc.js · +1 −1",
      "Done: `calc` parses now.",
    ].map((text) => face.printed.indexOf(text));
    expect(order).not.toContain(-1);
    expect(order).toEqual([...order].sort((a, b) => a - b));
    expect(face.face.store.frame.ttsr).toEqual([]);
  });

  it("tells of a second interrupt after the first", () => {
    cut();
    goOn();
    face.session.emit(...CUT_RUN.interrupt);
    expect(face.printed.split("⟲ rewound by rule no-eval").length - 1).toBe(2);
    expect(face.printed.split("⟲ no-eval ·").length - 1).toBe(1);
    expect(face.frame.split("⟲ no-eval ·").length - 1).toBe(1);
  });

  it("says so when the user stops the retry, and that is no failure either", () => {
    cut();
    face.type("\u001b");
    expect(face.session.aborted).toBe(1);
    face.session.emit({ type: "agent_end", status: "aborted", usage: message([]).usage });
    expect(face.printed).toContain("Stopped.");
    expect(face.all).not.toMatch(/abort|error|fail/i);
  });
});

describe("TTSR-10.2 what was cut", () => {
  it("ends on the screen where the deltas before the match ended, closed by a rewind mark", async () => {
    cut();
    // Late deltas of the cut attempt would be a fault of the session; frames that were waiting are not.
    await face.clock.advance(200);
    const shown = face.printed.slice(0, face.printed.indexOf("⟲ rewound"));
    expect(shown).toContain("const x = 1;");
    expect(shown).not.toContain("eval");
    // Its only other place is the excerpt of the notice.
    expect(face.all.split("eval(").length - 1).toBe(1);
  });

  it("is marked when nothing at all had been drawn", () => {
    face.session.emit(...CUT_RUN.before.slice(0, 3), ...CUT_RUN.interrupt);
    expect(face.printed.trimEnd().endsWith("⟲ rewound by rule no-eval")).toBe(true);
  });

  it("covers calls that were whole already when the match came", () => {
    face.session.emit(
      ...CUT_RUN.before.slice(0, 3),
      ...argDeltas("a", "bash", '{"command":"echo one"}'),
      ...argDeltas("b", "bash", '{"command":"echo two', 5, 2),
      ...CUT_RUN.interrupt,
    );
    const mark = face.printed.indexOf("⟲ rewound");
    expect(face.printed.indexOf("echo one")).toBeGreaterThan(-1);
    expect(face.printed.indexOf("echo one")).toBeLessThan(mark);
    expect(face.frame).not.toContain("echo");
  });
});

describe("TTSR-10.2 what had been printed before the cut", () => {
  it("is named by its beginning, because what is printed cannot be dimmed", async () => {
    const text = Array.from({ length: 30 }, (_, i) => `Paragraph ${i} of the answer.\n\n`).join("");
    face.session.emit(...CUT_RUN.before.slice(0, 3), ...textDeltas(text));
    await face.clock.advance(50);
    expect(face.printed).toContain("Paragraph 3 of");
    face.session.emit(...CUT_RUN.interrupt);
    expect(face.all).toContain('⟲ rewound by rule no-eval, all from "Paragraph 0 of the answer." on');
  });

  it("nothing needs a name where all of it is dimmed", () => {
    cut();
    expect(face.all).toMatch(/⟲ rewound by rule no-eval$/m);
  });
});
