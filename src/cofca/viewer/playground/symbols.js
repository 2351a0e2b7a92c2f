// The vocabulary: what each small integer of an instruction, a cell or an action stands for. As envs/minecraft/symbols.py.

/** First symbol of a line. */
export const LINE_TYPES = ["padding", "subtask", "if", "else", "endif", "while", "endwhile"];
export const [PADDING, SUBTASK, IF, ELSE, ENDIF, WHILE, ENDWHILE] = LINE_TYPES.keys();

/** Second symbol of a subtask; 0 in every other line. */
export const VERBS = ["", "mine", "sell", "inspect"];
export const [, MINE, SELL, INSPECT] = VERBS.keys();

/** What a cell holds. Iron, gold and wood are also the nouns of subtasks. */
export const THINGS = ["nothing", "iron", "gold", "wood", "merchants", "water", "wall"];
export const [NOTHING, IRON, GOLD, WOOD, MERCHANT, WATER, WALL] = THINGS.keys();
export const RESOURCES = [IRON, GOLD, WOOD];
export const COUNTED = [...RESOURCES, MERCHANT];

/** All twelve ordered pairs: more A than B. The third symbol of an `if` or `while` is `FIRST_CONDITION` and its place. */
export const FIRST_CONDITION = 4;
export const CONDITIONS = COUNTED.flatMap((more) => COUNTED.filter((than) => than !== more).map((than) => [more, than]));

/** [row, column] change of the primitives 0 to 7. */
export const MOVES = [[-1, 0], [-1, 1], [0, 1], [1, 1], [1, 0], [1, -1], [0, -1], [-1, -1]];
export const PRIMITIVES = [
  "moves north", "moves north-east", "moves east", "moves south-east", "moves south", "moves south-west", "moves west",
  "moves north-west", "stays", "mines", "sells", "inspects",
];
export const STAYS = 8, MINES = 9, SELLS = 10, INSPECTS = 11;

/** Commands: three verbs times three nouns. */
export const COMMANDS = VERBS.slice(1).flatMap((verb) => RESOURCES.map((noun) => `${verb} ${THINGS[noun]}`));

export const SIZE = 6;
/** One letter a cell, as maps are drawn; the worker's is its own. */
export const LETTERS = ".igwm~#", WORKER = "@";
