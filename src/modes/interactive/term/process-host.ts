/** What the face needs of the process around it; tests bring their own. */
export interface ProcessHost {
  on(signal: "SIGTERM" | "SIGHUP" | "SIGINT" | "SIGCONT" | "exit" | "uncaughtExceptionMonitor", listener: () => void): void;
  off(signal: "SIGTERM" | "SIGHUP" | "SIGINT" | "SIGCONT" | "exit" | "uncaughtExceptionMonitor", listener: () => void): void;
  /** Stops the whole job, as Ctrl+Z does; returns when it goes on. */
  suspend(): void;
  /** False where there is no job control. */
  canSuspend: boolean;
}

export const nodeHost: ProcessHost = {
  on: (signal, listener) => void process.on(signal, listener),
  off: (signal, listener) => void process.off(signal, listener),
  // The group: a shell that started us through a script has to stop with us.
  suspend: () => void process.kill(0, "SIGTSTP"),
  canSuspend: process.platform !== "win32",
};
