export { createShowcase, type Showcase } from "./showcase.js";
export { DEMO_PROMPT } from "./steps.js";
export { writeDemoWorkspace } from "./workspace.js";
