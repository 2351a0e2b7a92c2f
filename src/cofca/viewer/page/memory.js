"use strict";
// What a reload keeps, and what a link holds. Where storage is refused nothing is kept.

const KEPT = "cofca";

function recall() {
  try {
    return JSON.parse(localStorage.getItem(KEPT)) || {};
  } catch {
    return {};
  }
}

function remember(things) {
  try {
    localStorage.setItem(KEPT, JSON.stringify({ ...recall(), ...things }));
  } catch { /* a private window, or no room */ }
}

function readLink() {
  return Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
}

function writeLink(things) {
  const given = Object.entries(things).filter(([, value]) => value !== "" && value !== undefined);
  const hash = new URLSearchParams(given).toString();
  history.replaceState(null, "", hash ? `#${hash}` : location.pathname);
}
