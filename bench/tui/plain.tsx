/** The plain way: finished messages in `Static`, the growing one in a `Text`, its state set at every delta. */
import { Box, render, Static, Text } from "ink";
import { memo, useState } from "react";
import { MESSAGE, play, task } from "./story.js";

let grow: (piece: string) => void = () => undefined;
let finish: () => void = () => undefined;

const Past = memo(function Past({ items }: { items: string[] }) {
  return <Static items={items}>{(item, i) => <Text key={i}>{item}</Text>}</Static>;
});

function App() {
  const [text, setText] = useState("");
  const [items, setItems] = useState(() => Array<string>(task().before).fill(MESSAGE));
  grow = (piece) => setText((before) => before + piece);
  finish = () => {
    setItems((before) => [...before, text]);
    setText("");
  };
  return (
    <Box flexDirection="column">
      <Past items={items} />
      <Text>{text}</Text>
      <Box borderStyle="round">
        <Text>› Ask for something</Text>
      </Box>
      <Text dimColor>ask · demo/showcase · context 10%</Text>
    </Box>
  );
}

render(<App />, { patchConsole: false });
await play(
  (piece) => grow(piece),
  () => finish(),
);
