"use strict";

// Elements of the page. Text is always set as text, never as markup: chat and names may hold anything.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked") node[name] = value;
    else node.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat(3)) {
    if (child === null || child === undefined || child === false || child === "") continue;
    node.append(child instanceof Node ? child : String(child));
  }
  return node;
}

const el = (name, attributes, ...children) => fill(document.createElement(name), attributes, children);
const draw = (name, attributes, ...children) =>
  fill(document.createElementNS(SVG, name), attributes, children);
const byId = (id) => document.getElementById(id);
const count = (number, one, many) => `${number.toLocaleString("en")} ${number === 1 ? one : many || one + "s"}`;
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

function show(parent, ...children) {
  parent.replaceChildren(
    ...children.flat(3).filter((child) => child !== null && child !== undefined && child !== false),
  );
}

function link(at, ...children) {
  return el("a", { href: `#step-${at}` }, ...children);
}

// Show which tab of the sheet is open.
function selectTab(id) {
  for (const tab of byId("tabs").children) {
    const chosen = tab.id === `tab-${id}`;
    tab.setAttribute("aria-selected", chosen);
    tab.tabIndex = chosen ? 0 : -1;
  }
  byId("sheet").setAttribute("aria-labelledby", `tab-${id}`);
}

// The tab to which an arrow key leads from the open one; undefined for other keys.
function tabBeside(ids, open, event) {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!step) return undefined;
  event.preventDefault();
  return ids[(ids.indexOf(open) + step + ids.length) % ids.length];
}
