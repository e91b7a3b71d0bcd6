/**
 * The public entry of the package: `createAgentSession()` wires everything, and nothing else does. Faces and programs that embed a session
 * know this file, the events, and nothing behind it.
 */
import { NO_USAGE, type ThinkingLevel, type Usage } from "./agent/messages.js";
import type { Clock, ModelStream, Tool } from "./agent/ports.js";
import { loadSettings, userSettingsFile } from "./config/settings.js";
import { TrustStore } from "./config/trust.js";
import { loadContextFiles, projectContextFiles } from "./context/context-files.js";
import { buildSystemPrompt } from "./context/system-prompt.js";
import { addSilentExample, registerRuleProviders } from "./discovery/index.js";
import type { CustomTool } from "./extensibility/custom-tools/custom-tools.js";
import type { Extension } from "./extensibility/extensions/runner.js";
import { listModels, priceOf } from "./models/index.js";
import type { PermissionMode } from "./permissions/types.js";
import { systemClock } from "./platform/clock.js";
import { type Dirs, resolveDirs } from "./platform/dirs.js";
import { projectRoot } from "./platform/project-root.js";
import { AgentSession } from "./session/agent-session.js";
import { chooseModel } from "./session/choose-model.js";
import { ExitAudit } from "./session/exit-audit.js";
import type { Notice } from "./session/notice.js";
import { type LogChoice, openLog } from "./session/open-log.js";
import { openRules } from "./session/open-rules.js";
import { openTools } from "./session/open-tools.js";
import { Proofs } from "./session/proofs.js";
import type { SessionLimits } from "./session/session-deps.js";
import { listSessions } from "./session/session-list.js";
import type { SessionManager } from "./session/session-manager.js";
import { settingLines } from "./session/setting-lines.js";
import { ttsrSettingsOf } from "./session/ttsr-settings.js";
import type { SessionUi } from "./session/ui.js";
import { loadWhatHolds } from "./session/what-holds.js";
import { Languages } from "./ttsr/ast/languages.js";
import { diskBaseline } from "./ttsr/baseline.js";
import { TtsrManager } from "./ttsr/manager.js";

export type { AgentEvent, AgentListener } from "./agent/events.js";
export type { Message } from "./agent/messages.js";
export type { Tool, ToolResult } from "./agent/ports.js";
export { loadCapability, type Rule, ruleCapability } from "./capability/index.js";
export type { CustomTool } from "./extensibility/custom-tools/custom-tools.js";
export { type Extension, ExtensionRunner } from "./extensibility/extensions/runner.js";
export type { PermissionAnswer, PermissionMode, PermissionQuestion } from "./permissions/types.js";
export { AgentSession } from "./session/agent-session.js";
export type { RunSummary } from "./session/run-summary.js";
export { SessionManager } from "./session/session-manager.js";
export type {
  FalseAlarm,
  ModelOffer,
  RuleStatus,
  SessionOffer,
  SessionState,
  SessionUi,
  SettingLine,
  TrustQuestion,
} from "./session/ui.js";
export { TtsrManager } from "./ttsr/manager.js";

declare const __VERSION__: string;

registerRuleProviders();

export interface CreateSessionOptions {
  /** Absolute; default: the process's. */
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  dirs?: Dirs;
  /** `provider/model[:thinking]`, or a model of your own. */
  model?: string | ModelStream;
  thinking?: ThinkingLevel;
  /** `key=value`, as behind `--set`. */
  settings?: readonly string[];
  permissionMode?: PermissionMode;
  allow?: readonly string[];
  deny?: readonly string[];
  /** Trusts the repository for this session; never written down. */
  trust?: boolean;
  session?: LogChoice;
  rules?: { off?: boolean; dirs?: readonly string[]; bundled?: boolean };
  /** Names; default: all. */
  tools?: readonly string[];
  customTools?: readonly CustomTool[];
  extensions?: readonly Extension[];
  systemPrompt?: string;
  appendSystemPrompt?: string;
  limits?: SessionLimits;
  /** Who answers questions; without, what would ask is denied. */
  ui?: SessionUi;
  /** How fast the demo's model writes: 1 as a real one, 0 without a wait. */
  demoPace?: number;
  clock?: Clock;
  random?(): number;
  fetch?: typeof globalThis.fetch;
}

/**
 * Opens a session: settings, trust, rules, model, tools, log.
 * @throws UserError with the sentence for the user and the exit code of `cli.md`: a bad setting, flag or pattern (2), no model or key (3)
 */
export async function createAgentSession(options: CreateSessionOptions = {}): Promise<AgentSession> {
  const { env = process.env, clock = systemClock, random = Math.random } = options;
  const cwd = options.cwd ?? process.cwd();
  const dirs = options.dirs ?? resolveDirs(env);
  const notices: Notice[] = [];
  let session: AgentSession | undefined;
  // The log may have something to say long after the start.
  const notice = (message: Notice): void => (session ? session.tell(message) : void notices.push(message));

  const store = new TrustStore(dirs.state, () => clock.date());
  // Told before anybody is asked, and so replaces it.
  const damage = store.damage();
  if (damage !== undefined) notice({ type: "notice", level: "warning", code: "trust-damaged", message: damage });
  // How a log is written is the user's business, never the repository's.
  const { fsync } = loadSettings({ cwd, env, dirs, overrides: options.settings ?? [] }).settings.session;
  const opened = openLog(options.session ?? {}, { cwd, stateDir: dirs.state, clock, random, fsync, notice });
  try {
    session = await assemble(options, { cwd, env, dirs, clock, random, store, notices, ...opened });
    return session;
  } catch (error) {
    opened.log.close();
    throw error;
  }
}

interface Ground {
  cwd: string;
  env: NodeJS.ProcessEnv;
  dirs: Dirs;
  clock: Clock;
  random(): number;
  store: TrustStore;
  notices: Notice[];
  log: SessionManager;
  createLog(): SessionManager;
  openNamed(id: string): SessionManager;
}

async function assemble(options: CreateSessionOptions, ground: Ground): Promise<AgentSession> {
  const { cwd, env, dirs, clock, random, store, notices, log, createLog, openNamed } = ground;
  const notice = (message: Notice): void => void notices.push(message);
  const { obeyed, refused, ruleSet, context, loaded, found } = await loadWhatHolds(options, ground);
  const { settings } = loaded;
  for (const { code, message } of loaded.notices) notice({ type: "notice", level: "warning", code, message });
  const root = projectRoot(cwd);
  const unread = projectContextFiles(cwd, root).filter((path) => !obeyed.has(path));
  if (unread.length > 0) {
    const why = store.knows(root) ? "changed since this folder was trusted" : "this folder is not trusted";
    const message = `project context ignored: ${unread.join(", ")}: ${why}.`;
    notice({ type: "notice", level: "warning", code: "project-context-untrusted", message });
  }

  notices.push(...found.notices);

  // The user's own price stands in the target.
  const costOf = (usage: Usage, { provider, model }: { provider: string; model: string }): number | undefined =>
    priceOf(
      found.target?.provider === provider && found.target.model === model ? found.target : { provider, model },
      usage,
    );
  if (options.limits?.maxCost !== undefined && costOf(NO_USAGE, found.model) === undefined) {
    const message = `--max-cost cannot hold: the price of ${found.model.provider}/${found.model.model} is not known; write it into models.yml.`;
    notice({ type: "notice", level: "warning", code: "no-price", message });
  }

  const languages = new Languages(dirs.config);
  const ttsrSettings = ttsrSettingsOf(loaded);
  const ttsr = new TtsrManager(ttsrSettings, { baseline: diskBaseline(cwd), languages });

  const permissionMode = { current: options.permissionMode ?? settings.permission.mode };
  const { tools, gate, unknown } = await openTools(options, { cwd, env, dirs, clock, loaded, permissionMode });
  notices.push(...unknown);
  const toolNamed = (name: string): Tool | undefined => tools.find((tool) => tool.name === name);
  const rules = openRules({
    context,
    set: ruleSet,
    manager: ttsr,
    store,
    refused,
    ask: options.ui?.askTrust,
    isReadOnly: (name) => toolNamed(name)?.readOnly === true,
    after: (ms, run) => clock.after(ms, run),
    proofs: new Proofs(options.session?.persist === false ? undefined : dirs.state, __VERSION__, {
      tools: toolNamed,
      languages,
    }),
  });
  notices.push(...rules.startNotices);
  const audit = new ExitAudit({
    cwd,
    root: projectRoot(cwd),
    env,
    clock,
    rules: () => rules.items.filter(({ observe }) => !observe),
    languages,
    memory: ttsr.memory,
    undecided: (rule, why) => ttsr.syntaxUndecided(rule, why),
  });
  const contextFiles = loadContextFiles({ cwd, root, configDir: dirs.config, mayRead: (path) => obeyed.has(path) });
  const system = (): string =>
    buildSystemPrompt({
      cwd,
      platform: process.platform,
      contextFiles,
      rules: rules.items,
      hasTools: tools.length > 0,
      ...(options.systemPrompt === undefined ? {} : { replace: options.systemPrompt }),
      ...(options.appendSystemPrompt === undefined ? {} : { append: options.appendSystemPrompt }),
    });
  return new AgentSession({
    cwd,
    startNotices: notices,
    log,
    createLog,
    model: found.model,
    thinking: options.thinking ?? found.thinking ?? settings.thinking,
    tools,
    customTools: options.customTools ?? [],
    extensions: options.extensions ?? [],
    gate: {
      async decide(tool, ...rest) {
        if (!tool.readOnly) await audit.begin();
        return gate.decide(tool, ...rest);
      },
    },
    permissionMode,
    system,
    ttsr,
    ttsrSettings,
    rules,
    audit,
    addSilentExample: async (path, example) => {
      await addSilentExample(path, example);
      await rules.refresh();
    },
    surroundings: {
      models: async () => (await listModels({ env, dirs, clock, fetch: options.fetch ?? globalThis.fetch })).models,
      connect: async (spec) => {
        const { notices: said, ...chosen } = await chooseModel(
          { ...options, model: spec },
          { env, dirs, clock, loaded, before: {} },
        );
        const [first] = said;
        return first === undefined ? chosen : { ...chosen, notice: first.message };
      },
      sessions: () => listSessions(dirs.state, { cwd }),
      openLog: openNamed,
      settings: () => settingLines(loaded),
      settingsFile: userSettingsFile(dirs),
    },
    retry: settings.retry,
    limits: options.limits ?? {},
    costOf,
    clock,
    random,
  });
}
