"""What the generated pages of results say about their tables: results/CLAIMS.md and the scoreboard."""

from cofca.experiments.official import EPISODES
from cofca.paper.recovery import NOTHING
from cofca.paper.submission import OURS

VERDICTS = """# The paper's claims and their verdicts

This page is generated from the result files in the folders beside it (`cofca figures`). An agent is an architecture and
a preset: `paper` is the agent as published; `tuned` has the encoders, action heads and constants of this library. The
paper's claims are about the agents of `paper`. So *CoFCA-S (tuned)* is not the paper's CoFCA-S. Every claim is judged
on both presets, and has a table with a line for each rival or agent. The scores of all agents follow the claims.
*The authors' code* is the code that the paper's authors used.

- Success is that of sampled choices, on fixed levels that training never saw. Unless a line says otherwise, it is the
  mean over seeds and over all *new* bins, those that are not [familiar](../docs/glossary.md). Bins are named by the
  number of lines of their instructions.
- Where the paper gives no number, the threshold in a claim ("more than 0.1") is chosen by this project.
- Brackets hold 95 % intervals over seeds and levels. *Higher with probability* is the probability that one seed of the
  first agent has a higher value than one seed of the second. The value is success; on lines about setbacks it is a
  number of time steps or a share of setbacks.
- A line holds if the data favour it significantly, does not hold if they significantly favour the opposite, and is not
  clear otherwise (5 %, with Holm's correction for all lines of its claim). A star marks lines that are significant even
  after correction for all lines of this page.
- If a line is about several bins, its verdict depends on the *decisive* one.
- A claim holds if each of its lines holds, and does not hold if at least one line does not hold. If its lines have
  different verdicts, their numbers are in brackets. *Not measured*: results are missing, so lines have no entry.
- [How verdicts are reached](../docs/reproduction.md#how-claims-are-judged), and [how often they are
  wrong](../docs/claims.md#how-often-verdicts-are-wrong).

The number of claims with each verdict:
"""
SCORES = """Success on the evaluation levels, by bin, as the mean over seeds.

- **±** is the standard error: the larger of that over seeds and that over levels.
- **Rows** name each agent with its preset, and the training steps of each seed. *Ours* marks architectures of this
  project. Below the agents are players that are not trained: the [oracle](../docs/glossary.md), random choices and, in
  StarCraft, [scripted players](../docs/starcraft-rules.md#what-limited-pointers-can-do): *plus minus one*, *plus minus
  one idle*, *one pass* and *rounds*.
- **Columns** are bins, named by the number of lines of their instructions; in `minecraft-jump`, by the number of lines
  inside the block to jump over. `-depth3`: [execution goes three blocks
  deep](../docs/minecraft-rules.md#levels-whose-execution-goes-deep). `-more-iron-than-gold`: *more iron than gold* is
  the only condition, and execution goes two blocks deep.
- **Experiments** are described on the pages of [Minecraft](../docs/minecraft-results.md) and of
  [StarCraft](../docs/starcraft-results.md), and those [beyond the
  paper](../docs/result-files.md#experiments-beyond-the-paper) among the result files.
"""
SETBACKS = f"""Setbacks in bins that are not familiar: their number in all seeds, and the mean number of time steps
until the pointer is at the line to do again (*pointed at*), and until the loss is repaired (*repaired*). Each mean
includes only setbacks for which this happened; *never* is the share of the others. ± is the standard error over seeds;
for players that are not trained, over episodes. {NOTHING}: the player has no pointer, or had no setbacks.
[Definitions](../docs/starcraft-rules.md#setbacks-and-what-becomes-of-them).
"""
STANDINGS = f"""# Scoreboard

<!-- python -m cofca.paper.scoreboard results makes this page. -->

The success of agents on {EPISODES:,} levels per bin that training never saw. All agents get the same levels, except for
the few that *verified* mentions. [How to score your own policy, and how to submit](../../docs/benchmark.md).

- **not familiar**: mean success on the bins that are not [familiar](../../docs/glossary.md), with sampled choices if
  the agent samples. Agents are ranked by it. In brackets are 95 % intervals, over seeds and levels; with one seed,
  marked \\*, over levels only. If the intervals of two neighbours overlap, their order is not certain.
- **hardest**: the lowest success in a bin, and the bin. Bins are named by the number of lines of their instructions; in
  `minecraft-jump`, by the number of lines inside the block to jump over (*4-4*: four lines). `-depth3`: [execution goes
  three blocks deep](../../docs/minecraft-rules.md#levels-whose-execution-goes-deep).
- **familiar**: mean success on the familiar bins. Blank: the experiment has none.
- **preset**: the encoder, action head and constants of the agent ([presets](../../docs/training.md#presets)).
- **steps**: training steps of each seed. **parameters**: their number in one seed. **wall time**: of training all seeds
  together; with evaluations, except in submitted results. Blank: not recorded.
- **verified**: *levels*: the fingerprints of the result's levels are the official ones. *a few levels differ in …*: a
  result without fingerprints; in the bins that are named, random choices have another success than on the official
  levels ([errata](../../docs/errata.md)). *weights*: the weights are in the package. *replayed*: the person who added
  the result has evaluated the policy again. Blank: nothing is verified.
- **by**: who submitted the result. *{OURS}*: measured by this project, not submitted.
- A submitted result is checked ([how](../../docs/benchmark.md#what-is-checked)): its levels must be the official ones,
  its means must follow from the success of its seeds, and its values for the oracle and for random choices must be the
  official ones (within 0.01 with the learned worker).
- In Minecraft a [worker](../../docs/glossary.md) carries out the commands: the exact planner or the learned one. Each
  kind of worker has its own table.
"""
