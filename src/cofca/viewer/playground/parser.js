// Text to lines, with errors that say where and what was expected. As utils/spelling.py and language/text.py.

import { InstructionError, blockMatches, either } from "./blocks.js";
import { guess } from "./closest.js";
import {
  CONDITIONS, ELSE, ENDIF, ENDWHILE, FIRST_CONDITION, IF, LINE_TYPES, RESOURCES, SUBTASK, THINGS, VERBS, WHILE,
} from "./symbols.js";

/** @typedef {import("./blocks.js").Line} Line */
/** @typedef {{lines: Line[], matches: number[]}} Program */

/** The words of a line, such as `if`, `more`, `iron`, `than`, `gold`. @param {Line} line @returns {string[]} */
export function wordsOf([type, verb, noun]) {
  if (type === SUBTASK) return [VERBS[verb], THINGS[noun]];
  if (type !== IF && type !== WHILE) return [LINE_TYPES[type]];
  const [more, than] = CONDITIONS[noun - FIRST_CONDITION];
  return [LINE_TYPES[type], "more", THINGS[more], "than", THINGS[than]];
}

/** Every line there is, as its words and its symbols. */
const LINES = [
  ...[1, 2, 3].flatMap((verb) => RESOURCES.map((noun) => [SUBTASK, verb, noun])),
  ...[IF, WHILE].flatMap((type) => CONDITIONS.map((_, at) => [type, 0, FIRST_CONDITION + at])),
  ...[ELSE, ENDIF, ENDWHILE].map((type) => [type, 0, 0]),
].map((line) => [wordsOf(line), line]);
const SPELLED = new Map(LINES.map(([words, line]) => [words.join(" "), line]));
/** Whatever Python takes for space. */
const SPACE = "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
const TOKEN = new RegExp(`[^${SPACE}]+`, "gu");
const FIRST_WORDS = nextWords([]);

/** Read an instruction; case, indentation, blank lines and `#` comments do not matter. @param {string} text @returns {Program} */
export function parse(text, maxLines = Infinity) {
  const lines = [], places = [];
  let end = [1, 1];
  text.split(/\r\n?|\n/).forEach((row, at) => {
    const tokens = tokensOf(row, at + 1);
    if (!tokens.length) return;
    places.push(tokens[0].place);
    if (places.length > maxLines) throw new InstructionError(`one line too many; expected at most ${maxLines}`, tokens[0].place);
    lines.push(readLine(tokens));
    end = tokens[tokens.length - 1].end;
  });
  if (!lines.length) throw new InstructionError(`no lines at all; expected ${either(FIRST_WORDS)}`, end);
  return { lines, matches: blockMatches(lines, [...places, end]) };
}

/** The words of a row and where they stand; a column is a code point. */
function tokensOf(row, number) {
  return [...row.split("#", 1)[0].matchAll(TOKEN)].map(({ 0: word, index }) => {
    const column = [...row.slice(0, index)].length + 1;
    return { word: word.toLowerCase(), place: [number, column], end: [number, column + [...word].length] };
  });
}

/** @returns {Line} */
function readLine(tokens) {
  const spelled = tokens.map((token) => token.word);
  const known = SPELLED.get(spelled.join(" "));
  if (known) return known;
  spelled.forEach((word, index) => {
    const expected = nextWords(spelled.slice(0, index));
    if (!expected.includes(word)) throw new InstructionError(wrongWord(spelled, index, expected), tokens[index].place);
  });
  throw new InstructionError(`the line ends early; expected ${either(nextWords(spelled))}`, tokens[tokens.length - 1].end);
}

/** The words that may follow the start of a line. @param {string[]} start */
function nextWords(start) {
  const fits = LINES.filter(([words]) => words.length > start.length && start.every((word, at) => words[at] === word));
  return [...new Set(fits.map(([words]) => words[start.length]))];
}

function wrongWord(spelled, index, expected) {
  const wrong = spelled[index], letters = [...wrong];
  // Cut, so that a message stays one readable line whatever the text is.
  const quoted = quote(letters.length <= 20 ? wrong : `${letters.slice(0, 20).join("")}...`);
  if (!expected.length) return `surplus word ${quoted}; expected the end of the line`;
  if (index === 4 && wrong === spelled[2]) return `${quoted} compared with itself; expected ${either(expected)}`;
  const kind = LINES.some(([words]) => words.includes(wrong)) ? "misplaced" : "unknown";
  return `${kind} word ${quoted}; expected ${either(expected)}${guess(wrong, expected)}`;
}

/** As Python's `repr` of a text without newlines. @param {string} word */
function quote(word) {
  const mark = word.includes("'") && !word.includes('"') ? '"' : "'";
  const escaped = [...word].map((letter) => {
    if (letter === mark || letter === "\\") return `\\${letter}`;
    if (!/[\p{C}\p{Z}]/u.test(letter)) return letter;
    const code = letter.codePointAt(0).toString(16);
    return code.length <= 2 ? `\\x${code.padStart(2, "0")}` : code.length <= 4 ? `\\u${code.padStart(4, "0")}` : `\\U${code.padStart(8, "0")}`;
  });
  return mark + escaped.join("") + mark;
}
