// Programs to begin with: one for each kind of control flow, and some that are nested.

/** @type {[string, string][]} */
export const EXAMPLES = [
  ["the paper's figure", `while more iron than gold
    mine iron
endwhile
if more merchants than iron
    inspect iron
    sell gold
else
    mine wood
endif`],
  ["one after another", `mine wood
inspect iron
sell gold
mine iron`],
  ["if and else", `if more gold than iron
    mine gold
    sell gold
else
    mine iron
endif
inspect wood`],
  ["a loop", `while more wood than gold
    mine wood
endwhile
inspect gold`],
  ["a loop in a loop", `while more iron than merchants
    mine iron
    while more wood than iron
        sell wood
    endwhile
endwhile
inspect gold`],
  ["three deep", `if more iron than wood
    mine iron
    while more gold than wood
        if more gold than merchants
            sell gold
        else
            mine gold
        endif
    endwhile
    inspect wood
endif
mine wood`],
];
