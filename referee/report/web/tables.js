// The other tabs: story, battles, supply, dice, losses, logs, chat.

function grid(head, rows, caption) {
  return el(
    "div",
    { class: "wide" },
    el(
      "table",
      { class: "grid" },
      caption && el("caption", {}, caption),
      el(
        "thead",
        {},
        el(
          "tr",
          {},
          head.map((title) => el("th", { scope: "col" }, title)),
        ),
      ),
      el(
        "tbody",
        {},
        rows.map((row) =>
          el(
            "tr",
            {},
            row.map((cell) => (cell instanceof Node && cell.tagName === "TD" ? cell : el("td", {}, cell))),
          ),
        ),
      ),
    ),
  );
}

const number = (value) => el("td", { class: "number" }, value);
const names = (ids) => ids.map(nameOf).join(", ");

// The game phase by phase; what was undone is left out.
function storySheet() {
  const parts = phases.map((first, place) => {
    const until = phases[place + 1] ?? last + 1;
    const lines = [];
    for (let at = first; at < until; at += 1) {
      const step = steps[at];
      if (step.undone_by !== undefined || step.undoes !== undefined) continue;
      const events = happened(step);
      const found = findingsAt(at);
      if (!events.length && !found.length) continue;
      lines.push(
        el(
          "li",
          {},
          el(
            "a",
            { class: "to", href: `#step-${at}`, "aria-label": stepName(at) },
            several ? stepName(at) : step.step || "start",
          ),
          el(
            "div",
            {},
            events.map((line) => el("p", {}, line)),
            found.map((one) => el("p", {}, badge(one.grade), ` ${one.clause} ${sentence(named(one.says))}`)),
          ),
        ),
      );
    }
    return lines.length
      ? el("section", { class: "phase" }, el("h2", {}, capital(steps[first].moment)), el("ol", {}, lines))
      : null;
  });
  return parts.some(Boolean) ? parts : [el("p", {}, "Nothing has happened yet.")];
}

function battlesSheet() {
  if (!audit.battles.length) return [el("p", {}, "There were no battles.")];
  return audit.battles.map((battle) => {
    const [stated, computed] = [
      battle.stated && battle.stated.column,
      battle.computed && battle.computed.column,
    ];
    const differ = stated && computed && stated !== computed;
    const strengths =
      battle.stated && battle.stated.attack
        ? `, ${battle.stated.attack} against ${battle.stated.defence}`
        : "";
    return el(
      "article",
      { class: "battle" },
      el(
        "header",
        {},
        el("b", {}, `Attack on ${battle.target}`),
        el("span", {}, `${capital(battle.moment)}${battle.player ? `, ${battle.player}` : ""}`),
        el("a", { class: "to", href: `#step-${battle.at}` }, capital(stepName(battle.at))),
      ),
      el(
        "p",
        {},
        battle.attackers.length
          ? [
              el("b", {}, names(battle.attackers)),
              " against ",
              el("b", {}, names(battle.defenders) || "an empty hex"),
            ]
          : "Declared; no attackers yet.",
      ),
      el(
        "dl",
        {},
        el("div", {}, el("dt", {}, "Odds announced"), el("dd", {}, stated ? stated + strengths : "not announced")),
        el(
          "div",
          {},
          el("dt", {}, "By the rules"),
          el("dd", {}, computed || "not calculated", differ && el("span", { class: "differ" }, " ≠ announced")),
        ),
        el("div", {}, el("dt", {}, "Die"), el("dd", {}, battle.dice.join(" + ") || "not rolled")),
        el("div", {}, el("dt", {}, "Result"), el("dd", {}, battle.result || "not announced")),
      ),
      battle.computed && oddsTable("Odds in detail", battle.computed),
    );
  });
}

function supplySheet() {
  if (!audit.supply.length)
    return [el("p", {}, "This game has no supply rules, or supply was not checked.")];
  const { lying } = tableAt(current.at);
  const short = Object.entries(supplyAt(current.at));
  const rows = short.map(([id, how]) => {
    const since = audit.supply.filter((one) => one.at <= current.at).reverse();
    const began =
      since.slice(0, since.findIndex((one) => !(id in one.short)) >>> 0).pop() || since[since.length - 1];
    return [
      nameOf(id),
      lying.has(id) ? placeName(lying.get(id).place) : "",
      how,
      link(began.at, stepName(began.at)),
    ];
  });
  return [
    el("p", {}, `At ${stepName(current.at)}, ${steps[current.at].moment}:`),
    rows.length
      ? grid(["Unit", "Hex", "Supply", "Since"], rows)
      : el("p", { class: "clean" }, "Every unit on the map is in supply."),
    el("p", { class: "hint" }, "Tick “supply” above the slider to mark these units on the board."),
  ];
}

function diceSheet() {
  if (!audit.dice.length) return [el("p", {}, "No dice were rolled.")];
  return [
    ...audit.dice.map((one) => {
      const most = Math.max(one.expected, ...one.counts, 1);
      const rows = one.counts.map((rolled, place) => {
        const bar = el("span", { class: "bar" }),
          mark = el("span", { class: "fair" });
        bar.style.width = `${(rolled / most) * 100}%`;
        mark.style.left = `${(one.expected / most) * 100}%`;
        return [
          el("td", { class: "number" }, place + 1),
          number(rolled),
          number(one.expected),
          el("td", { class: "bars" }, el("div", { "aria-hidden": "true" }, bar, mark)),
        ];
      });
      return el(
        "article",
        { class: "dice" },
        el(
          "h2",
          {},
          `${one.player || "Unknown player"}: ${count(one.rolled, `d${one.sides} roll`)}`,
        ),
        grid(["Face", "Rolled", "Expected", "Chart"], rows),
        el(
          "p",
          {},
          `Average ${one.mean}, expected ${one.fair_mean}. Fair dice would be this far from the expected average ${one.as_far}% of the time.`,
        ),
      );
    }),
    el(
      "p",
      { class: "hint" },
      "The line on each bar is the expected number. Short series are often far from it; these numbers do not accuse anyone.",
    ),
  ];
}

function lossesSheet() {
  const rows = audit.losses.map((one) => [
    number(one.turn),
    sideTitle(one.side),
    nameOf(one.counter),
    one.steps ? count(one.steps, "step") : "the counter",
    link(one.at, stepName(one.at)),
    one.back === null ? "" : ["in ", link(one.back, stepName(one.back))],
  ]);
  if (!rows.length) return [el("p", {}, "There were no losses.")];
  const numbers = [...new Set(audit.losses.map((one) => one.turn))].sort((one, other) => one - other);
  const sides = Object.keys(audit.sides);
  const sums = numbers.map((turn) => [
    number(turn),
    ...sides.map((side) =>
      number(
        audit.losses.filter((one) => one.turn === turn && one.side === side && one.back === null).length ||
          "–",
      ),
    ),
  ]);
  return [
    grid(["Turn", ...sides.map(sideTitle)], sums, "Losses by turn"),
    grid(["Turn", "Side", "Unit", "Lost", "Step", "Came back"], rows, "All losses"),
  ];
}

function logsSheet() {
  const logs = audit.logs.map((log) => [log.name, number(log.steps), link(log.first, "its start")]);
  const players = audit.players.map((one) => [one.name, sideTitle(one.side) || "none, or all"]);
  return [
    grid(["Log", "Steps", "Begins at"], logs, "Logs"),
    players.length > 0 && grid(["Player", "Side"], players, "Players"),
    el("h2", {}, "Facts about the logs"),
    audit.unusual.length
      ? el(
          "ul",
          { class: "facts" },
          audit.unusual.map((one) =>
            el("li", {}, link(one.at, capital(stepName(one.at))), el("b", {}, ` ${capital(one.kind)}: `), sentence(one.text)),
          ),
        )
      : el(
          "p",
          { class: "clean" },
          "No gaps between logs, no rolls undone or repeated, no counters added or deleted, no moves out of turn.",
        ),
    el(
      "p",
      { class: "hint" },
      "These facts do not accuse anyone. Most have an innocent explanation, such as a misplaced counter or a retreat in the other player's turn.",
    ),
  ];
}

function chatSheet() {
  const lines = steps.flatMap((step) =>
    (step.chat || []).map((one) =>
      el(
        "li",
        {},
        el(
          "a",
          { class: "to", href: `#step-${step.at}`, "aria-label": stepName(step.at) },
          several ? stepName(step.at) : step.step,
        ),
        el("div", {}, el("b", {}, one.who || "?"), " ", el("q", {}, one.text)),
      ),
    ),
  );
  return [lines.length ? el("ol", { class: "talk" }, lines) : el("p", {}, "There is no chat.")];
}

function keysSheet() {
  const keys = [
    ...BUTTONS.map(([, title, key]) => [key.replace("Arrow", ""), title]),
    ["Home, End", "First step, last step"],
    ["n, p", "Next finding, previous finding"],
  ];
  return [
    grid(
      ["Key", "Action"],
      keys.map(([key, title]) => [el("td", {}, el("kbd", {}, key)), title]),
    ),
    el(
      "p",
      {},
      "Click a counter to see the whole stack. Every step has an address: add #step-14 to the address of the page.",
    ),
  ];
}
