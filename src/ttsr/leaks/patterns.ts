/**
 * What chat templates leave in prose when they leak: a token that only the model's server should ever see. A token alone proves little, for
 * people write about templates; its place does. A mention stands between spaces, in quotes or in brackets; a leak is glued to the end of a
 * word or a sentence, has a line for itself, begins a line with more of the template behind it, or ends the whole text. The syntax of a
 * call that was meant for the server proves itself.
 *
 * Written as triggers of the matcher, for prose in which code and quotes are hidden.
 */
import { HIDDEN } from "../prose.js";

/**
 * `<|…|>` of any name: ChatML and Qwen (im_start, endoftext), Llama 3 and 4 (eot_id, header_start, python_tag), harmony (channel, message,
 * call), Kimi (tool_calls_section_begin, open, sep), GLM (observation), Phi, Cohere; with wide bars those of DeepSeek. Gemma 4 has a bar on
 * one side only, Gemma 1 to 3 none.
 */
const ANGLE = [
  "<[|｜]/?[A-Za-z0-9_▁]{3,}[|｜]>",
  "<\\|(?:turn|channel|tool|tool_call|tool_response)>",
  "<(?:turn|channel|tool|tool_call|tool_response)\\|>",
  "<(?:start_of_turn|end_of_turn|bos|eos)>",
].join("|");

/** Mistral, and Llama 2 for `[INST]`. In brackets stand many other things too: an index, a link, a label. */
const BRACKET = "\\[/?(?:INST|TOOL_CALLS|TOOL_RESULTS|TOOL_CONTENT|AVAILABLE_TOOLS|SYSTEM_PROMPT)\\](?![(:])";

/** Also the end of a struck-out text in HTML. */
const EOS = "(?<!<s>[^\\n]*)</s>";

const TOKEN = `(?:${ANGLE}|${BRACKET}|${EOS})`;
/** To whom a call is addressed: OpenAI's models. */
const PARALLEL = "to=multi_tool_use\\.parallel";
const FUNCTION = "to=functions\\.[A-Za-z_]";
const CHANNEL = "assistant(?:final|analysis|commentary)";
/** DeepSeek 3.2 and later; seen without its end, too. */
const DSML = "</?[|｜]DSML[|｜](?:function_calls|tool_calls|invoke|parameter)";
/** Of a whole conversation: GLM, Llama 2. */
const OPENING = "\\[gMASK\\]<sop>|<s>\\s*\\[INST\\]";
/** Hermes and Qwen; Qwen Coder; GLM; Anthropic's models; Mistral. */
const CALLS = [
  '<tool_call>\\s*(?:\\{\\s*"|<function=|[\\w.-]+\\s*<arg_key>)',
  "<function=[\\w.-]+>\\s*<parameter=",
  '<(?:antml:)?function_calls>\\s*<(?:antml:)?invoke name="',
  '<(?:antml:)?invoke name="[^"\\n]*">\\s*<(?:antml:)?parameter name="',
  "\\[TOOL_CALLS\\]\\s*(?:\\[\\s*\\{|[\\w.-]+(?:\\[(?:CALL_ID|ARGS)\\]|\\s*\\{))",
];

const STOP = "[.!?…。！？]";
/** Scripts that are written without spaces, and the punctuation that goes with them. */
const CJK = "\\u3005-\\u3007\\u3040-\\u30FF\\u3400-\\u9FFF\\uAC00-\\uD7AF";
const CJK_MARKS = "\\u3000-\\u3004\\u3008-\\u303F\\uFF00-\\uFF65";
/** Directly behind a word, or behind the end of a sentence, an emphasis, a code span or another token. */
const AFTER_WORD = `(?<=[^\\s\\x00-\\x2F:-@\\[-\`{-\\x7F“”‘’„«»‹›–—${CJK}${CJK_MARKS}${HIDDEN}])`;
const AFTER_CJK = `(?<=[${CJK}])`;
const AFTER_END = `(?<=${STOP}[*_"”'’)]{0,3}|[^\\s*_][*_]{1,2}|\\)|${HIDDEN}\`+|[|｜]>)`;
/** Behind a sentence and a space; the number of a list is no sentence. */
const AFTER_SENTENCE = `(?<=[^\\s\\d]${STOP}[ \\t]+)`;
const AFTER_SPACED_WORD = `(?<=[A-Za-z0-9\\u00C0-\\u02AF${CJK}][ \\t]+)`;
const LINE_START = "(?<![^\\n \\t][ \\t]*)";
const LINE_END = "(?=[ \\t]*(?:\\n|$))";
const TEXT_END = "(?=\\s*$)";
const NOT_QUOTED = "(?<![\"'“‘(])";

export const LEAK_PATTERNS: readonly string[] = [
  `(?:${AFTER_WORD}|${AFTER_END})(?:${ANGLE})`,
  `${AFTER_END}(?:${BRACKET})`,
  `${LINE_START}${TOKEN}${LINE_END}`,
  `${LINE_START}(?:${ANGLE})(?=[A-Za-z{\\[<])`,
  `(?:${AFTER_SENTENCE}|${AFTER_END}|${AFTER_CJK})${TOKEN}${LINE_END}`,
  `${AFTER_CJK}(?:${ANGLE})(?=<)`,
  `(?:${AFTER_SPACED_WORD}|${AFTER_WORD})${TOKEN}${TEXT_END}`,
  DSML,
  OPENING,
  ...CALLS,
  `${NOT_QUOTED}${PARALLEL}`,
  `(?:${LINE_START}|(?:assistant|commentary|analysis)[ \\t]*)${FUNCTION}`,
  `${NOT_QUOTED}${FUNCTION}[^\\n{]*\\{\\s*"`,
  `(?<=${STOP})${CHANNEL}`,
];

/** Every leak holds one of these, and prose seldom does. */
export const MAY_BEGIN =
  /<\/?(?:[|｜]|turn|channel|tool|start_of|end_of|bos|eos|s>|func|antml|invoke)|\[(?:\/?[A-Z]{4}|gM)|to=[fm]|assistant[afc]/;
/** UTF-16 units of the longest of them. */
export const MAY_BEGIN_LENGTH = 10;

/** What of a match is named to the user. */
export const NAMED = new RegExp(
  [
    TOKEN,
    PARALLEL,
    "to=functions",
    CHANNEL,
    DSML,
    OPENING,
    "<tool_call>",
    "<function=[\\w.-]+>",
    "<(?:antml:)?(?:function_calls>|invoke name=)",
  ].join("|"),
  "g",
);
