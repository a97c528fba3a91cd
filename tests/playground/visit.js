// SPDX-License-Identifier: MIT
/* A visitor of the playground: "ok ..." or "FAILED ..." for what was seen, and "seen N" at the end. */
window.addEventListener("load", function () {
  var lines = [], problems = [];
  window.onerror = function (message) { problems.push(message); };
  function element(id) { return document.getElementById(id); }
  function check(what, is, wanted) {
    var fine = arguments.length > 2 ? is === wanted : !!is;
    lines.push((fine ? "ok " : "FAILED ") + what + (fine ? "" : ": " + is));
  }
  function picture(id) { return element(id).toDataURL(); }
  function updates() { return Number(document.body.dataset.updates || 0); }
  function choose(id, value) { element(id).value = value; element(id).dispatchEvent(new Event("change")); }
  function slide(key, at) {
    var input = document.querySelector("[data-key=" + key + "] input[type=range]");
    input.value = at;
    input.dispatchEvent(new Event("input"));
  }
  function type(key, text) {
    var box = document.querySelector("[data-key=" + key + "] input[type=text]");
    box.value = text;
    box.dispatchEvent(new Event("change"));
  }
  /* Resolves after the page has been drawn again; without `act`, after it has been drawn at all. */
  function drawn(act) {
    var before = act ? updates() : 0;
    if (act) act();
    return new Promise(function (done) {
      (function wait() { if (updates() > before) done(); else setTimeout(wait, 5); })();
    });
  }
  function answer() { return element("answer").textContent; }
  var phi, phiZ, address;
  drawn().then(function () {
    check("the address is read", document.querySelector("[data-key=kp] input[type=text]").value, "21");
    return drawn(function () { choose("preset", "HRP-5P's wrist"); });
  }).then(function () {
    check("the preset is named", element("preset").value, "HRP-5P's wrist");
    check("the wrist stops where the paper's does", /stopped at 69\.88° after 2\.77 s, 20\.1° short/.test(answer()));
    lines.push("yaml: " + element("yaml").value.trim().replace(/\n/g, "|"));
    phi = picture("phi");
    phiZ = picture("phiz");
    return drawn(function () { slide("static_torque", 0.6); });
  }).then(function () {
    check("no preset is named then", element("preset").value, "...");
    check("a slider moves Phi", picture("phi") !== phi);
    check("a slider moves Phi_Z", picture("phiz") !== phiZ);
    check("the address has it", /static_torque=/.test(location.hash));
    address = location.hash;
    return drawn(function () { choose("preset", "HRP-5P's wrist, with integral term"); });
  }).then(function () {
    check("the sawtooth of the paper", /hunts around its target: [4-9] break-aways.*2\.51\d N m/.test(answer()));
    return drawn(function () { choose("preset", "holding 90 % of the static torque"); });
  }).then(function () {
    check("ours holds and tanh creeps", /Ours does not creep\. Friction as tanh creeps at 0\.0\d+ rad/.test(answer()));
    return drawn(function () { choose("preset", "a finger"); });
  }).then(function () {
    check("a finger holds", /Ours does not creep/.test(answer()));
    return drawn(function () { choose("preset", "stick-slip"); });
  }).then(function () {
    check("stick-slip", /Stick-slip: [1-9]\d* slips/.test(answer()));
    return drawn(function () { choose("preset", "break-away"); });
  }).then(function () {
    check("break-away at the static torque", /breaks away at 2\.5\d\d N m/.test(answer()));
    return drawn(function () { location.hash = address; });
  }).then(function () {
    check("a link of no preset names none", element("preset").value, "...");
    check("a link restores what was shown", picture("phi") !== phi && location.hash === address);
    return drawn(function () { choose("preset", "HRP-5P's wrist"); });
  }).then(function () {
    return drawn(function () { type("damping", "1"); });
  }).then(function () {
    check("what is not legal says so", element("verdict").className === "bad" && /not legal/.test(answer()));
    return drawn(function () { type("damping", "auto"); });
  }).then(function () {
    check("auto is legal", element("verdict").className, "");
    element("yaml").value = "stiction: 1\ntimestep: 0.002\njoints:\n  A: { law: rational, static_torque: 3, coulomb_torque: 1,\n" +
      "       stribeck_velocity: 0.1, viscous: 2, stiffness: 4000, damping: 60 }\n";
    element("read").click();
    return new Promise(function (done) { setTimeout(done, 300); });
  }).then(function () {
    var message = element("yaml-message").textContent;
    if (!/built without libyaml/.test(message)) {
      check("YAML is read", message, "read");
      check("and shown", element("law").value === "rational" && /static_torque=3(&|$)/.test(location.hash) && /timestep=0\.002/.test(location.hash));
    }
    check("no error of the scripts: " + problems.join("; "), problems.length, 0);
    lines.push("seen " + lines.length);
  }).catch(function (error) { lines.push("FAILED " + error); }).then(function () {
    var place = document.createElement("pre");
    place.id = "seen";
    place.textContent = "\n" + lines.join("\n") + "\n";
    document.body.appendChild(place);
  });
});
