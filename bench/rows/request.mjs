/** The first request: what every conversation pays. */
import { BIN, openWorld, run } from "../kit.mjs";

export async function request() {
  const world = await openWorld(
    ({ say }) =>
      () =>
        say("Hello."),
  );
  try {
    await run([BIN, ...world.headless("hi")], world);
    const { system, tools } = world.server.requests[0].body;
    const bytes = Buffer.byteLength(JSON.stringify(system)) + Buffer.byteLength(JSON.stringify(tools));
    const systemBytes = Buffer.byteLength(JSON.stringify(system));
    return [
      {
        what: "first request: system + tools",
        measured: bytes / 1024,
        unit: "KB",
        reach: 12,
        note: `system ${systemBytes} B`,
      },
      { what: "requests for one prompt", measured: world.server.requests.length, unit: "", reach: 1 },
    ];
  } finally {
    await world.close();
  }
}
