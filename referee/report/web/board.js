// The board: counters, the moves of the entry as arrows, and the units and hexes of its findings.

const FAN = { x: 7, y: -9 };
const SPREAD = 0.5; // of a hex: how far a stack may spread in all
const LEGIBLE = 26; // pixels of a counter's side on the screen
const board = { layers: {}, zoom: 1, showsLegal: true, showsSupply: false };

function buildBoard() {
  const svg = draw("svg", {
    viewBox: `0 0 ${table.width} ${table.height}`,
    role: "img",
    id: "board",
    "aria-labelledby": "board-title",
  });
  svg.append(
    draw(
      "title",
      { id: "board-title" },
      `The board of ${audit.title}; a list of all counters is below it`,
    ),
  );
  svg.append(draw("image", { href: table.image, width: table.width, height: table.height, class: "ground" }));
  for (const name of ["legal", "rings", "counters", "arrows", "signs"]) {
    board.layers[name] = svg.appendChild(draw("g", { class: name }));
  }
  svg.addEventListener("click", (event) => {
    const piece = event.target.closest("[data-place]");
    if (piece) peek(piece.dataset.place);
  });
  byId("scroller").append(svg);
  board.svg = svg;
  const aspect = table.width / table.height;
  document.documentElement.style.setProperty("--aspect", aspect);
  byId("play").classList.toggle("tall", aspect < 0.9);
}

// At first a board whose counters could not be read is enlarged until they can.
function zoomToRead() {
  const shown = board.svg.getBoundingClientRect();
  const scale = Math.min(shown.width / table.width, shown.height / table.height);
  if (last && table.side * scale < LEGIBLE)
    zoom((LEGIBLE / table.side) * (table.width / byId("scroller").clientWidth));
}

function zoom(by) {
  board.zoom = by ? Math.min(8, Math.max(1, board.zoom * by)) : 1;
  const enlarged = board.zoom > 1;
  byId("play").classList.toggle("enlarged", enlarged);
  board.svg.style.width = enlarged ? `${board.zoom * 100}%` : "";
  lookAt(current.at);
}

// Scroll an enlarged board to where something happens.
function lookAt(at) {
  if (board.zoom <= 1) return;
  const places = [
    ...(steps[at].moves || []).flatMap((move) => [move.from, move.to]),
    ...findingsAt(at).flatMap((one) => one.hexes),
  ].filter(isHex);
  const all =
    places.length || at ? places : [...tableAt(at).lying.values()].map((one) => one.place).filter(isHex);
  if (!all.length) return;
  const box = byId("scroller");
  const scale = board.svg.clientWidth / table.width;
  const middle = (axis) => all.reduce((sum, place) => sum + table.hexes[place][axis], 0) / all.length;
  box.scrollTo(middle(0) * scale - box.clientWidth / 2, middle(1) * scale - box.clientHeight / 2);
}

const centre = (place) => (isHex(place) ? { x: table.hexes[place][0], y: table.hexes[place][1] } : null);

function outline(place, size) {
  const { x, y } = centre(place);
  return table.corners.map(([right, down]) => `${x + right * size},${y + down * size}`).join(" ");
}

function picture(id, standing, x, y, short) {
  const side = table.side;
  const group = draw("g", {
    transform: `translate(${x - side / 2} ${y - side / 2})`,
    class: "piece",
    "data-id": id,
    "data-place": standing.place,
  });
  group.append(draw("title", {}, describe(id, standing, short)));
  group.append(draw("use", { href: `#${faceOf(id, standing)}`, width: side, height: side }));
  let number = 0;
  for (const [state, level] of Object.entries(standing.states || {})) {
    const down = number * side * 0.36;
    if (table.badges[state])
      group.append(draw("use", { href: `#${table.badges[state]}`, width: side, height: side, y: down }));
    else group.append(draw("text", { x: side * 0.95, y: side * 0.24 + down, class: "points" }, level));
    number += 1;
  }
  if (board.showsSupply && short[id]) {
    group.append(draw("circle", { cx: side * 0.2, cy: side * 0.2, r: side * 0.17, class: "short" }));
    group.append(
      draw("path", { d: `M${side * 0.1} ${side * 0.1}L${side * 0.3} ${side * 0.3}`, class: "short-bar" }),
    );
  }
  return group;
}

function cover(place, many, x, y) {
  const side = table.side;
  const group = draw("g", {
    transform: `translate(${x - side / 2} ${y - side / 2})`,
    class: "piece",
    "data-place": place,
  });
  group.append(draw("title", {}, `${count(many, "face-down counter")} in ${place}`));
  group.append(draw("rect", { width: side, height: side, rx: side / 12, class: "cover" }));
  group.append(
    draw("text", { x: side / 2, y: side * 0.68, class: "cover-sign" }, many > 1 ? `${many}?` : "?"),
  );
  return group;
}

function showBoard(at, chosen) {
  const { lying, covered } = tableAt(at);
  const short = supplyAt(at);
  const stacks = new Map();
  for (const [id, standing] of lying) {
    if (isHex(standing.place)) stacks.set(standing.place, [...(stacks.get(standing.place) || []), id]);
  }
  for (const place of Object.keys(covered)) if (!stacks.has(place)) stacks.set(place, []);
  const pieces = [];
  board.pieces = new Map();
  const places = [...stacks.keys()].sort((one, other) => table.hexes[one][1] - table.hexes[other][1]);
  for (const place of places) {
    const { x, y } = centre(place);
    const ids = stacks.get(place);
    const all = ids.length + (covered[place] ? 1 : 0);
    const shift = (all - 1) / 2;
    const closer = Math.min(1, (SPREAD * table.across) / Math.hypot(FAN.x, FAN.y) / Math.max(1, all - 1));
    const spot = (number) => [x + (number - shift) * FAN.x * closer, y + (number - shift) * FAN.y * closer];
    ids.forEach((id, number) => {
      board.pieces.set(id, picture(id, lying.get(id), ...spot(number), short));
      pieces.push(board.pieces.get(id));
    });
    if (covered[place]) pieces.push(cover(place, covered[place], ...spot(all - 1)));
  }
  show(board.layers.counters, pieces);
  show(board.layers.arrows, arrows(steps[at]));
  showPointers(at, chosen);
  showTrays(lying, short);
  showList(lying, covered, short);
  if (peeked) peek(peeked);
}

function arrow(from, to, kind) {
  const [a, b] = [centre(from), centre(to)];
  if (!a || !b) return null;
  const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  const [dx, dy] = [(b.x - a.x) / length, (b.y - a.y) / length];
  const d = `M${a.x} ${a.y}L${b.x - dx * table.across * 0.12} ${b.y - dy * table.across * 0.12}`;
  const head = kind.includes("bad") ? "url(#head-bad)" : "url(#head)";
  return [
    draw("path", { d, class: `halo ${kind}` }),
    draw("path", { d, class: `arrow ${kind}`, "marker-end": head }),
  ];
}

function arrows(step) {
  const drawn = new Set();
  const found = [];
  for (const move of step.moves || []) {
    const key = `${move.from}>${move.to}`;
    if (!drawn.has(key))
      found.push(
        arrow(
          move.from,
          move.to,
          step.undoes !== undefined || step.undone_by !== undefined ? "undone" : "made",
        ),
      );
    drawn.add(key);
    if (!isHex(move.from) && isHex(move.to)) {
      const { x, y } = centre(move.to);
      found.push(draw("circle", { cx: x, cy: y, r: table.across * 0.46, class: "arrival" }));
    }
  }
  return found.flat().filter(Boolean);
}

// What the findings of an entry point at: the path taken, legal paths, hexes and units of the facts.
function showPointers(at, chosen) {
  const legal = [],
    ways = [],
    rings = [],
    signs = [];
  const findings = chosen ? [chosen] : findingsAt(at);
  for (const finding of findings) {
    for (const open of board.showsLegal ? finding.legal : []) {
      const { x, y } = centre(open.hex);
      legal.push(
        draw("polygon", { points: outline(open.hex, 0.88) }, draw("title", {}, `Legal: ${open.path.join(" → ")}`)),
      );
      legal.push(draw("text", { x, y: y + table.across * 0.44 }, "✓"));
      const points = open.path
        .map(centre)
        .filter(Boolean)
        .map((point) => `${point.x},${point.y}`);
      if (points.length > 1) ways.push(draw("polyline", { points: points.join(" ") }));
    }
    for (const place of new Set(finding.hexes.filter(isHex))) {
      rings.push(draw("polygon", { points: outline(place, 0.95), class: `ring ${finding.grade}` }));
    }
    for (const [id, why] of involved(finding)) {
      const edge = {
        width: table.side,
        height: table.side,
        rx: table.side / 12,
        class: `involved ${finding.grade}`,
      };
      board.pieces.get(id).append(draw("rect", edge, draw("title", {}, `${capital(why)}: ${nameOf(id)}`)));
    }
    finding.path
      .slice(1)
      .forEach((to, number) =>
        signs.push(...(arrow(finding.path[number], to, finding.dragged ? "bad dragged" : "bad") || [])),
      );
    signs.push(...lines(finding));
    const where = finding.hexes.filter(isHex).pop();
    if (where) {
      const beside = findings
        .slice(0, findings.indexOf(finding))
        .filter((one) => one.hexes.filter(isHex).pop() === where).length;
      signs.push(signOf(finding, centre(where), beside));
    }
  }
  show(board.layers.legal, legal, ways);
  show(board.layers.rings, rings);
  show(board.layers.signs, signs);
}

// Facts that are lines on the map: of sight, or of a run.
const LINES = ["line", "run"];

function lines(finding) {
  return LINES.map((name) => [finding.facts[name]].flat().filter(isHex).map(centre))
    .filter((points) => points.length > 1)
    .map((points) =>
      draw("polyline", { points: points.map(({ x, y }) => `${x},${y}`).join(" "), class: `line ${finding.grade}` }),
    );
}

// The counters on the map that a finding speaks of, each with the name of the fact.
function involved(finding) {
  const found = new Map(finding.units.map((id) => [id, "unit"]));
  for (const [name, value] of Object.entries(finding.facts)) {
    for (const one of [value].flat()) if (isCounter(String(one))) found.set(one, name);
  }
  return [...found].filter(([id]) => board.pieces.has(id));
}

function signOf(finding, spot, beside) {
  const size = table.across * 0.15;
  const x = spot.x + table.across * 0.36;
  const y = spot.y - table.across * 0.36 + beside * size * 2.2;
  return draw(
    "g",
    { class: `sign ${finding.grade}`, transform: `translate(${x} ${y})` },
    draw("title", {}, `${finding.grade} ${finding.clause}: ${sentence(named(finding.says))}`),
    shape(finding.grade, size),
    draw("text", { y: size * 0.5, "font-size": size * 1.5 }, GRADES[finding.grade].sign),
  );
}

// Each grade has a shape of its own: a square, a disc, a lozenge.
function shape(grade, size) {
  if (grade === "unproven") return draw("circle", { r: size });
  const side = size * 1.8;
  const turn = grade === "slip" ? "rotate(45)" : null;
  return draw("rect", {
    x: -side / 2,
    y: -side / 2,
    width: side,
    height: side,
    rx: size / 4,
    transform: turn,
  });
}

function miniature(id, standing, short) {
  const side = table.side;
  return draw(
    "svg",
    { viewBox: `0 0 ${side} ${side}`, class: "miniature", "aria-hidden": "true" },
    picture(id, standing, side / 2, side / 2, short),
  );
}

function counterItem(id, standing, short) {
  return el(
    "li",
    { title: describe(id, standing, short) },
    miniature(id, standing, short),
    el("span", {}, describe(id, standing, short)),
  );
}

let peeked = null;

// The counters of one hex, large and with their names.
function peek(place) {
  peeked = place;
  const { lying } = tableAt(current.at);
  const short = supplyAt(current.at);
  const here = [...lying].filter(([, standing]) => standing.place === place);
  const box = byId("peek");
  box.hidden = !here.length;
  show(
    box,
    el("h2", {}, `In ${placeName(place)}`),
    el(
      "button",
      {
        type: "button",
        onclick: () => {
          peeked = null;
          box.hidden = true;
        },
      },
      "Close",
    ),
    el(
      "ul",
      { class: "pieces" },
      here.reverse().map(([id, standing]) => counterItem(id, standing, short)),
    ),
  );
}

// The boxes off the map.
function showTrays(lying, short) {
  const boxes = new Map();
  for (const [id, standing] of lying) {
    if (isHex(standing.place)) continue;
    const title = capital(placeName(standing.place));
    boxes.set(title, [...(boxes.get(title) || []), [id, standing]]);
  }
  const trays = [...boxes].sort().map(([title, ids]) =>
    el(
      "div",
      { class: "tray" },
      el("h2", {}, `${title} (${ids.length})`),
      el(
        "ul",
        { class: "small pieces" },
        ids.map(([id, standing]) => counterItem(id, standing, short)),
      ),
    ),
  );
  show(byId("boxes"), trays.length ? trays : el("p", {}, "No counters off the map."));
}

// The position as a list, for screen readers.
function showList(lying, covered, short) {
  const places = new Map();
  for (const [id, standing] of lying) {
    if (isHex(standing.place))
      places.set(standing.place, [...(places.get(standing.place) || []), describe(id, standing, short)]);
  }
  for (const [place, many] of Object.entries(covered))
    places.set(place, [...(places.get(place) || []), count(many, "face-down counter")]);
  const order = Object.keys(table.hexes);
  const rows = [...places].sort(([one], [other]) => order.indexOf(one) - order.indexOf(other));
  show(
    byId("list"),
    el(
      "table",
      {},
      el(
        "thead",
        {},
        el("tr", {}, el("th", { scope: "col" }, "Hex"), el("th", { scope: "col" }, "Counters")),
      ),
      el(
        "tbody",
        {},
        rows.map(([place, names]) =>
          el("tr", {}, el("th", { scope: "row" }, place), el("td", {}, names.join(", "))),
        ),
      ),
    ),
  );
}
