/** Child of the row `session`: goes on with the newest session of the folder. Prints seconds, CPU seconds of the whole process and peak RSS, as JSON. */
import { createAgentSession } from "../../dist/sdk.js";
import { scriptedModel } from "./scripted-model.mjs";

const started = performance.now();
const session = await createAgentSession({ model: scriptedModel("ok"), trust: true, session: { continue: true } });
const seconds = (performance.now() - started) / 1000;
const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
const bad = session.startNotices.find(({ code }) => code === "no-session");
if (bad) throw new Error(bad.message);
process.stdout.write(JSON.stringify({ seconds, cpu: (userCPUTime + systemCPUTime) / 1e6, rss: maxRSS * 1024 }));
process.exit(0);
