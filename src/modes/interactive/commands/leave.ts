import type { CommandContext } from "./command.js";

/** Leaves the present conversation; an answer that is still being written is stopped only when the user says so. */
export function leave({ session, pick, run, takeQueueBack }: CommandContext, go: () => Promise<unknown>): void {
  if (!session.state.running) {
    run(go());
    return;
  }
  const choices = [
    { label: "No", about: "it goes on working", value: false },
    { label: "Yes", about: "stop it; what is queued comes back into the editor", value: true },
  ];
  pick("It is still working. Stop it and leave this conversation?", choices, (yes) => {
    if (!yes) return;
    takeQueueBack();
    run(go());
  });
}
