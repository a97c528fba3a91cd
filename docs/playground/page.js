// SPDX-License-Identifier: MIT
/* The page of the playground. All friction is computed by the core (playground.h); this file has
 * the sliders, the drawings and the words. */
"use strict";

/* Sliders: [least, most]; a least of 0 is the left end, then it goes by powers of ten. */
var RANGES = {
  static_torque: [0.001, 1000], coulomb_torque: [0.001, 1000], stribeck_velocity: [0.0001, 1], stribeck_exponent: [1, 10],
  viscous: [0, 1000], viscous_exponent: [0.1, 2], stiffness: [0.1, 1e6], damping: [0, 1e4],
  load_motor: [0, 1], load_external: [0, 1], load_motor_static: [0, 1], load_external_static: [0, 1],
  temperature: [-50, 150], reference_temperature: [-50, 150], temperature_level: [-0.05, 0.05],
  temperature_viscous: [-0.05, 0.05], ambient_temperature: [-50, 150], thermal_resistance: [0, 100],
  thermal_time: [0, 10000], ripple: [0, 0.99], ripple_count: [1, 200], ripple_phase: [-3.14, 3.14], reverse_factor: [0.1, 10],
  reverse_viscous_factor: [0.1, 10]
};
var DRIVE_FROM = "load_motor";
/* The settings of a run, in the order of playground.h; `of`: the experiments that read it. */
var SETTINGS = [
  { key: "inertia", label: "inertia", unit: "kg m²", range: [1e-5, 100] },
  { key: "timestep", label: "time step", unit: "s", range: [1e-5, 0.1] },
  { key: "implicit", label: "implicit coupling", box: true },
  { key: "duration", label: "duration", unit: "s", range: [0.1, 1000] },
  { key: "kp", label: "stiffness k_p", unit: "s⁻²", range: [0.1, 1000], of: [0] },
  { key: "kv", label: "damping k_v", unit: "s⁻¹", range: [0.1, 100], of: [0] },
  { key: "lambda", label: "integral λ", unit: "s⁻¹", range: [0, 100], of: [0] },
  { key: "target", label: "target", unit: "deg", range: [1, 180], of: [0] },
  { key: "pull", label: "spring", unit: "N m/rad", range: [0.01, 1e4], of: [1] },
  { key: "speed", label: "speed of its end", unit: "rad/s", range: [0.0001, 10], of: [1] },
  { key: "load", label: "load", unit: "N m", range: [0.0001, 1000], of: [2] },
  { key: "softness", label: "v₀ of tanh", unit: "rad/s", range: [0.0001, 1], of: [2] },
  { key: "rate", label: "load rises by", unit: "N m/s", range: [0.0001, 1000], of: [3] }
];
var EXPERIMENTS = ["HRP-5P's wrist under its controller", "drawn by a slow spring", "holding a load", "a load that rises"];
var WRIST = { law: "stribeck", static_torque: 2.5, coulomb_torque: 0.4, stribeck_velocity: 0.06, viscous: 4.5, stiffness: 5000,
  damping: 50, inertia: 0.1675, timestep: 0.001, implicit: 0, duration: 6, kp: 20, kv: 2, lambda: 0, target: 90, pull: 10,
  speed: 0.05, load: 2.25, softness: 0.01, rate: 1, experiment: 0 };
function preset(changes) { return Object.assign({}, WRIST, changes); }
var PRESETS = {
  "HRP-5P's wrist": WRIST,
  "HRP-5P's wrist, with integral term": preset({ kp: 50, kv: 14, lambda: 1, duration: 60 }),
  "the real wrist": preset({ coulomb_torque: 0.23, stribeck_velocity: 0.045, viscous: 5.28, inertia: 0.1846 }),
  "rational law": preset({ law: "rational", coulomb_torque: 0.2, stribeck_velocity: 0.04 }),
  "Coulomb, no stiction": preset({ law: "coulomb", static_torque: NaN, stribeck_velocity: NaN, coulomb_torque: 1 }),
  "stick-slip": preset({ experiment: 1, duration: 60, viscous: 0.5 }),
  "a finger": preset({ static_torque: 0.05, coulomb_torque: 0.008, viscous: 0.09, stiffness: 100, damping: 1, inertia: 1e-4,
    timestep: 0.005, implicit: 1, experiment: 2, load: 0.045, duration: 60 }),
  "holding 90 % of the static torque": preset({ experiment: 2, duration: 60 }),
  "break-away": preset({ experiment: 3, duration: 5 })
};

createStiction().then(function (core) {
  function of(name, result, parameters) { return core.cwrap(name, result, parameters); }
  var N = "number", S = "string";
  var lawName = of("play_law_name", S, [N]), lawReads = of("play_law_reads", N, [N, N]), keyOf = of("play_parameter_key", S, [N]),
    symbolOf = of("play_parameter_symbol", S, [N]), unitOf = of("play_parameter_unit", S, [N]),
    descriptionOf = of("play_parameter_description", S, [N]), fallbackOf = of("play_parameter_fallback", N, [N]),
    clear = of("play_clear", null, [N]), setValue = of("play_set", null, [N, N]), valueOf = of("play_value", N, [N]),
    check = of("play_check", S, [N]), descentOf = of("play_descent", N, [N]), leastInertia = of("play_least_inertia", N, [N]),
    write = of("play_write", S, [N]), readYaml = of("play_read", S, [S]), readLaw = of("play_read_law", N, []),
    readTimestep = of("play_read_timestep", N, []), curve = of("play_curve", N, [N, N, N, N, N]), run = of("play_run", N, [N, N, N, N]);
  var COLUMNS = 6, ROWS = 4000, FIGURES = 7, POINTS = 400;
  var memory = { settings: core._malloc(8 * SETTINGS.length), rows: core._malloc(8 * ROWS * COLUMNS),
    figures: core._malloc(8 * FIGURES), x: core._malloc(8 * POINTS), y: core._malloc(8 * POINTS) };
  function numbers(address, count) { return core.HEAPF64.subarray(address / 8, address / 8 + count); }
  function element(id) { return document.getElementById(id); }

  var laws = [], parameters = [];
  for (var k = 0; lawName(k); k++) laws.push(lawName(k));
  for (k = 0; keyOf(k); k++)
    if (RANGES[keyOf(k)])
      parameters.push({ index: k, key: keyOf(k), symbol: symbolOf(k), unit: unitOf(k), description: descriptionOf(k), fallback: fallbackOf(k) });
  var firstOfDrive = parameters.findIndex(function (p) { return p.key === DRIVE_FROM; });
  parameters.forEach(function (p, k) { p.drive = k >= firstOfDrive; });

  /* ---- the state of the page: what the address says, else a preset ---- */
  var state = {}, last = null;
  function fromAddress() {
    state = Object.assign({}, WRIST);
    new URLSearchParams(location.hash.slice(1)).forEach(function (text, key) {
      if (key === "law" && laws.indexOf(text) >= 0) state.law = text;
      else if (key in RANGES || key in WRIST && key !== "law") state[key] = text === "" ? NaN : Number(text);
    });
  }
  function toAddress() {
    var query = new URLSearchParams();
    Object.keys(state).forEach(function (key) {
      var value = state[key], standard = WRIST[key];
      if (!Object.is(value, standard) && !(standard === undefined && Number.isNaN(value)))
        query.set(key, Number.isNaN(value) ? "" : value);
    });
    history.replaceState(null, "", "#" + query);
  }

  /* ---- sliders ---- */
  function toSlider(value, range) {
    if (range[0] < 0) return (value - range[0]) / (range[1] - range[0]);
    if (range[0] > 0) return Math.log(value / range[0]) / Math.log(range[1] / range[0]);
    return value > 0 ? Math.max(0.002, 1 + Math.log10(value / range[1]) / 6) : 0;
  }
  function fromSlider(at, range) {
    var value = range[0] < 0 ? range[0] + at * (range[1] - range[0]) : range[0] > 0 ? range[0] * Math.pow(range[1] / range[0], at)
      : at > 0 ? range[1] * Math.pow(10, 6 * (at - 1)) : 0;
    return Number(value.toPrecision(3));
  }
  function slider(place, row) {
    var line = document.createElement("label"), text = document.createElement("span"), input, box;
    line.className = "row";
    text.textContent = row.label;
    text.title = row.title || "";
    if (row.unit) text.append(" ", Object.assign(document.createElement("small"), { textContent: row.unit }));
    line.append(text);
    if (row.box) {
      box = Object.assign(document.createElement("input"), { type: "checkbox" });
      box.addEventListener("change", function () { state[row.key] = box.checked ? 1 : 0; changed(); });
      line.append(box);
    } else {
      input = Object.assign(document.createElement("input"), { type: "range", min: 0, max: 1, step: 0.002 });
      box = Object.assign(document.createElement("input"), { type: "text", inputMode: "decimal" });
      input.addEventListener("input", function () { state[row.key] = fromSlider(Number(input.value), row.range); changed(); });
      box.addEventListener("change", function () {
        var value = box.value.trim() === "auto" ? -Infinity : Number(box.value);
        if (box.value.trim() === "") value = row.range && row.optional ? NaN : state[row.key];
        if (!Number.isNaN(value) || row.optional) state[row.key] = value;
        changed();
      });
      line.append(input, box);
    }
    line.dataset.key = row.key;
    place.append(line);
    return { show: function (value, visible) {
      line.hidden = !visible;
      line.style.display = visible ? "" : "none";
      if (row.box) box.checked = value > 0;
      else {
        if (document.activeElement !== box) box.value = Number.isNaN(value) ? "" : Number(value.toPrecision(6));
        if (document.activeElement !== input) input.value = Number.isNaN(value) ? 0 : toSlider(value, row.range);
      }
    } };
  }
  parameters.forEach(function (p) {
    p.slider = slider(element(p.drive ? "drive" : "parameters"), { key: p.key, label: p.symbol + " " + p.key.replace(/_/g, " "),
      title: p.description, unit: p.unit === "1" ? "" : p.unit, range: RANGES[p.key], optional: true });
  });
  SETTINGS.forEach(function (row) { row.slider = slider(element("settings"), row); });
  function choices(id, names, chosen) {
    names.forEach(function (name, k) { element(id).append(new Option(name, id === "experiment" ? k : name)); });
    element(id).addEventListener("change", function () { chosen(element(id).value); });
  }
  choices("preset", ["..."].concat(Object.keys(PRESETS)), function (name) {
    if (PRESETS[name]) { state = Object.assign({}, PRESETS[name]); changed(); }
  });
  choices("law", laws.filter(function (law) { return ["coulomb", "stribeck", "rational"].indexOf(law) >= 0; }),
    function (law) { state.law = law; changed(); });
  choices("experiment", EXPERIMENTS, function (k) { state.experiment = Number(k); changed(); });

  /* ---- drawing ---- */
  function colour(name) { return getComputedStyle(document.documentElement).getPropertyValue("--" + name); }
  function ticks(low, high) {
    var raw = (high - low) / 5, power = Math.pow(10, Math.floor(Math.log10(raw))), step = power;
    [2, 5, 10].forEach(function (m) { if (step < raw) step = m * power; });
    var list = [];
    for (var t = Math.ceil(low / step); t * step <= high * (1 + 1e-9) && list.length < 20; t++) list.push(Number((t * step).toPrecision(10)));
    return list;
  }
  function powers(low, high) {
    var list = [];
    for (var p = Math.ceil(Math.log10(low)); p <= Math.log10(high) + 1e-9; p++) list.push(Math.pow(10, p));
    return list;
  }
  /* lines: {x, y, colour, label, dash}; options: log (both axes), x and y (labels), paint(frame) */
  function plot(id, lines, options) {
    var canvas = element(id), scale = window.devicePixelRatio || 1, width = canvas.clientWidth, height = Number(canvas.getAttribute("height"));
    if (!canvas.dataset.height) canvas.dataset.height = height;
    height = Number(canvas.dataset.height);
    if (canvas.width !== Math.round(width * scale)) { canvas.width = Math.round(width * scale); canvas.height = height * scale; canvas.style.height = height + "px"; }
    var c = canvas.getContext("2d"), left = 58, right = 8, top = 10, bottom = 34;
    c.setTransform(scale, 0, 0, scale, 0, 0);
    c.clearRect(0, 0, width, height);
    var box = options.box || [Infinity, -Infinity, Infinity, -Infinity];
    if (!options.box) lines.forEach(function (line) {
      for (var k = 0; k < line.x.length; k++) {
        box[0] = Math.min(box[0], line.x[k]); box[1] = Math.max(box[1], line.x[k]);
        box[2] = Math.min(box[2], line.y[k]); box[3] = Math.max(box[3], line.y[k]);
      }
    });
    if (!(box[1] > box[0])) return null;
    if (!options.box) {
      var room = Math.max(0.06 * (box[3] - box[2]), 1e-9 * Math.max(Math.abs(box[2]), Math.abs(box[3])), 1e-12);
      box[2] -= room; box[3] += room;
    }
    function across(v, low, high) { return options.log ? Math.log(v / low) / Math.log(high / low) : (v - low) / (high - low); }
    function atX(x) { return left + across(x, box[0], box[1]) * (width - left - right); }
    function atY(y) { return height - bottom - across(y, box[2], box[3]) * (height - top - bottom); }
    c.font = "11px system-ui, sans-serif";
    c.strokeStyle = colour("line"); c.fillStyle = colour("dim"); c.lineWidth = 1;
    var marks = options.log ? powers : ticks;
    c.beginPath();
    c.textAlign = "center";
    marks(box[0], box[1]).forEach(function (t) { c.moveTo(atX(t), top); c.lineTo(atX(t), height - bottom); c.fillText(String(t), atX(t), height - bottom + 13); });
    c.textAlign = "right";
    marks(box[2], box[3]).forEach(function (t) { c.moveTo(left, atY(t)); c.lineTo(width - right, atY(t)); c.fillText(Math.abs(t) < 1e-3 && t || Math.abs(t) >= 1e5 ? t.toExponential(0) : String(t), left - 4, atY(t) + 4); });
    c.stroke();
    c.textAlign = "center";
    c.fillText(options.x, (left + width - right) / 2, height - 6);
    c.save(); c.translate(11, (top + height - bottom) / 2); c.rotate(-Math.PI / 2); c.fillText(options.y, 0, 0); c.restore();
    c.save();
    c.beginPath(); c.rect(left, top, width - left - right, height - top - bottom); c.clip();
    if (options.paint) options.paint(c, atX, atY, box);
    lines.forEach(function (line) {
      c.strokeStyle = colour(line.colour); c.lineWidth = 1.8; c.setLineDash(line.dash || []);
      c.beginPath();
      for (var k = 0; k < line.x.length; k++) if (k) c.lineTo(atX(line.x[k]), atY(line.y[k])); else c.moveTo(atX(line.x[k]), atY(line.y[k]));
      c.stroke();
    });
    c.restore(); c.setLineDash([]);
    var at = left + 8;
    c.textAlign = "left";
    lines.forEach(function (line) {
      if (!line.label) return;
      c.fillStyle = colour(line.colour);
      c.fillText(line.label, at, top + 12);
      at += c.measureText(line.label).width + 14;
    });
    return { atX: atX, atY: atY };
  }

  function curveOf(timestep, reach) {
    var x = numbers(memory.x, POINTS), half = POINTS / 2;
    for (var k = 0; k < half; k++) {
      x[half - 1 - k] = k ? -reach * k / (half - 1) : -1e-300;
      x[half + k] = k ? reach * k / (half - 1) : 1e-300;
    }
    if (!curve(timestep, 0, POINTS, memory.x, memory.y)) return null;
    return { x: Array.from(numbers(memory.x, POINTS)), y: Array.from(numbers(memory.y, POINTS)), colour: "blue" };
  }
  function drawCurves() {
    var speed = Number.isNaN(state.stribeck_velocity) || state.law === "coulomb" ? 0.1 : state.stribeck_velocity;
    var phi = curveOf(0, 6 * speed), phiZ = curveOf(state.timestep, 6 * speed);
    plot("phi", phi ? [phi] : [], { x: "velocity, rad/s", y: "Φ, N m" });
    plot("phiz", phiZ ? [phiZ] : [], { x: "v*, rad/s", y: "Φ_Z, N m", box: phiZ ? null : [0, 1, 0, 1] });
    element("phiz").dataset.legal = phiZ ? 1 : 0;
    /* K T + B > descent, over T and B */
    var x = [], y = [], stiffness = valueOf(index("stiffness")), box = [1e-5, 0.1, 1e-3, 1e4];
    for (var k = 0; k <= 100; k++) {
      var T = box[0] * Math.pow(box[1] / box[0], k / 100);
      x.push(T);
      y.push(Math.max(descentOf(T) - stiffness * T, box[2] / 2));
    }
    plot("legal", [{ x: x, y: y, colour: "green" }], { log: true, box: box, x: "time step, s", y: "damping B, N m s/rad", paint: function (c, atX, atY) {
      c.fillStyle = colour("green"); c.globalAlpha = 0.2;
      c.beginPath(); c.moveTo(atX(x[0]), atY(box[3]));
      x.forEach(function (T, k) { c.lineTo(atX(T), atY(y[k])); });
      c.lineTo(atX(box[1]), atY(box[3])); c.fill();
      c.globalAlpha = 1; c.fillStyle = colour(check(state.timestep) === "" ? "blue" : "bad");
      c.beginPath(); c.arc(atX(state.timestep), atY(Math.max(valueOf(index("damping")), box[2])), 5, 0, 7); c.fill();
    } });
  }
  function index(key) { return parameters.find(function (p) { return p.key === key; }).index; }

  /* ---- the experiment ---- */
  var DEG = 180 / Math.PI;
  function rounded(value, digits) { return String(Number(value.toPrecision(digits || 3))); }
  function simulate() {
    var settings = numbers(memory.settings, SETTINGS.length);
    SETTINGS.forEach(function (row, k) { settings[k] = state[row.key]; });
    var count = run(state.experiment, memory.settings, memory.rows, memory.figures);
    var rows = numbers(memory.rows, count * COLUMNS), columns = [];
    for (var column = 0; column < COLUMNS; column++) {
      var values = new Float64Array(count);
      for (var k = 0; k < count; k++) values[k] = rows[k * COLUMNS + column];
      columns.push(values);
    }
    var f = numbers(memory.figures, FIGURES);
    return { time: columns[0], position: columns[1], velocity: columns[2], friction: columns[3], drive: columns[4], other: columns[5],
      count: count, figures: { stop: f[0], stopTime: f[1], breakaways: f[2], period: f[3], peak: f[4], creep: f[5], otherCreep: f[6] } };
  }
  function creepText(rate) { return rate < 1e-12 ? "does not creep" : "creeps at " + rounded(rate, 2) + " rad/s"; }
  function inWords(result) {
    var f = result.figures, text = "", bound = leastInertia(state.timestep);
    if (!result.count) return "The motion is not finite. " + (state.implicit || state.inertia > bound ? "" : "Explicit coupling ") +
      "needs an inertia above " + rounded(bound) + " kg m²: choose implicit coupling.";
    if (state.experiment === 0)
      text = !Number.isNaN(f.stop) && f.breakaways === 0 ? "It stopped at " + (f.stop * DEG).toFixed(2) + "° after " + f.stopTime.toFixed(2) + " s, " +
        rounded(Math.abs(state.target - f.stop * DEG)) + "° " + (f.stop * DEG < state.target ? "short of" : "beyond") + " its target."
        : f.breakaways > 0 ? "It hunts around its target: " + f.breakaways + " break-aways" + (Number.isNaN(f.period) ? "" : ", one every " + rounded(f.period) + " s") +
        ", at up to " + f.peak.toFixed(3) + " N m." : "It has not stopped.";
    else if (state.experiment === 1)
      text = f.breakaways > 1 && !Number.isNaN(f.period) ? "Stick-slip: " + f.breakaways + " slips, one every " + rounded(f.period) + " s, at up to " + f.peak.toFixed(3) + " N m."
        : "It follows the spring" + (f.breakaways ? " after one break-away at " + f.peak.toFixed(3) + " N m." : ".");
    else if (state.experiment === 2)
      text = (f.breakaways ? "The load is too large: it breaks away. " : "Ours " + (Number.isNaN(f.creep) ? "moves" : creepText(f.creep)) + ". ") +
        (Number.isNaN(f.otherCreep) ? "" : "Friction as tanh " + creepText(f.otherCreep) + ".");
    else text = f.breakaways ? "It breaks away at " + f.peak.toFixed(3) + " N m." : "It has not broken away: let the load rise longer.";
    if (!state.implicit && state.inertia < bound) text += " Explicit coupling chatters below " + rounded(bound) + " kg m²: choose implicit coupling.";
    return text;
  }
  function drawRun(result) {
    function degrees(values) { return values.map(function (v) { return v * DEG; }); }
    var others = ["target", "end of the spring", "friction as tanh", ""], lines = [];
    if (others[state.experiment]) lines.push({ x: result.time, y: degrees(result.other), colour: "orange", dash: [5, 4], label: others[state.experiment] });
    lines.push({ x: result.time, y: degrees(result.position), colour: "blue", label: "joint" });
    plot("motion", lines, { x: "time, s", y: "position, deg" });
    plot("torque", [{ x: result.time, y: result.drive, colour: "orange", dash: [5, 4], label: "torque on it" },
      { x: result.time, y: result.friction, colour: "blue", label: "friction" }], { x: "time, s", y: "N m" });
  }

  /* ---- the joint as it moves ---- */
  var playing = !window.matchMedia("(prefers-reduced-motion: reduce)").matches, started = null;
  function drawScene(now) {
    var canvas = element("scene"), width = canvas.clientWidth, height = 130, scale = window.devicePixelRatio || 1;
    if (!last || !last.count) return;
    if (canvas.width !== Math.round(width * scale)) { canvas.width = Math.round(width * scale); canvas.height = height * scale; canvas.style.height = height + "px"; }
    if (started === null || now < started) started = now;
    var end = last.time[last.count - 1], shown = Math.min(end, 12), time = ((now - started) / 1000 % (shown + 1)) * end / shown;
    var k = Math.min(last.count - 1, Math.floor(time / end * last.count)), angle = last.position[k], c = canvas.getContext("2d");
    c.setTransform(scale, 0, 0, scale, 0, 0);
    c.clearRect(0, 0, width, height);
    c.lineCap = "round";
    function arm(at, name, thick, length) {
      c.strokeStyle = colour(name); c.lineWidth = thick;
      c.beginPath(); c.moveTo(width / 2, 100); c.lineTo(width / 2 - length * Math.cos(at), 100 - length * Math.sin(at)); c.stroke();
    }
    if (state.experiment < 3) arm(last.other[k], "line", 6, 85);
    arm(angle, Math.abs(last.velocity[k]) < 1e-3 ? "blue" : "orange", 10, 75);
    c.fillStyle = colour("dim");
    c.font = "12px system-ui, sans-serif";
    c.fillText(time.toFixed(1) + " s, " + (angle * DEG).toFixed(2) + "°, " + (Math.abs(last.velocity[k]) < 1e-3 ? "sticks" : "slips"), 10, 120);
  }
  (function frame(now) { if (playing && now !== undefined) drawScene(now); requestAnimationFrame(frame); })();
  element("play").addEventListener("click", function () { playing = !playing; element("play").textContent = playing ? "pause" : "play"; });
  element("play").textContent = playing ? "pause" : "play";

  /* ---- all together ---- */
  /* Whether the sliders stand where a preset puts them; NaN and undefined: not given. */
  function isPreset(values) {
    function same(a, b) { return a === b || (!(a === a) && !(b === b)) || (a === undefined && !(b === b)) || (b === undefined && !(a === a)); }
    return Object.keys(Object.assign({}, state, values)).every(function (key) { return same(state[key], values[key]); });
  }
  var pending = false;
  /* Once for all that changes within a picture of a screen with 60 of them a second. */
  function changed() { if (!pending) { pending = true; setTimeout(function () { pending = false; update(); }, 15); } }
  function update() {
    var begin = performance.now(), law = laws.indexOf(state.law);
    clear(law);
    parameters.forEach(function (p) {
      if (lawReads(law, p.index) && state[p.key] !== undefined) setValue(p.index, state[p.key]);
    });
    parameters.forEach(function (p) { p.slider.show(valueOf(p.index), lawReads(law, p.index)); });
    SETTINGS.forEach(function (row) { row.slider.show(state[row.key], !row.of || row.of.indexOf(state.experiment) >= 0); });
    element("law").value = state.law;
    element("experiment").value = state.experiment;
    var why = check(state.timestep), need = descentOf(state.timestep), have = valueOf(index("stiffness")) * state.timestep + valueOf(index("damping"));
    element("verdict").className = why ? "bad" : "";
    element("verdict").textContent = why || (need > 0 ? "Legal: K T + B = " + rounded(have) + " is above " + rounded(need) + " N m s/rad, the steepest fall of the law."
      : "Legal at any time step.");
    drawCurves();
    var answer = why || state.inertia <= 0 || state.duration <= 0 ? null : simulate();
    last = answer;
    started = null;
    if (answer && answer.count) drawRun(answer);
    else ["motion", "torque"].forEach(function (id) { plot(id, [], { x: "time, s", y: "", box: [0, 1, 0, 1] }); });
    element("preset").value = Object.keys(PRESETS).find(function (name) { return isPreset(PRESETS[name]); }) || "...";
    element("answer").textContent = answer ? inWords(answer) : "There is no motion to show: this friction is not legal.";
    element("answer").className = answer && answer.count ? "" : "bad";
    if (document.activeElement !== element("yaml")) element("yaml").value = why ? "# not legal: " + why : write(state.timestep);
    toAddress();
    element("speed").textContent = "Last change: " + (performance.now() - begin).toFixed(1) + " ms.";
    document.body.dataset.updates = Number(document.body.dataset.updates || 0) + 1;
  }
  function copy(text, button) {
    var done = button.textContent;
    function note(word) { button.textContent = word; setTimeout(function () { button.textContent = done; }, 1500); }
    if (navigator.clipboard) navigator.clipboard.writeText(text).then(function () { note("copied"); }, function () { note("the browser forbids it"); });
    else note("select the text and copy it");
  }
  element("copy").addEventListener("click", function () { copy(element("yaml").value, element("copy")); });
  element("link").addEventListener("click", function () { copy(location.href, element("link")); });
  element("read").addEventListener("click", function () {
    var why = readYaml(element("yaml").value);
    element("yaml-message").textContent = why || "read";
    if (why) return;
    var law = laws[readLaw()];
    if (["coulomb", "stribeck", "rational"].indexOf(law) < 0) { element("yaml-message").textContent = "the law " + law + " is not on this page"; return; }
    state.law = law;
    parameters.forEach(function (p) { state[p.key] = lawReads(readLaw(), p.index) ? valueOf(p.index) : NaN; });
    if (readTimestep() > 0) state.timestep = readTimestep();
    element("read").focus();
    changed();
  });
  window.addEventListener("hashchange", function () { fromAddress(); changed(); });
  window.addEventListener("resize", changed);
  fromAddress();
  update();
});
