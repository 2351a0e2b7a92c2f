// The map of a state as a picture, from tiles that were exported. As envs/minecraft/render/picture.py.

import { SIZE } from "./symbols.js";

/** Tiles: of each thing, alone and with the worker on it. @typedef {[HTMLImageElement, HTMLImageElement][]} Tiles */

/** @param {[string, string][]} addresses @returns {Promise<Tiles>} */
export function loadTiles(addresses) {
  const load = (address) => {
    const image = Object.assign(new Image(), { src: address });
    return image.decode().then(() => image);
  };
  return Promise.all(addresses.map((pair) => Promise.all(pair.map(load))));
}

/** @param {Tiles} tiles @returns {(world: import("./world.js").World) => string} from a world to its picture's address */
export function painter(tiles) {
  const side = tiles[0][0].width;
  const canvas = Object.assign(document.createElement("canvas"), { width: side * SIZE, height: side * SIZE });
  const brush = canvas.getContext("2d");
  return ({ cells, worker }) => {
    cells.forEach((thing, at) => {
      brush.drawImage(tiles[thing][Number(at === worker)], (at % SIZE) * side, Math.floor(at / SIZE) * side);
    });
    return canvas.toDataURL();
  };
}
