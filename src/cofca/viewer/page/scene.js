"use strict";
// What is drawn beside or over the map: the worker's way in Minecraft, the build tree in StarCraft.

/** The map with the way of whoever walks on it. */
class Scene {
  constructor(record) {
    this.record = record;
    this.image = make("img", { alt: "" });
    this.way = document.createElementNS(SVG, "svg");
    this.way.setAttribute("class", "way");
    this.way.setAttribute("viewBox", "0 0 100 100");
    this.way.setAttribute("aria-hidden", "true");
    this.root = make("div", { class: "scene" }, this.image, this.way);
  }

  show(time) {
    const frame = this.record.frames[time];
    this.image.src = this.record.pictures[frame.picture];
    this.image.alt = `The map at step ${frame.time}`;
    if (frame.place) this.way.replaceChildren(...paths(...leg(this.record.frames, time)));
  }
}

/** The places since the worker last stood still, and those until it will. */
function leg(frames, time) {
  const moves = (at) => frames[at - 1] && frames[at] && String(frames[at - 1].place) !== String(frames[at].place);
  let from = time, to = time;
  while (moves(from)) from -= 1;
  while (moves(to + 1)) to += 1;
  const places = (some) => some.map((frame) => frame.place.map((share) => 100 * share));
  return [places(frames.slice(from, time + 1)), places(frames.slice(time, to + 1))];
}

function paths(walked, ahead) {
  const line = (places, kind) => {
    const node = document.createElementNS(SVG, "polyline");
    node.setAttribute("points", places.join(" "));
    node.setAttribute("class", kind);
    return node;
  };
  const goal = document.createElementNS(SVG, "circle"), [x, y] = ahead.at(-1);
  for (const [name, value] of Object.entries({ cx: x, cy: y, r: 2.2, class: "goal" })) goal.setAttribute(name, value);
  return [
    ...(walked.length > 1 ? [line(walked, "walked")] : []),
    ...(ahead.length > 1 ? [line(ahead, "edge"), line(ahead, "ahead"), goal] : []),
  ];
}

/** The build tree: what stands or is covered stands out. */
class Tree {
  constructor({ standings, icons }) {
    this.standings = standings;
    this.rows = standings[0].tree.map(([name, depth]) => this.row(name, depth, icons));
    this.root = make("div", { class: "tree", tabindex: 0, role: "region", "aria-label": "Build tree" },
      make("h3", {}, "build tree"), make("ul", {}, ...this.rows.map(({ node }) => node)));
  }

  row(name, depth, icons) {
    const count = make("span", { class: "count" });
    const picture = icons && icons[name] ? [make("img", { class: "emblem", src: icons[name], alt: "" })] : [];
    const node = make("li", {}, ...picture, make("span", {}, name), count);
    node.style.marginLeft = `${14 * Math.min(depth, 8)}px`;
    return { node, count };
  }

  show({ standing }) {
    this.standings[standing].tree.forEach(([, , count, enough], at) => {
      this.rows[at].node.classList.toggle("enough", enough);
      this.rows[at].count.textContent = count || (enough ? "stands" : "");
    });
  }
}
