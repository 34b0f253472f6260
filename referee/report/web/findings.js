// The findings: filters, and a card for each finding.

const filters = { player: "", turn: "", grades: new Set(Object.keys(GRADES)) };

const playerOf = (finding) => finding.player || sideTitle(finding.side) || "unknown";

function shownFindings() {
  return audit.findings.filter(
    (one) =>
      (!filters.player || playerOf(one) === filters.player) &&
      (!filters.turn || String(one.turn) === filters.turn) &&
      filters.grades.has(one.grade),
  );
}

function choice(label, name, values, title) {
  return el(
    "label",
    {},
    `${label} `,
    el(
      "select",
      {
        onchange: (event) => {
          filters[name] = event.target.value;
          refilter();
        },
      },
      el("option", { value: "" }, "all"),
      values.map((value) =>
        el("option", { value, selected: String(value) === filters[name] }, title ? title(value) : value),
      ),
    ),
  );
}

function buildFilters() {
  const players = [...new Set(audit.findings.map(playerOf))].sort();
  const numbers = [...new Set(audit.findings.map((one) => one.turn))].sort((one, other) => one - other);
  const grades = Object.entries(GRADES).map(([grade, { about }]) =>
    el(
      "label",
      { title: about },
      el("input", {
        type: "checkbox",
        checked: filters.grades.has(grade),
        onchange: (event) => {
          if (event.target.checked) filters.grades.add(grade);
          else filters.grades.delete(grade);
          refilter();
        },
      }),
      " ",
      badge(grade),
    ),
  );
  return el(
    "form",
    {
      class: "filters",
      "aria-label": "Filter the findings",
      onsubmit: (event) => event.preventDefault(),
    },
    choice("Player", "player", players),
    choice("Turn", "turn", numbers),
    el("span", { class: "grades" }, grades),
  );
}

function refilter() {
  showMarks();
  showCards();
}

function findingsSheet() {
  if (!audit.audited) return [el("p", {}, "This game was not audited.")];
  return [
    audit.withheld > 0 &&
      el(
        "p",
        { class: "notice" },
        `${count(audit.withheld, "finding")} about hidden units ${audit.withheld === 1 ? "is" : "are"} withheld until the game is over.`,
      ),
    unjudgedList(),
    audit.findings.length
      ? buildFilters()
      : nothingFound(),
    el("div", { id: "cards" }),
    notesList(),
    unreadList(),
  ];
}

function nothingFound() {
  if (audit.withheld) return el("p", {}, "There are no other findings.");
  if (audit.judged.warning || audit.unjudged.length) return el("p", {}, "No findings in what was judged.");
  return el("p", { class: "clean" }, "No rule was broken.");
}

// What players and umpire say, taken as fact, and the findings that rest on it.
function notesList() {
  if (!audit.notes.length) return null;
  const resting = (title, found) =>
    found.map((one) =>
      el("p", {}, `${title}: `, badge(one.grade), ` ${one.clause} ${sentence(named(one.says))}`),
    );
  return el(
    "section",
    { class: "notes" },
    el("h2", {}, audit.audited ? "Taken as fact" : "What players and umpire say"),
    el(
      "ul",
      {},
      audit.notes.map((note) =>
        el(
          "li",
          {},
          note.at === null ? capital(note.where) : link(note.at, capital(note.where)),
          `: ${note.says} (${note.by})`,
          resting("Reported as agreed", note.agreed),
          resting("Not found because of it", note.gone),
          resting("Found because of it", note.new),
        ),
      ),
    ),
  );
}

function showCards() {
  const cards = byId("cards");
  if (!cards) return;
  const shown = shownFindings();
  show(
    cards,
    shown.map(card),
    shown.length || !audit.findings.length ? null : el("p", {}, "No findings match these filters."),
  );
  markCards();
}

function markCards() {
  for (const node of document.querySelectorAll(".card")) {
    const here =
      Number(node.dataset.at) === current.at && (!current.chosen || current.chosen.id === node.dataset.id);
    node.classList.toggle("here", here);
    if (here) node.setAttribute("aria-current", "step");
    else node.removeAttribute("aria-current");
  }
}

function card(finding) {
  return el(
    "article",
    {
      class: `card ${finding.grade}`,
      "data-at": finding.at,
      "data-id": finding.id,
      "aria-label": `${finding.grade} ${finding.clause}`,
    },
    el(
      "header",
      {},
      badge(finding.grade),
      el(
        "a",
        { class: "to", href: `#step-${finding.at}`, onclick: () => choose(finding) },
        capital(stepName(finding.at)),
      ),
    ),
    el("p", { class: "clause" }, el("b", {}, finding.clause), ` ${finding.clause_title}`),
    el("p", { class: "says" }, sentence(named(finding.says))),
    finding.agreed &&
      el("p", {}, `Agreed, says ${finding.agreed.by}; otherwise it would be ${finding.agreed.grade}.`),
    el(
      "p",
      { class: "when" },
      [capital(finding.moment), playerOf(finding), `Source: ${finding.read}`].join(" · "),
    ),
    el("blockquote", {}, finding.rule),
    facts(finding),
    pathsOf(finding),
    finding.odds && oddsTable("Odds by the rules", finding.odds),
    el(
      "p",
      { class: "source" },
      provenance(finding.provenance),
      finding.action && el("span", { class: "action" }, `Action: ${listed(finding.action)}`),
    ),
  );
}

function facts(finding) {
  if (!finding.facts_in_words.length) return null;
  return el(
    "dl",
    {},
    finding.facts_in_words.map(([name, value]) => el("div", {}, el("dt", {}, capital(name)), el("dd", {}, value))),
  );
}

function pathsOf(finding) {
  if (finding.path.length < 2 && !finding.legal.length) return null;
  const open = finding.legal.map((one) => one.hex);
  return el(
    "div",
    { class: "ways" },
    finding.path.length > 1 &&
      el(
        "p",
        {},
        el("b", {}, finding.dragged ? "Dragged: " : "Path: "),
        finding.path.map(placeName).join(" → "),
      ),
    open.length > 0 &&
      el(
        "details",
        {},
        el(
          "summary",
          {},
          `${count(open.length, "legal destination")}`,
        ),
        el(
          "ul",
          {},
          finding.legal.map((one) => el("li", {}, one.path.join(" → "))),
        ),
      ),
  );
}

function provenance(text) {
  const kind = ["printed", "rulebook", "reconstruction"].find((word) => text.startsWith(word)) || "rulebook";
  const signs = { printed: "■", rulebook: "§", reconstruction: "≈" };
  const about =
    kind === "reconstruction"
      ? "relies on reconstructed data, not on the printed game"
      : "relies on the rulebook or the printed game";
  return el(
    "span",
    { class: `provenance ${kind}`, title: about },
    el("span", { "aria-hidden": "true" }, `${signs[kind]} `),
    "Data: ",
    text,
  );
}

function oddsTable(title, odds) {
  const rows = odds.lines.map((line) => {
    const part = line.startsWith(" ");
    const [, text, clause] = line.trim().match(/^(.*?)(?: \[([^\]]+)\])?$/);
    return el("tr", { class: part ? "part" : "sum" }, el("td", {}, named(text)), el("td", {}, clause || ""));
  });
  return el(
    "details",
    { class: "odds" },
    el("summary", {}, `${title}: `, el("b", {}, odds.column)),
    el("table", {}, el("tbody", {}, rows)),
  );
}

function unjudgedList() {
  if (!audit.unjudged.length) return null;
  const texts = audit.unjudged.map((one) => [listed(one.action), one.error].filter(Boolean).join(": "));
  return el(
    "details",
    { class: "notice", open: "" },
    el("summary", {}, `Could not be judged, internal errors: ${audit.unjudged.length}`),
    el(
      "ul",
      {},
      audit.unjudged.map((one, place) =>
        el("li", {}, link(one.at, capital(stepName(one.at))), texts[place] && `: ${texts[place]}`),
      ),
    ),
  );
}

function unreadList() {
  if (!audit.unread.length) return null;
  return el(
    "details",
    { class: "unread" },
    el("summary", {}, `Notes: ${audit.unread.length}`),
    el(
      "ul",
      {},
      audit.unread.map((one) => el("li", {}, link(one.at, capital(stepName(one.at))), `: ${sentence(named(one.text))}`)),
    ),
  );
}
