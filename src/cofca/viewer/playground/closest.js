// The known word that somebody may have meant. As Python's difflib.get_close_matches with one answer.

const CUTOFF = 0.6, LONGEST = 80;

/** @param {string} wrong @param {string[]} known @returns {string} a question; nothing where none is close */
export function guess(wrong, known) {
  const letters = [...wrong].slice(0, LONGEST);
  const scored = known.map((word) => [similarity([...word], letters), word]).filter(([score]) => score >= CUTOFF);
  if (!scored.length) return "";
  const [, best] = scored.reduce((one, other) => (other[0] > one[0] || (other[0] === one[0] && other[1] > one[1]) ? other : one));
  return ` (did you mean '${best}'?)`;
}

/** Twice the letters in common, of all letters. @param {string[]} a @param {string[]} b */
function similarity(a, b) {
  return (2 * inCommon(a, b)) / (a.length + b.length);
}

/** Letters of the longest block, and of the longest on either side of it, and so on. */
function inCommon(a, b) {
  const [i, j, size] = longestBlock(a, b);
  if (!size) return 0;
  return size + inCommon(a.slice(0, i), b.slice(0, j)) + inCommon(a.slice(i + size), b.slice(j + size));
}

/** Of blocks that are equally long, the first in a, then in b. @returns {[number, number, number]} places and size */
function longestBlock(a, b) {
  let best = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    for (let j = 0; j < b.length; j++) {
      let size = 0;
      while (i + size < a.length && j + size < b.length && a[i + size] === b[j + size]) size++;
      if (size > best[2]) best = [i, j, size];
    }
  }
  return best;
}
