// The page as a whole: its head, the sheets, and going from step to step.

const SHEETS = [
  ["findings", () => `Findings ${audit.findings.length}`, findingsSheet, audit.audited],
  ["notes", () => `Notes ${audit.notes.length}`, () => [notesList()], !audit.audited && audit.notes.length > 0],
  ["story", () => "Story", storySheet, true],
  ["battles", () => `Battles ${audit.battles.length}`, battlesSheet, audit.audited],
  ["supply", () => "Supply", supplySheet, audit.supply.length > 0],
  ["losses", () => "Losses", lossesSheet, true],
  ["dice", () => "Dice", diceSheet, true],
  ["logs", () => `Logs${audit.unusual.length ? ` ${audit.unusual.length}` : ""}`, logsSheet, true],
  ["chat", () => "Chat", chatSheet, true],
  ["keys", () => "Keys", keysSheet, true],
].filter(([, , , there]) => there);

let sheet = SHEETS[0][0];

function buildHead() {
  const players = audit.players.map((one) => (one.side ? `${one.name} (${sideTitle(one.side)})` : one.name));
  // That there is no finding of a grade is only said if none is withheld.
  const counts = Object.keys(GRADES)
    .filter((grade) => audit.summary[grade] || !audit.withheld)
    .map((grade) => el("li", {}, badge(grade), " ", el("b", {}, audit.summary[grade])));
  if (audit.withheld) counts.push(el("li", {}, "withheld ", el("b", {}, audit.withheld)));
  show(
    byId("top"),
    el(
      "div",
      {},
      audit.audited && audit.judged.warning && el("p", { class: "notice" }, audit.judged.warning),
      el("h1", {}, audit.title),
      el(
        "p",
        {},
        [audit.scenario_title, audit.logs.map((log) => log.name).join(", "), players.join(" and ")]
          .filter(Boolean)
          .join(" · "),
      ),
      audit.audited && el("p", { class: "judged" }, audit.judged.says),
    ),
    audit.audited && el("ul", { class: "counts", "aria-label": "Number of findings" }, counts),
  );
  show(
    byId("foot"),
    el(
      "p",
      {},
      audit.audited
        ? "Illegal: the log proves it. Unproven: the log does not settle it. Slip: bookkeeping only. Findings that rely on reconstructed data say so."
        : "A replay of the log, without an audit.",
    ),
  );
  Object.keys(audit.sides).forEach((side, place) => {
    if (table.colours[side])
      document.documentElement.style.setProperty(`--side-${place}`, table.colours[side]);
  });
}

function buildTabs() {
  show(
    byId("tabs"),
    SHEETS.map(([id, title]) =>
      el(
        "button",
        {
          type: "button",
          role: "tab",
          id: `tab-${id}`,
          "aria-controls": "sheet",
          onclick: () => openSheet(id),
          onkeydown: turnTabs,
        },
        title(),
      ),
    ),
  );
}

function turnTabs(event) {
  const next = tabBeside(SHEETS.map(([id]) => id), sheet, event);
  if (!next) return;
  openSheet(next);
  byId(`tab-${next}`).focus();
}

function openSheet(id) {
  sheet = id;
  selectTab(id);
  show(byId("sheet"), SHEETS.find(([name]) => name === id)[2]());
  byId("sheet").scrollTop = 0;
  if (id === "findings") showCards();
}

// The board, the words below it and the sheets that follow the game.
function render() {
  showWhere();
  showNow();
  showBoard(current.at, current.chosen);
  for (const mark of byId("marks").children)
    mark.classList.toggle(
      "here",
      current.chosen
        ? mark.dataset.id === current.chosen.id
        : mark.getAttribute("href") === `#step-${current.at}`,
    );
  if (sheet === "supply") openSheet("supply");
  lookAt(current.at);
  markCards();
}

function go(at) {
  const bounded = Math.min(last, Math.max(0, at));
  if (current.chosen && current.chosen.at !== bounded) current.chosen = null;
  current.at = bounded;
  addressSoon();
  render();
  const here = document.querySelector(".card.here");
  if (here) reveal(here);
}

// The link of a finding leads to its step, and of several findings there to this one. It goes at once: until
// the address has changed, addressSoon() may still set that of the step before, which follow() would go back to.
function choose(finding) {
  current.chosen = finding;
  go(finding.at);
}

// The address follows when the slider rests: browsers refuse too many changes of it.
let waiting = 0;
function addressSoon() {
  clearTimeout(waiting);
  waiting = setTimeout(() => history.replaceState(null, "", `#step-${current.at}`), 200);
}

// Scroll the list of findings, and nothing else, to a card.
function reveal(node) {
  const box = byId("sheet");
  if (box.scrollHeight <= box.clientHeight + 1) return;
  const [outer, inner] = [box.getBoundingClientRect(), node.getBoundingClientRect()];
  if (inner.top < outer.top || inner.bottom > outer.bottom) box.scrollTop += inner.top - outer.top - 8;
}

function follow() {
  const found = location.hash.match(/^#step-(\d+)$/);
  if (found) go(Number(found[1]));
  if (found && byId("play").getBoundingClientRect().bottom < 160) byId("play").scrollIntoView();
  return Boolean(found);
}

function begin() {
  buildHead();
  buildTabs();
  buildBoard();
  buildControls();
  show(
    byId("trays"),
    el("div", { id: "peek", hidden: true, "aria-live": "polite" }),
    el(
      "details",
      { open: window.matchMedia("(min-width: 60em)").matches },
      el("summary", {}, "Boxes"),
      el("div", { id: "boxes" }),
    ),
    el("details", {}, el("summary", {}, "List of all counters"), el("div", { id: "list" })),
  );
  openSheet(sheet);
  showMarks();
  window.addEventListener("hashchange", follow);
  window.addEventListener("resize", () => spread([...byId("marks").children]));
  if (!follow()) go(0);
  zoomToRead();
}

begin();
