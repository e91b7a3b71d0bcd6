/**
 * The floors of the house: a file imports from its own folder and from lower floors, never upwards, and never in a circle.
 * Run by `npm run floors`.
 */
const floors = [
  ["agent", "platform"],
  ["models", "tools", "permissions", "capability", "config"],
  ["ttsr", "discovery", "extensibility", "context"],
  ["session"],
  ["sdk"],
  ["modes"],
  ["cli"],
];
const place = (name) => (name === "sdk" ? "^src/sdk\\.ts$" : `^src/${name}/`);
const any = (names) => names.map(place).join("|");

const upward = floors.flatMap((names, level) => {
  const above = floors.slice(level + 1).flat();
  return above.length === 0
    ? []
    : [
        {
          name: `floor-${level + 1}-looks-up`,
          severity: "error",
          from: { path: any(names) },
          to: { path: any(above) },
        },
      ];
});

/** Rooms of one floor that must not know each other. */
const apart = ["agent", "platform", "models", "tools", "permissions", "capability", "config"].map((name) => ({
  name: `${name}-keeps-apart`,
  severity: "error",
  from: { path: place(name) },
  to: { path: any(floors.find((f) => f.includes(name)).filter((other) => other !== name)) || "^$" },
}));

/** The faces know the sdk, the events and platform, nothing else. */
const faces = {
  name: "faces-know-only-sdk-events-platform",
  severity: "error",
  from: { path: "^src/modes/" },
  to: { path: "^src/", pathNot: "^src/(modes/|sdk\\.ts|agent/|platform/|prompts/)" },
};

/** A face never imports another one. */
const facesApart = {
  name: "faces-keep-apart",
  severity: "error",
  from: { path: "^src/modes/([^/]+)/" },
  to: { path: "^src/modes/[^/]+/", pathNot: "^src/modes/$1/" },
};

module.exports = {
  forbidden: [
    ...upward,
    ...apart,
    faces,
    facesApart,
    { name: "no-circles", severity: "error", from: {}, to: { circular: true } },
    { name: "no-unresolved", severity: "error", from: {}, to: { couldNotResolve: true, pathNot: "\\.md$" } },
    {
      name: "ink-only-in-the-interactive-face",
      severity: "error",
      from: { pathNot: "^src/modes/interactive/" },
      to: { path: "node_modules/(ink|react)/" },
    },
    {
      name: "agent-is-pure",
      severity: "error",
      from: { path: "^src/agent/" },
      to: { dependencyTypes: ["core", "npm", "npm-dev"] },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    doNotFollow: { path: "node_modules" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default", "types"],
      extensions: [".ts", ".tsx", ".js", ".json", ".md"],
    },
  },
};
