// The data of the page: the audit, the pictures, and the position after any entry.

const audit = JSON.parse(byId("audit").textContent);
const table = JSON.parse(byId("table").textContent);
const steps = audit.steps;
const last = steps.length - 1;
const several = audit.logs.length > 1;

const GRADES = {
  illegal: { sign: "✕", word: "illegal", about: "the log proves it" },
  unproven: {
    sign: "?",
    word: "unproven",
    about: "the log does not settle it, or it depends on how an open rules question is answered",
  },
  slip: { sign: "~", word: "slip", about: "bookkeeping only" },
  agreed: { sign: "=", word: "agreed", about: "the players agreed on it" },
};
if (!audit.summary.agreed) delete GRADES.agreed;

const isHex = (place) => Object.hasOwn(table.hexes, place);
const isCounter = (id) => Object.hasOwn(audit.counters, id);
const nameOf = (id) => (isCounter(id) ? audit.counters[id].name : id);
const sideTitle = (side) => audit.sides[side] || "";

function placeName(place) {
  if (place === "") return "off the map";
  if (place === "?") return "elsewhere";
  return audit.places[place] || place;
}

function stepName(at) {
  const step = steps[at];
  return (step.step ? `step ${step.step}` : "start") + (several ? ` of ${step.log}` : "");
}

// Ids of counters in a sentence become their names.
const named = (text) => text.replace(/[\w-]+/g, nameOf);
// An action with names in place of ids, those of several counters as a list.
function listed(action) {
  const words = [];
  for (const word of action.split(" ")) {
    const last = words.at(-1);
    if (last?.ids && isCounter(word)) last.ids.push(nameOf(word));
    else words.push(isCounter(word) ? { ids: [nameOf(word)] } : word);
  }
  const all = (names) => [names.slice(0, -1).join(", "), ...names.slice(-1)].filter(Boolean).join(" and ");
  return words.map((word) => (word.ids ? all(word.ids) : word)).join(" ");
}
// A text as a sentence: with a capital letter, and one full stop.
const sentence = (text) => capital(/[.!?]$/.test(text) ? text : `${text}.`);

// The position after an entry: counters in the order in which they came to their places.
function tableAt(at) {
  const lying = new Map();
  let covered = {};
  for (let place = 0; place <= at; place += 1) {
    const step = steps[place];
    for (const [id, now] of Object.entries(step.changes || {})) {
      const before = lying.get(id);
      if (!before || before.place !== now.place) lying.delete(id);
      lying.set(id, now);
    }
    if (step.face_down) covered = step.face_down;
  }
  return { lying, covered };
}

function supplyAt(at) {
  let short = {};
  for (const one of audit.supply) {
    if (one.at > at) break;
    short = one.short;
  }
  return short;
}

const findingsAt = (at) => audit.findings.filter((one) => one.at === at);

function badge(grade) {
  return el(
    "span",
    { class: `grade ${grade}` },
    el("span", { class: "sign", "aria-hidden": "true" }, GRADES[grade].sign),
    " ",
    GRADES[grade].word,
  );
}

function faceOf(id, standing) {
  const faces = table.faces[id] || {};
  const most = Math.max(...Object.keys(faces).map(Number));
  return faces[standing && standing.steps ? String(standing.steps) : most] || faces[most];
}

function describe(id, standing, short) {
  const states = Object.entries((standing && standing.states) || {}).map(([state, level]) =>
    level > 1 ? `${audit.states[state]} ${level}` : audit.states[state],
  );
  if (standing && standing.steps && Object.keys(table.faces[id] || {}).length > 1)
    states.push(count(standing.steps, "step") + " left");
  if (short && short[id]) states.push(short[id]);
  return nameOf(id) + (states.length ? ` (${states.join(", ")})` : "");
}
