// Programs to begin with: one for each kind of control flow, and some that are nested.

/** @type {{title: string, map: string, instruction: string}[]} */
export const EXAMPLES = [
  { title: "the paper's figure", map: "~~~~~~ iwmm.i mm#.gi iim.i@ iiim#. mi.mmw", instruction: `while more iron than gold
    mine iron
endwhile
if more merchants than iron
    inspect iron
    sell gold
else
    mine wood
endif` },
  { title: "one after another", map: "#.#.m~ .....~ #ggii~ i....~ #@#.#~ w....~", instruction: `mine wood
inspect iron
sell gold
mine iron` },
  { title: "if and else", map: "~g#m#i ~g.gig ~w#g#. ~..g@. ~g#ggg ~....w", instruction: `if more gold than iron
    mine gold
    sell gold
else
    mine iron
endif
inspect wood` },
  { title: "a loop", map: "#w#.m. @.mw.. #i#.#. ~~~~~~ #.#.#. g.w...", instruction: `while more wood than gold
    mine wood
endwhile
inspect gold` },
  { title: "a loop in a loop", map: "w.#i#. wigiw. #g#.#@ ~~~~~~ #.mg#. ......", instruction: `while more iron than merchants
    mine iron
    while more wood than iron
        sell wood
    endwhile
endwhile
inspect gold` },
  { title: "three deep", map: "#.i.#g ...... iwig#g ....m. #@mi#. ~~~~~~", instruction: `if more iron than wood
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
mine wood` },
];
