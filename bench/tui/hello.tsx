/** The least that Ink can be: a prompt. */
import { render, Text } from "ink";

render(<Text>› Ask for something</Text>, { patchConsole: false });
setTimeout(() => undefined, 60_000);
