// The overview of an archive: tables that are sorted, filtered and searched in the page.

const archive = JSON.parse(byId("archive").textContent);
const AT_ONCE = 100;
const NUMBER = new Intl.NumberFormat("en");
const plain = (value) => (value === null || value === undefined ? "" : value);
const figure = (value) => (typeof value === "number" ? NUMBER.format(value) : plain(value));
const graded = (grade) => (row) =>
  row[grade] ? el("b", { class: grade }, figure(row[grade])) : el("span", { class: "zero" }, figure(row[grade]));
const gameLink = (row) => {
  const known = archive.pages[row.number];
  return known ? el("a", { href: known }, row.title) : row.title;
};

function playersOf(row) {
  return row.players
    .map((one) => (one.side && one.side !== "both sides" ? `${one.name} (${one.side})` : one.name))
    .join(", ");
}

function gameTitle(row) {
  const notes = [
    row.branch_of && `branch of game ${row.branch_of}`,
    row.moved_between && `${count(row.moved_between, "counter")} moved between logs`,
    row.status && `not judged: ${row.status}`,
    row.withheld && `${count(row.withheld, "finding")} withheld until the game is over`,
  ].filter(Boolean);
  return [
    el("span", { class: "title" }, gameLink(row)),
    el("span", { class: "sub" }, [row.game, row.scenario].filter(Boolean).join(" · ")),
    notes.map((note) => el("span", { class: "sub" }, note)),
  ];
}

const rate = (row) =>
  row.per_hundred === null
    ? ""
    : [
        el("span", {}, row.per_hundred),
        row.between && el("span", { class: "sub" }, `likely ${row.between[0]}–${row.between[1]}`),
      ];

function faces(row) {
  const most = Math.max(...row.counts, 1);
  const box = el(
    "span",
    { class: "faces", role: "img", "aria-label": row.counts.map((n, face) => `${face + 1}: ${n}`).join(", ") },
    row.counts.map((rolled, face) => {
      const bar = el("i", { title: `${face + 1}: ${rolled}` });
      bar.style.height = `${(100 * rolled) / most}%`;
      return bar;
    }),
  );
  box.style.setProperty("--fair", `${(100 * row.rolled) / row.sides / most}%`);
  return box;
}

function wonBy(row) {
  const sides = Object.entries(row.won);
  if (!sides.length) return "";
  const bar = el("span", { class: "share", role: "img", "aria-label": "Games won" });
  const text = [];
  sides.forEach(([side, won], place) => {
    const colour = `hsl(${[212, 8, 140, 45][place % 4]} 45% 48%)`;
    const part = el("i", { title: `${side}: ${won}` });
    part.style.width = `${(100 * won) / row.finished}%`;
    part.style.background = colour;
    bar.append(part);
    const key = el("i", { class: "key" });
    key.style.background = colour;
    text.push(el("span", {}, key, `${side} ${won} (${Math.round((100 * won) / row.finished)}%) `));
  });
  return [bar, el("span", { class: "sub" }, text)];
}

function judgement(row) {
  if (row.rolled < 20) return "too few to say";
  if (row.corrected > 0.05) return "as expected by chance";
  return row.mean > row.fair_mean ? "higher than chance explains" : "lower than chance explains";
}

// Each column: its title, how a cell is shown, by what it is sorted (false: it is not), whether it is a number.
const SHEETS = {
  games: {
    title: "Games",
    columns: [
      ["No.", "number", (row) => row.number, true],
      ["Game", gameTitle, (row) => row.title.toLowerCase(), false, "broad"],
      ["Players", playersOf, (row) => playersOf(row).toLowerCase(), false, "broad"],
      ["Season", "season", (row) => row.season],
      ["Saved", "saved", (row) => row.saved, false, "day"],
      ["Logs", "logs", (row) => row.logs, true],
      ["Turn", (row) => (row.turn ? `${row.turn} of ${row.turns}` : ""), (row) => row.turn || 0, true],
      ["Won by", "winner", (row) => row.winner],
      ["Illegal", graded("illegal"), (row) => row.illegal ?? -1, true],
      ["Unproven", graded("unproven"), (row) => row.unproven ?? -1, true],
      ["Slips", graded("slip"), (row) => row.slip ?? -1, true],
      ["Judged", (row) => (row.judged === null ? "" : `${row.judged}%`), (row) => row.judged ?? -1, true],
    ],
    filters: [
      ["Game", (row) => [row.game]],
      ["Scenario", (row) => [row.scenario]],
      ["Season", (row) => [row.season]],
      ["Player", (row) => row.players.map((one) => one.name)],
    ],
    checks: [
      ["with illegal moves", (row) => row.illegal > 0],
      ["not judged", (row) => row.status],
    ],
    words: (row) =>
      `${row.number} ${row.title} ${row.game} ${row.scenario} ${row.season} ${row.winner} ${playersOf(row)}`,
    about: () =>
      archive.page_command &&
      el("p", { class: "aside" }, "To make the page of a game: ", el("code", { class: "command" }, archive.page_command)),
  },
  players: {
    title: "Players",
    columns: [
      ["Player", playerLink, (row) => row.player.toLowerCase(), false, "broad"],
      ["Games", "games", (row) => row.games, true],
      ["Actions judged", "actions", (row) => row.actions, true],
      ["Illegal", "illegal", false, true],
      ["Unproven", "unproven", false, true],
      ["Slips", "slip", false, true],
      ["Illegal per 100 actions", rate, false, true],
      ["Illegal or unproven per 100", "per_hundred_with_unproven", false, true],
    ],
    filters: [],
    words: (row) => row.player,
    about: () =>
      el(
        "p",
        { class: "aside" },
        "A record, not a ranking: it is sorted by name, by games or by actions only. Illegal is what a log proves, unproven what it does not settle; most are oversights. With few actions a rate means little: “likely” is its 95% confidence interval.",
      ),
  },
  clauses: {
    title: "Rules",
    columns: [
      ["Rule", (row) => [el("span", { class: "title" }, `${row.clause} ${row.title}`), el("span", { class: "sub" }, row.game)], (row) => row.clause, false, "broad"],
      ["Illegal", graded("illegal"), (row) => row.illegal, true],
      ["Unproven", graded("unproven"), (row) => row.unproven, true],
      ["Slips", graded("slip"), (row) => row.slip, true],
      ["Games", "games", (row) => row.games, true],
      ["of all games", (row) => (row.in_per_cent_of_games === null ? "" : `${row.in_per_cent_of_games}%`), (row) => row.in_per_cent_of_games, true],
      ["Text", "text", false, false, "broad"],
    ],
    sort: [1, -1],
    filters: [["Game", (row) => [row.game]]],
    words: (row) => `${row.clause} ${row.title} ${row.text} ${row.game}`,
  },
  dice: {
    title: "Dice",
    columns: [
      ["Player", playerLink, (row) => row.player.toLowerCase(), false, "broad"],
      ["Die", (row) => `d${row.sides}`, (row) => row.sides, true],
      ["Rolled", "rolled", (row) => row.rolled, true],
      ["Average", (row) => [`${row.mean}`, el("span", { class: "sub" }, `expected ${row.fair_mean}`)], (row) => row.mean - row.fair_mean, true],
      ["Faces", faces, false],
      ["Chance", (row) => `${(100 * row.chance).toFixed(1)}%`, (row) => row.chance, true],
      ["among all players", (row) => `${(100 * row.corrected).toFixed(1)}%`, (row) => row.corrected, true],
      ["", judgement, false],
    ],
    filters: [["Die", (row) => [`d${row.sides}`]]],
    words: (row) => row.player,
    about: () =>
      el(
        "p",
        { class: "aside" },
        "Chance: how often fair dice are as far from the expected average. One in a hundred honest players is at 1%. “Among all players” allows for that: it says how often at least one player in this table would be that far off (Holm's correction). The dashed line is the expected number of each face.",
      ),
  },
  scenarios: {
    title: "Scenarios",
    columns: [
      ["Scenario", (row) => [el("span", { class: "title" }, row.scenario), el("span", { class: "sub" }, row.game)], (row) => row.scenario.toLowerCase(), false, "broad"],
      ["Games", "games", (row) => row.games, true],
      ["Decided", "finished", (row) => row.finished, true],
      ["Won by", wonBy, false, false, "broad"],
      ["Turns of a decided game", (row) => (row.turns_played === null ? "" : `${row.turns_played} of ${row.turns}`), (row) => row.turns_played ?? -1, true],
      ["Turn reached", (row) => `${row.turn_reached} of ${row.turns}`, (row) => row.turn_reached, true],
      ["Steps of a log", "steps", (row) => row.steps, true],
    ],
    filters: [["Game", (row) => [row.game]]],
    words: (row) => `${row.scenario} ${row.game}`,
    about: () => [
      el("p", { class: "aside" }, "Turns and steps are medians. A game is decided if it came to its end, or if a victory was claimed and the rules agree."),
      archive.maps.length > 0 &&
        el("p", { class: "maps" }, "Maps of where units were, attacked and were lost: ", archive.maps.map((one) => el("a", { href: one.href }, one.title))),
    ],
  },
  changes: {
    title: "Changes",
    cards: changeCard,
    filters: [
      ["Change", (row) => [row.change]],
      ["Rule", (row) => [row.old_clause, row.new_clause]],
    ],
    words: (row) => `${row.title} ${row.old_clause} ${row.new_clause} ${row.old_text} ${row.new_text}`,
    about: () => el("p", { class: "aside" }, "Changes that the last update made to earlier verdicts."),
  },
  files: {
    title: "Files",
    columns: [
      ["File", (row) => row.file, (row) => row.file.toLowerCase(), false, "broad"],
      ["Kind", "kind", (row) => row.kind],
      ["Game", (row) => (row.number ? el("a", { href: `#games?q=${row.number}` }, row.number) : ""), (row) => row.number ?? 0, true],
      ["Module", (row) => [row.module, row.version].filter(Boolean).join(" "), (row) => row.module],
      ["Steps", "steps", (row) => row.steps ?? 0, true],
      ["", "remark", (row) => row.remark, false, "broad"],
    ],
    filters: [["Kind", (row) => [row.kind]]],
    words: (row) => `${row.file} ${row.kind} ${row.module} ${row.remark}`,
  },
};

function playerLink(row) {
  return el("a", { class: "title", href: `#games?Player=${encodeURIComponent(row.player)}` }, row.player);
}

function changeCard(row) {
  const verdict = (side) => [row[`${side}_grade`], row[`${side}_clause`]].filter(Boolean).join(" ");
  return el(
    "article",
    { class: "changed" },
    el("p", {}, el("b", {}, capital(row.change)), " · ", gameLink(row), row.moment && ` · ${row.moment}`, row.step !== null && `, step ${row.step}`),
    row.old_text && el("p", {}, el("del", {}, `${verdict("old")} ${row.old_text}`)),
    row.new_text && el("p", {}, el("ins", {}, `${verdict("new")} ${row.new_text}`)),
    row.why && el("p", { class: "quiet" }, `What differs: ${row.why}.`),
  );
}

const ids = Object.keys(SHEETS).filter((id) => archive.tables[id].length || id === "games");
const state = {};
let open = ids[0];

function stateOf(id) {
  if (!state[id]) state[id] = { q: "", chosen: {}, checks: new Set(), sort: SHEETS[id].sort || null, shown: AT_ONCE };
  return state[id];
}

const searched = new Map();
function wordsOf(id, row) {
  if (!searched.has(row)) searched.set(row, SHEETS[id].words(row).toLowerCase());
  return searched.get(row);
}

function rowsOf(id) {
  const sheet = SHEETS[id];
  const now = stateOf(id);
  const wanted = now.q.toLowerCase().split(/\s+/).filter(Boolean);
  const number = id === "games" && /^\d+$/.test(now.q) ? Number(now.q) : null;
  const chosen = (sheet.filters || []).filter(([name]) => now.chosen[name]);
  const checks = (sheet.checks || []).filter(([name]) => now.checks.has(name));
  const rows = archive.tables[id].filter(
    (row) =>
      (number === null ? wanted.every((word) => wordsOf(id, row).includes(word)) : row.number === number) &&
      chosen.every(([name, values]) => values(row).includes(now.chosen[name])) &&
      checks.every(([, holds]) => holds(row)),
  );
  if (!now.sort) return rows;
  const [place, direction] = now.sort;
  const key = sheet.columns[place][2];
  const keyed = rows.map((row) => [key(row), row]);
  keyed.sort(([one], [other]) => (one < other ? -direction : one > other ? direction : 0));
  return keyed.map(([, row]) => row);
}

function tableOf(id, rows) {
  const sheet = SHEETS[id];
  const now = stateOf(id);
  const cell = (row, [name, shown, , isNumber, broad]) => {
    const value = typeof shown === "function" ? shown(row) : isNumber ? figure(row[shown]) : plain(row[shown]);
    const classes = [isNumber && "number", broad, (value === "" || value === null || value === undefined) && "none"].filter(Boolean).join(" ");
    return el("td", { class: classes || null, "data-name": name && broad !== "broad" ? name : null }, value);
  };
  return el(
    "table",
    { class: "grid rows" },
    el("caption", {}, sheet.title),
    el(
      "thead",
      {},
      el(
        "tr",
        {},
        sheet.columns.map(([name, , sort, isNumber], place) =>
          el(
            "th",
            {
              scope: "col",
              class: isNumber ? "number" : null,
              "aria-sort": now.sort && now.sort[0] === place ? (now.sort[1] > 0 ? "ascending" : "descending") : null,
            },
            sort ? el("button", { type: "button", onclick: () => sortBy(id, place, isNumber) }, name) : name,
          ),
        ),
      ),
    ),
    el("tbody", {}, rows.map((row) => el("tr", {}, sheet.columns.map((column) => cell(row, column))))),
  );
}

function sortBy(id, place, isNumber) {
  const now = stateOf(id);
  const first = isNumber ? -1 : 1;
  now.sort = now.sort && now.sort[0] === place ? [place, -now.sort[1]] : [place, first];
  showRows(id);
  byId("rows").querySelectorAll("th")[place].querySelector("button").focus();
}

function showRows(id) {
  const now = stateOf(id);
  const rows = rowsOf(id);
  const some = rows.slice(0, now.shown);
  const all = archive.tables[id].length;
  show(byId("found"), rows.length === all ? count(all, "row") : `${NUMBER.format(rows.length)} of ${count(all, "row")}`);
  show(
    byId("rows"),
    SHEETS[id].cards ? some.map(SHEETS[id].cards) : tableOf(id, some),
    rows.length > some.length &&
      el(
        "p",
        { class: "more" },
        el(
          "button",
          {
            type: "button",
            onclick: () => {
              now.shown += 5 * AT_ONCE;
              showRows(id);
            },
          },
          `Show more: ${NUMBER.format(rows.length - some.length)} are left`,
        ),
      ),
  );
}

function changed(id) {
  stateOf(id).shown = AT_ONCE;
  showRows(id);
  remember(id);
}

function remember(id) {
  const now = stateOf(id);
  const words = new URLSearchParams();
  if (now.q) words.set("q", now.q);
  for (const [name, value] of Object.entries(now.chosen)) if (value) words.set(name, value);
  history.replaceState(null, "", `#${id}${words.size ? `?${words}` : ""}`);
}

function finder(id) {
  const sheet = SHEETS[id];
  const now = stateOf(id);
  const search = el("input", {
    type: "search",
    value: now.q,
    oninput: (event) => {
      now.q = event.target.value;
      changed(id);
    },
  });
  const selects = (sheet.filters || []).map(([name, values]) => {
    const known = [...new Set(archive.tables[id].flatMap(values))].filter(Boolean).sort((one, other) => one.localeCompare(other));
    if (known.length < 2) return null;
    const select = el(
      "select",
      {
        onchange: (event) => {
          now.chosen[name] = event.target.value;
          changed(id);
        },
      },
      el("option", { value: "" }, "all"),
      known.map((value) => el("option", { value }, value)),
    );
    select.value = now.chosen[name] || "";
    return el("label", {}, name, select);
  });
  const checks = (sheet.checks || []).map(([name]) =>
    el(
      "label",
      { class: "check" },
      el("input", {
        type: "checkbox",
        checked: now.checks.has(name),
        onchange: (event) => {
          now.checks[event.target.checked ? "add" : "delete"](name);
          changed(id);
        },
      }),
      name,
    ),
  );
  return el("div", { class: "find", role: "search" }, el("label", {}, "Search", search), selects, checks);
}

function openSheet(id) {
  open = id;
  selectTab(id);
  const sheet = SHEETS[id];
  show(
    byId("sheet"),
    sheet.about && sheet.about(),
    finder(id),
    el("p", { class: "quiet" }, el("span", { id: "found", "aria-live": "polite" }), " · as ", el("a", { href: `data/${id}.csv` }, "CSV"), " or ", el("a", { href: `data/${id}.json` }, "JSON")),
    el("div", { id: "rows" }),
  );
  showRows(id);
}

function turnTabs(event) {
  const next = tabBeside(ids, open, event);
  if (!next) return;
  openSheet(next);
  remember(next);
  byId(`tab-${next}`).focus();
}

function follow() {
  const [id, words] = decodeURI(location.hash.slice(1)).split("?");
  if (!ids.includes(id)) return openSheet(ids[0]);
  const now = stateOf(id);
  const given = new URLSearchParams(location.hash.split("?")[1] || "");
  if (words !== undefined) {
    now.q = given.get("q") || "";
    now.chosen = {};
    for (const [name] of SHEETS[id].filters || []) if (given.get(name)) now.chosen[name] = given.get(name);
  }
  return openSheet(id);
}

function begin() {
  const games = archive.tables.games;
  const sum = (name) => games.reduce((total, row) => total + (row[name] || 0), 0);
  const figures = [
    [games.length, "game"],
    [archive.tables.players.length, "player"],
    [archive.tables.players.reduce((total, row) => total + row.actions, 0), "action", "actions judged"],
    [sum("illegal"), "illegal", "illegal"],
    [sum("unproven"), "unproven", "unproven"],
  ];
  show(
    byId("top"),
    el(
      "div",
      {},
      el("h1", {}, archive.title),
      el("p", {}, archive.subtitle),
    ),
    el(
      "ul",
      { class: "numbers", "aria-label": "In all" },
      figures.map(([number, one, many]) => el("li", {}, el("b", {}, NUMBER.format(number)), " ", number === 1 ? one : many || `${one}s`)),
    ),
  );
  show(
    byId("tabs"),
    ids.map((id) =>
      el(
        "button",
        {
          type: "button",
          role: "tab",
          id: `tab-${id}`,
          "aria-controls": "sheet",
          onclick: () => {
            openSheet(id);
            remember(id);
          },
          onkeydown: turnTabs,
        },
        `${SHEETS[id].title} ${NUMBER.format(archive.tables[id].length)}`,
      ),
    ),
  );
  show(
    byId("foot"),
    el("p", {}, "Illegal: the log proves it. Unproven: the log does not settle it. Slip: bookkeeping only. The numbers do not accuse anyone."),
    el("p", {}, archive.made),
  );
  window.addEventListener("hashchange", follow);
  follow();
}

begin();
