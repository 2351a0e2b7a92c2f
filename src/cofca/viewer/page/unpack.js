"use strict";
// Recorded episodes as they are stored: pictures are numbers of tiles, and the tiles lie below each other on one sheet.

async function unpack(record) {
  if (!record.sheet) return record;
  const sheet = Object.assign(new Image(), { src: record.sheet });
  await sheet.decode();
  const [width, height] = record.size, side = sheet.width, across = Math.ceil(width / side);
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  const brush = canvas.getContext("2d");
  const pictures = record.pictures.map((tiles) => {
    tiles.forEach((tile, at) => {
      brush.drawImage(sheet, 0, tile * side, side, side, (at % across) * side, Math.floor(at / across) * side, side, side);
    });
    return canvas.toDataURL();
  });
  return { ...record, pictures };
}
