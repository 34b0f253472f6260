// The controls under the board: slider, buttons, and the row of phases with the marks of the findings.

const current = { at: 0, chosen: null };
const MARK = 19; // pixels of a mark's side, as in the style
const TICK = 9; // and of a tick's height

// The first entries of the stretches of entries that share something: a phase, a turn.
function stretches(key) {
  const found = [];
  steps.forEach((step, at) => {
    if (!at || key(step) !== key(steps[at - 1])) found.push(at);
  });
  return found;
}

const phases = stretches((step) => step.moment);
const turns = stretches((step) => step.turn);

const after = (starts, at) => starts.find((start) => start > at) ?? last;
const before = (starts, at) => starts.filter((start) => start < at).pop() ?? 0;

const BUTTONS = [
  ["⇤", "Previous turn", "[", () => before(turns, current.at)],
  ["«", "Previous phase", "PageUp", () => before(phases, current.at)],
  ["‹", "Previous step", "ArrowLeft", () => Math.max(0, current.at - 1)],
  ["›", "Next step", "ArrowRight", () => Math.min(last, current.at + 1)],
  ["»", "Next phase", "PageDown", () => after(phases, current.at)],
  ["⇥", "Next turn", "]", () => after(turns, current.at)],
];

const KEYS = {
  Home: () => 0,
  End: () => last,
  n: () => nextFinding(1),
  p: () => nextFinding(-1),
  ...Object.fromEntries(BUTTONS.map(([, , key, where]) => [key, where])),
};

function nextFinding(way) {
  const places = shownFindings().map((one) => one.at);
  const found = way > 0 ? places.find((at) => at > current.at) : places.filter((at) => at < current.at).pop();
  return found ?? current.at;
}

const percent = (at) => `${last ? (at / last) * 100 : 0}%`;

function buildControls() {
  const slider = el("input", {
    type: "range",
    id: "slider",
    min: 0,
    max: last,
    step: 1,
    value: 0,
    "aria-label": "Step of the game",
    oninput: () => go(Number(slider.value)),
  });
  const buttons = BUTTONS.map(([sign, title, key, where]) =>
    el(
      "button",
      { type: "button", title: `${title} (key ${key})`, "aria-label": title, onclick: () => go(where()) },
      sign,
    ),
  );
  show(
    byId("controls"),
    el(
      "div",
      { class: "row" },
      el("div", { class: "buttons" }, buttons),
      el("div", { id: "where" }),
      el("div", { class: "tools" }, tools()),
    ),
    el(
      "div",
      { id: "timeline" },
      el("div", { id: "marks" }),
      el("div", { id: "bands", "aria-hidden": "true" }),
      slider,
    ),
  );
  byId("controls").classList.toggle("still", !last);
  document.addEventListener("keydown", (event) => {
    const typing = event.target.matches("input:not(#slider), select, textarea, [role=tab]");
    const scrolling =
      (event.key.startsWith("Page") && event.target.closest("#sheet, #scroller")) ||
      (event.key.startsWith("Arrow") && event.target.id === "scroller" && board.zoom > 1);
    if (
      typing ||
      scrolling ||
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      !Object.hasOwn(KEYS, event.key)
    )
      return;
    event.preventDefault();
    go(KEYS[event.key]());
  });
  showBands();
}

function tools() {
  const toggle = (text, name, title) =>
    el(
      "label",
      { title },
      el("input", {
        type: "checkbox",
        checked: board[name],
        onchange: (event) => {
          board[name] = event.target.checked;
          render();
        },
      }),
      ` ${text}`,
    );
  return [
    audit.findings.some((one) => one.legal.length) &&
      toggle("legal moves", "showsLegal", "Show where the unit of a finding could have gone"),
    audit.supply.length > 0 && toggle("supply", "showsSupply", "Mark the units that are out of supply"),
    el(
      "button",
      { type: "button", "aria-label": "Zoom in", title: "Zoom in", onclick: () => zoom(1.5) },
      "+",
    ),
    el(
      "button",
      { type: "button", "aria-label": "Show the whole board", title: "Show the whole board", onclick: () => zoom(0) },
      "◻",
    ),
  ];
}

function showBands() {
  const bands = phases.map((at, number) => {
    const step = steps[at];
    const until = phases[number + 1] ?? last + 1;
    const band = el("span", { class: "band" });
    band.style.left = percent(at);
    band.style.width = last ? `${((Math.min(until, last) - at) / last) * 100}%` : "100%";
    if (step.active) band.style.background = `var(--side-${Object.keys(audit.sides).indexOf(step.active)})`;
    return band;
  });
  const room = Math.ceil(turns.length / 24);
  const numbers = turns
    .filter((_, place) => place % room === 0)
    .map((at) => {
      const number = el("span", { class: "turn" }, steps[at].turn);
      number.style.left = percent(at);
      return number;
    });
  show(byId("bands"), bands, numbers);
}

// Marks that would overlap are put into rows below one another. Where even that is too close they become
// ticks, in a row for each grade.
function spread(marks) {
  const wide = byId("marks").clientWidth || 800;
  const dense = marks.length * MARK > wide * 1.5;
  byId("marks").classList.toggle("dense", dense);
  if (dense) {
    for (const mark of marks) mark.style.top = "";
    byId("timeline").style.setProperty("--marks", `${3 * TICK}px`);
    return;
  }
  const ends = [-Infinity, -Infinity, -Infinity];
  for (const mark of marks) {
    const x = (Number(mark.dataset.at) / Math.max(1, last)) * wide;
    const free = ends.findIndex((end) => x - end >= MARK);
    const row = free < 0 ? ends.indexOf(Math.min(...ends)) : free;
    ends[row] = x;
    mark.style.top = `${row * (MARK + 1)}px`;
  }
  const rows = ends.filter((end) => end > -Infinity).length;
  byId("timeline").style.setProperty("--marks", `${rows * (MARK + 1)}px`);
}

function showMarks() {
  show(
    byId("marks"),
    shownFindings().map((finding) => {
      const mark = el(
        "a",
        {
          href: `#step-${finding.at}`,
          tabindex: -1,
          class: `mark ${finding.grade}`,
          "data-id": finding.id,
          "data-at": finding.at,
          title: `${stepName(finding.at)}: ${finding.grade} ${finding.clause}, ${sentence(named(finding.says))}`,
          "aria-label": `${stepName(finding.at)}, ${finding.grade} ${finding.clause}`,
          onclick: () => choose(finding),
        },
        el("span", {}, GRADES[finding.grade].sign),
      );
      mark.style.left = percent(finding.at);
      return mark;
    }),
  );
  spread([...byId("marks").children]);
}

function showWhere() {
  const step = steps[current.at];
  const slider = byId("slider");
  const log = audit.logs.find((one) => one.first <= current.at && current.at <= one.first + one.steps);
  const text = last
    ? `${step.step ? `Step ${step.step}` : "Start"} of ${log.steps}${several ? `, ${log.name}` : ""}`
    : "The position";
  slider.value = current.at;
  slider.setAttribute("aria-valuetext", `${text}, ${step.moment}`);
  show(
    byId("where"),
    el("strong", {}, text),
    el("span", {}, ` ${capital(step.moment)}`),
    step.player && el("span", { class: "who" }, ` ${step.player}`),
  );
}

// What happened in an entry, in words.
function happened(step) {
  const lines = [];
  if (step.undoes !== undefined) lines.push(["Undoes ", link(step.undoes, stepName(step.undoes)), "."]);
  if (step.undone_by !== undefined)
    lines.push(["Undone by ", link(step.undone_by, stepName(step.undone_by)), "."]);
  for (const [path, ids] of movesOf(step)) lines.push(`${ids.map(nameOf).join(", ")}: ${path}`);
  const said = (step.says || []).join(" ");
  for (const roll of step.rolls || []) {
    if (!said.includes(roll.title) && !said.includes("die "))
      lines.push(`${roll.title}: ${roll.faces.join(" + ")}`);
  }
  return [...lines, ...(step.says || [])];
}

function movesOf(step) {
  const paths = new Map();
  for (const move of step.moves || []) {
    const path = `${placeName(move.from)} → ${placeName(move.to)}`;
    paths.set(path, [...(paths.get(path) || []), move.counter]);
  }
  return paths;
}

function showNow() {
  const step = steps[current.at];
  const lines = happened(step);
  if (!step.step) lines.unshift(last ? `${step.log} begins.` : `The position of ${step.log}.`);
  const begins =
    phases.includes(current.at) && current.at > 0 && step.moment !== steps[current.at - 1].moment;
  if (begins) lines.unshift(`Now: ${step.moment}.`);
  const talk = (step.chat || []).map((one) =>
    el("p", { class: "chat" }, el("b", {}, one.who), " ", el("q", {}, one.text)),
  );
  const findings = findingsAt(current.at).map((finding) =>
    el(
      "p",
      { class: "finding-line" },
      badge(finding.grade),
      " ",
      el("b", {}, finding.clause),
      ` ${sentence(named(finding.says))}`,
    ),
  );
  show(
    byId("now"),
    findings,
    lines.length
      ? el(
          "ul",
          {},
          lines.map((line) => el("li", {}, line)),
        )
      : !talk.length && !findings.length && el("p", { class: "quiet" }, "No change on the board."),
    talk,
  );
}
