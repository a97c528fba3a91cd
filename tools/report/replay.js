// SPDX-License-Identifier: MIT
/* The replay of runs: links as groups of three.js, moved by the positions of the series. The page
 * has the data as JSON; times of the plots and of the replay are one. */
"use strict";
var stictionReplay = (function () {
  var place = document.querySelector("section.replay"), data = document.getElementById("replay-runs");
  if (!data) return null;
  var element = stictionPage.element, runs = JSON.parse(data.textContent);
  /* Colours that differ in brightness too, for readers who are colour-blind. */
  var STICKS = 0x0072b2, SLIPS = 0xd55e00, LIMIT = 0xf0e442, PUSH = 0xb00020, CONTACT = 0xcc79a7, TARGET = 0x009e73;
  var OTHERS = [0x0072b2, 0xe69f00, 0x56b4e9, 0xcc79a7, 0x009e73, 0xd55e00]; /* runs over the first one */
  runs.forEach(function (run) { if (typeof run.scene === "number") run.scene = runs[run.scene].scene; });

  function bytesOf(text) {
    var binary = atob(text), bytes = new Uint8Array(binary.length);
    for (var k = 0; k < bytes.length; k++) bytes[k] = binary.charCodeAt(k);
    return bytes;
  }
  function floatsOf(text) { return text === undefined ? null : new Float32Array(bytesOf(text).buffer); }

  /* ---- the drawing ---- */

  var RIGHT = new THREE.Vector3(1.3, 1.9, 0).normalize(); /* of the first view */
  var renderer;
  try {
    renderer = new THREE.WebGLRenderer({ antialias: true, preserveDrawingBuffer: true }); /* for paper */
  } catch (e) {
    if (place) element("p", place, "note", "This browser has no WebGL, which the 3D replay needs. The plots below work without it.");
    document.body.dataset.replay = "none";
    return null;
  }
  var world = new THREE.Scene(), camera = new THREE.PerspectiveCamera(40, 2, 0.01, 1000);
  camera.up.set(0, 0, 1);
  function paint() { world.background = new THREE.Color(stictionPage.isDark() ? 0x20262d : 0xeef2f6); }
  paint();
  world.add(new THREE.HemisphereLight(0xffffff, 0x777777, 0.75));
  var sun = new THREE.DirectionalLight(0xffffff, 0.55);
  sun.position.set(2, -3, 6);
  world.add(sun);

  function meshOf(scene, k) {
    var mesh = scene.meshes[k], geometry;
    if (!mesh) return null;
    if (!mesh.geometry) {
      geometry = new THREE.BufferGeometry();
      geometry.setAttribute("position", new THREE.BufferAttribute(floatsOf(mesh.vertices), 3));
      geometry.setIndex(new THREE.BufferAttribute(new Uint32Array(bytesOf(mesh.faces).buffer), 1));
      geometry = geometry.toNonIndexed(); /* flat faces: no smooth edges */
      geometry.computeVertexNormals();
      mesh.geometry = geometry;
    }
    return mesh.geometry;
  }
  function geometryOf(scene, shape, extent) {
    var s = shape.size, made;
    switch (shape.type) {
    case "plane":
      return new THREE.PlaneBufferGeometry(2 * (s[0] || 5 * extent), 2 * (s[1] || 5 * extent));
    case "sphere": return new THREE.SphereBufferGeometry(s[0], 24, 16);
    case "ellipsoid":
      made = new THREE.SphereBufferGeometry(1, 24, 16);
      made.scale(s[0], s[1], s[2]);
      return made;
    case "cylinder":
      made = new THREE.CylinderBufferGeometry(s[0], s[0], 2 * s[1], 28);
      made.rotateX(Math.PI / 2);
      return made;
    case "box": return new THREE.BoxBufferGeometry(2 * s[0], 2 * s[1], 2 * s[2]);
    case "mesh": return meshOf(scene, shape.mesh);
    }
    return null;
  }
  /* A capsule is a cylinder and two balls. */
  function addShape(group, scene, shape, material, extent) {
    var holder = new THREE.Group(), geometry = geometryOf(scene, shape, extent);
    if (shape.type === "capsule") {
      geometry = geometryOf(scene, { type: "cylinder", size: shape.size }, extent);
      [-1, 1].forEach(function (side) {
        var ball = new THREE.Mesh(new THREE.SphereBufferGeometry(shape.size[0], 24, 12), material);
        ball.position.z = side * shape.size[1];
        holder.add(ball);
      });
    }
    if (!geometry) return;
    holder.add(new THREE.Mesh(geometry, material));
    put(holder, shape);
    holder.userData.shape = true;
    group.add(holder);
    if (shape.type === "plane") {
      var grid = new THREE.GridHelper(Math.min(2 * (shape.size[0] || 5 * extent), 40), 20, 0x9aa4ae, 0xb8c0c8);
      grid.rotation.x = Math.PI / 2;
      grid.position.z = 0.001 * extent;
      holder.add(grid);
    }
  }
  function put(group, at) {
    group.position.fromArray(at.position);
    group.quaternion.set(at.rotation[1], at.rotation[2], at.rotation[3], at.rotation[0]);
  }
  function materialOf(colour, look) {
    var opacity = look.ghost ? 0.25 : colour[3];
    var material = new THREE.MeshLambertMaterial({ color: look.ghost ? look.ghost : new THREE.Color(colour[0], colour[1], colour[2]),
      transparent: opacity < 1, opacity: opacity, depthWrite: opacity === 1, side: THREE.DoubleSide,
      polygonOffset: !!look.ghost, polygonOffsetFactor: 2, polygonOffsetUnits: 2 }); /* behind the same face of the robot */
    if (look.materials) look.materials.push({ material: material, colour: material.color.clone(), opacity: opacity });
    return material;
  }
  /* A run over another one is see-through and has a colour of its own. */
  function tint(run, colour) {
    run.materials.forEach(function (m) {
      m.material.color.copy(m.colour);
      if (colour !== null) m.material.color.lerp(new THREE.Color(colour), 0.7);
      m.material.opacity = colour !== null ? 0.45 : m.opacity;
      m.material.transparent = m.material.opacity < 1;
      m.material.depthWrite = !m.material.transparent;
      m.material.polygonOffset = colour !== null;
      m.material.needsUpdate = true;
    });
  }

  /* An arrow of length 1 along z, its tail at 0; seen through everything. */
  function arrow(parent, colour) {
    var group = new THREE.Group(), material = new THREE.MeshBasicMaterial({ color: colour, depthTest: false, transparent: true });
    [new THREE.CylinderBufferGeometry(0.025, 0.025, 0.75, 12), new THREE.ConeBufferGeometry(0.075, 0.25, 16)].forEach(function (geometry, k) {
      var part = new THREE.Mesh(geometry, material);
      geometry.rotateX(Math.PI / 2);
      part.position.z = k ? 0.875 : 0.375;
      part.renderOrder = 3;
      group.add(part);
    });
    parent.add(group);
    return group;
  }
  function point(arrow, tail, force, length) {
    arrow.position.copy(tail);
    arrow.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), force.clone().normalize());
    arrow.scale.setScalar(Math.max(length, 1e-9));
  }

  /* The links of a run as groups in groups. look.ghost: a colour, see-through, without what
   cannot move. */
  function build(run, look) {
    var root = new THREE.Group(), groups = [], pivots = {}, bases = {}, extent = run.scene.extent[0];
    run.scene.links.forEach(function (link, k) {
      var group = new THREE.Group(), inner = group;
      put(group, link);
      (link.parent < 0 ? root : groups[link.parent]).add(group);
      /* hinges turn about their anchors: out to the anchor, turn, and back */
      link.joints.forEach(function (joint) {
        var pivot = new THREE.Group(), back = new THREE.Group(), axis = new THREE.Vector3().fromArray(joint.axis);
        pivot.position.fromArray(joint.anchor);
        back.position.fromArray(joint.anchor).negate();
        inner.add(pivot);
        pivot.add(back);
        inner = back;
        pivots[joint.name || "link " + k] = { pivot: pivot, axis: axis, joint: joint, link: k };
        turn(pivots[joint.name || "link " + k], joint.start[0]);
      });
      groups.push(inner);
      if (link.floats) bases[link.floats] = group;
      if (!look.ghost || run.moves[k])
        link.shapes.forEach(function (shape) {
          addShape(inner, run.scene, shape, materialOf(shape.colour, look), extent);
        });
    });
    world.add(root);
    return { root: root, groups: groups, pivots: pivots, bases: bases };
  }
  function turn(p, position) {
    var moved = position - p.joint.zero[0];
    if (p.joint.slides) p.pivot.position.fromArray(p.joint.anchor).addScaledVector(p.axis, moved);
    else p.pivot.quaternion.setFromAxisAngle(p.axis, moved);
  }

  /* A ball at each joint with friction. */
  function addMarks(run) {
    run.marks = [];
    run.joints.forEach(function (joint, k) {
      var p = run.robot.pivots[joint.name];
      if (!joint.slips || !p) return;
      var mark = new THREE.Mesh(new THREE.SphereBufferGeometry(1, 16, 10), new THREE.MeshBasicMaterial({ color: STICKS, depthTest: false, transparent: true, opacity: 0.9 }));
      mark.renderOrder = 2;
      mark.userData = { joint: joint.name };
      p.pivot.add(mark);
      run.marks.push({ mesh: mark, joint: joint, pivot: p, size: (run.joints.length > 10 ? 0.02 : 0.035) * run.size });
    });
  }

  /* Which links can move, and the box around these at the start. */
  function measure(run) {
    run.moves = [];
    run.scene.links.forEach(function (link, k) {
      run.moves[k] = link.joints.length > 0 || !!link.floats || (link.parent >= 0 && run.moves[link.parent]);
    });
    run.robot.root.updateMatrixWorld(true);
    var box = new THREE.Box3();
    run.robot.groups.forEach(function (group, k) { if (run.moves[k]) box.expandByObject(group); });
    run.box = box.isEmpty() ? new THREE.Box3(new THREE.Vector3(-1, -1, 0), new THREE.Vector3(1, 1, 1)) : box;
    run.size = Math.max(run.box.getSize(new THREE.Vector3()).length() / 1.5, 1e-3);
  }
  /* The box in which it moves, unless it walks away, and its width in the first view. */
  function findRoom(run) {
    var size = new THREE.Vector3();
    run.room = run.box.clone();
    for (var part = 1; part <= 4; part++) {
      pose(run, part / 4 * run.time[run.time.length - 1]);
      run.robot.root.updateMatrixWorld(true);
      run.robot.groups.forEach(function (group, k) { if (run.moves[k]) run.room.expandByObject(group); });
    }
    if (run.room.getSize(size).length() > 5 * run.size) run.room.copy(run.box).getSize(size);
    run.reach = size.length() / 1.5;
    run.width = 1.15 * (RIGHT.x * size.x + RIGHT.y * size.y);
  }
  /* What surrounds a robot is drawn once: what does not move and is larger than it. */
  function hideSurroundings(run) {
    run.scene.links.forEach(function (link, k) {
      if (run.moves[k] || !link.shapes.length) return;
      var box = new THREE.Box3().expandByObject(run.robot.groups[k]);
      if (link.parent < 0 || box.getSize(new THREE.Vector3()).length() > 2 * run.size)
        run.robot.groups[k].children.forEach(function (child) { if (child.userData.shape) child.visible = false; });
    });
  }

  var end = 0, showsForces = true;
  runs.forEach(function (run, n) {
    run.time = floatsOf(run.time);
    end = Math.max(end, run.time[run.time.length - 1]);
    run.joints.forEach(function (joint) {
      ["position", "target", "friction"].forEach(function (key) { joint[key] = floatsOf(joint[key]); });
      if (joint.slips) joint.slips = bytesOf(joint.slips);
    });
    run.bases.forEach(function (base) {
      ["x", "y", "z", "qw", "qx", "qy", "qz"].forEach(function (key) { base[key] = floatsOf(base[key]); });
    });
    run.materials = [];
    run.robot = build(run, { materials: run.materials });
    measure(run);
    if (n && place) hideSurroundings(run);
    addMarks(run);
    run.hasTarget = run.joints.some(function (joint) { return joint.target && joint.target.some(function (v) { return !isNaN(v); }); });
    run.arrows = run.pushes.map(function () { return arrow(run.robot.root, PUSH); });
    addContacts(run);
    findRoom(run);
  });

  /* Contact forces are [time, point, force, point, force...]; half of them are longer than a quarter
   * of the robot. */
  function addContacts(run) {
    var sizes = [], most = 0;
    (run.contacts || []).forEach(function (moment) {
      for (var k = 1; k < moment.length; k += 6)
        sizes.push(Math.sqrt(moment[k + 3] * moment[k + 3] + moment[k + 4] * moment[k + 4] + moment[k + 5] * moment[k + 5]));
      most = Math.max(most, (moment.length - 1) / 6);
    });
    run.force = sizes.sort(function (a, b) { return a - b; })[sizes.length >> 1];
    run.contactArrows = [];
    for (var k = 0; k < most; k++) run.contactArrows.push(arrow(run.robot.root, CONTACT));
  }
  function poseContacts(run, t) {
    var low = 0, high = (run.contacts || []).length, moment = [];
    while (low < high) {
      var middle = (low + high) >> 1;
      if (run.contacts[middle][0] <= t) low = middle + 1; else high = middle;
    }
    /* what was recorded long ago has ended */
    if (low && t - run.contacts[low - 1][0] < 2 * Math.max(1 / 30, end / 4000)) moment = run.contacts[low - 1];
    run.contactArrows.forEach(function (arrow, k) {
      var n = 1 + 6 * k, force = new THREE.Vector3().fromArray(moment, n + 3);
      arrow.visible = showsForces && n < moment.length && force.length() > 0;
      if (arrow.visible) point(arrow, new THREE.Vector3().fromArray(moment, n), force, Math.min(0.6, 0.25 * force.length() / run.force) * run.size);
    });
  }

  /* ---- a moment of a run ---- */

  /* Index of the last posture up to t, and how far t is on the way to the next one. */
  function postureAt(run, t) {
    var low = 0, high = run.time.length - 1;
    while (low < high) {
      var middle = (low + high + 1) >> 1;
      if (run.time[middle] <= t) low = middle; else high = middle - 1;
    }
    var next = Math.min(low + 1, run.time.length - 1), step = run.time[next] - run.time[low];
    return { k: low, next: next, part: step > 0 ? Math.min(1, Math.max(0, (t - run.time[low]) / step)) : 0 };
  }
  function between(series, at) {
    var a = series[at.k], b = series[at.next];
    return a + at.part * (b - a);
  }
  function poseBase(robot, base, at) {
    var group = robot.bases[base.name];
    if (!group || !base.x || !base.qw) return;
    group.position.set(between(base.x, at), between(base.y, at), between(base.z, at));
    group.quaternion.set(between(base.qx, at), between(base.qy, at), between(base.qz, at), between(base.qw, at)).normalize();
  }
  function pose(run, t) {
    var at = postureAt(run, t);
    run.bases.forEach(function (base) {
      poseBase(run.robot, base, at);
      if (run.ghost) poseBase(run.ghost, base, at);
    });
    run.joints.forEach(function (joint) {
      var p = run.robot.pivots[joint.name];
      if (p && joint.position) turn(p, between(joint.position, at));
      if (run.ghost && p && joint.target) {
        var target = between(joint.target, at);
        turn(run.ghost.pivots[joint.name], isNaN(target) ? between(joint.position, at) : target);
      }
    });
    run.marks.forEach(function (m) {
      var load = m.joint.friction && m.joint.level ? Math.min(1, Math.abs(m.joint.friction[at.k]) / m.joint.level) : 0.5;
      var limits = m.pivot.joint.limits, q = m.joint.position[at.k];
      var atLimit = limits && (q <= limits[0] + 1e-3 || q >= limits[1] - 1e-3);
      m.mesh.material.color.set(atLimit ? LIMIT : m.joint.slips[at.k] ? SLIPS : STICKS);
      m.mesh.scale.setScalar(m.size * (0.5 + load));
    });
    run.pushes.forEach(function (push, n) {
      var arrow = run.arrows[n], end = push.duration === null || push.duration === undefined ? Infinity : push.time + push.duration;
      var link = run.scene.links.findIndex(function (l) { return l.name === push.link || l.name.endsWith("." + push.link) || l.name.endsWith("/" + push.link); });
      arrow.visible = showsForces && link >= 0 && t >= push.time && t <= end;
      if (!arrow.visible) return;
      var force = new THREE.Vector3().fromArray(push.force), tip = new THREE.Vector3(), length = 0.4 * run.size;
      run.robot.root.updateMatrixWorld(true);
      tip.setFromMatrixPosition(run.robot.groups[link].matrixWorld).sub(run.robot.root.position);
      point(arrow, tip.addScaledVector(force.clone().normalize(), -length), force, length);
    });
    poseContacts(run, t);
  }

  /* ---- the controls ---- */

  function look(target, size) {
    camera.position.set(1.85, -1.25, 0.9).multiplyScalar(size).add(target);
    camera.near = size / 200;
    camera.far = 100 * size;
    camera.lookAt(target);
    camera.updateProjectionMatrix();
  }

  /* Draws each run into its small canvas, as it ended; under the mouse it moves. */
  function thumbnails() {
    var pictures = [], playing = null;
    function draw(picture, t) {
      runs.forEach(function (run) { run.robot.root.visible = run === picture.run; });
      pose(picture.run, t);
      look(picture.run.room.getCenter(new THREE.Vector3()), 0.75 * picture.run.reach);
      renderer.render(world, camera);
      picture.canvas.getContext("2d").drawImage(renderer.domElement, 0, 0, picture.canvas.width, picture.canvas.height);
    }
    renderer.setSize(320, 200);
    camera.aspect = 1.6;
    document.querySelectorAll("canvas[data-thumbnail]").forEach(function (canvas) {
      var picture = { canvas: canvas, run: runs[Number(canvas.dataset.thumbnail)] }, started;
      if (!picture.run) return;
      picture.end = picture.run.time[picture.run.time.length - 1];
      pictures.push(picture);
      canvas.addEventListener("mouseenter", function () {
        playing = picture;
        started = performance.now();
        (function frame(now) {
          if (playing !== picture) return;
          draw(picture, picture.end * (Math.max(0, now - started) / 3000 % 1)); /* in three seconds */
          requestAnimationFrame(frame);
        })(started);
      });
      canvas.addEventListener("mouseleave", function () {
        playing = null;
        draw(picture, picture.end);
      });
    });
    function drawAll() { pictures.forEach(function (picture) { draw(picture, picture.end); }); }
    drawAll();
    stictionPage.onColours(function () { paint(); drawAll(); });
    document.body.dataset.thumbnails = pictures.length;
    return { runs: runs };
  }

  if (!place) return thumbnails();
  var time = 0, playing = false, speed = 1, last = null, dirty = true;
  var view = element("div", place, "view"), bar = element("div", place, "bar");
  view.appendChild(renderer.domElement);
  var play = element("button", bar, "", "Play"), scrub = element("input", bar);
  play.type = "button";
  scrub.type = "range";
  scrub.min = 0;
  scrub.max = end;
  scrub.step = end / 2000;
  scrub.setAttribute("aria-label", "time");
  var clock = element("output", bar, "clock"), pace = element("select", bar);
  pace.setAttribute("aria-label", "speed");
  [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10].forEach(function (v) {
    var option = element("option", pace, "", v + "\u00d7");
    option.value = v;
    option.selected = v === 1;
  });
  function box(label, on, act) {
    var holder = element("label", bar), input = element("input", holder);
    input.type = "checkbox";
    input.checked = on;
    element("span", holder, "", label);
    input.addEventListener("change", function () { act(input.checked); dirty = true; });
    return input;
  }
  function showTargets(on) {
    runs.forEach(function (run) {
      if (on && run.hasTarget && !run.ghost) run.ghost = build(run, { ghost: TARGET });
      if (run.ghost) run.ghost.root.visible = on;
      pose(run, time);
    });
    arrange();
  }
  /* Where a joint ends far from its target, the target is shown at once. */
  var missed = runs.length === 1 && runs[0].joints.some(function (joint) {
    var last = runs[0].time.length - 1;
    return joint.target && Math.abs(joint.target[last] - joint.position[last]) > 0.03;
  });
  var ghosts = runs.some(function (run) { return run.hasTarget; }) && box("target", missed, showTargets);
  if (runs.some(function (run) { return run.marks.length; }))
    box("joints", true, function (on) {
      runs.forEach(function (run) { run.marks.forEach(function (m) { m.mesh.visible = on; }); });
    });
  var hasPush = runs.some(function (run) { return run.pushes.length; }), hasContact = runs.some(function (run) { return run.contactArrows.length; });
  if (hasPush || hasContact)
    box("forces", true, function (on) {
      showsForces = on;
      runs.forEach(function (run) { pose(run, time); });
    });
  var step = Math.max.apply(null, runs.map(function (run) { return run.width; }));
  var besides = runs.length > 1 && box("side by side", true, arrange);
  var key = element("p", place, "note");
  function explain(colour, text) {
    element("i", key, "key dot").style.background = "#" + ("00000" + colour.toString(16)).slice(-6);
    key.append(text + " ");
  }
  if (runs.some(function (run) { return run.marks.length; })) {
    explain(STICKS, "sticks");
    explain(SLIPS, "slips");
    explain(LIMIT, "at its limit; a larger ball has more friction torque, a click shows its plots.");
  }
  if (ghosts) explain(TARGET, "target.");
  if (hasPush) explain(PUSH, "push.");
  if (hasContact) explain(CONTACT, "contact force.");
  key.append("Drag to turn, wheel to zoom, space to play.");
  var order = runs.length > 1 && element("p", place, "note");

  function arrange() {
    var apart = besides && besides.checked;
    runs.forEach(function (run, n) {
      var at = new THREE.Vector3().addScaledVector(RIGHT, apart ? n * step : 0);
      run.robot.root.position.copy(at);
      if (run.ghost) run.ghost.root.position.copy(at);
      if (n) tint(run, apart ? null : OTHERS[(n - 1) % OTHERS.length]);
    });
    if (order) order.textContent = (apart ? "From left to right: " : "Solid: ") + runs[0].name + (apart ? ", " : "; see-through: ") +
      runs.slice(1).map(function (run) { return run.name; }).join(", ") + ".";
    dirty = true;
  }

  var size = runs[0].reach, wide = besides ? 0.5 * (runs.length - 1) * step : 0;
  var target = runs[0].room.getCenter(new THREE.Vector3()).addScaledVector(RIGHT, wide);
  look(target, Math.max(size, besides ? (wide + 0.5 * step) / 1.4 : 0));
  arrange();
  if (missed) showTargets(true);
  var controls = new THREE.OrbitControls(camera, renderer.domElement);
  controls.target.copy(target);
  controls.update();
  controls.addEventListener("change", function () { dirty = true; });

  function resize() {
    var width = view.clientWidth, height = Math.max(220, Math.min(480, Math.round(width * 0.5)));
    renderer.setPixelRatio(window.devicePixelRatio || 1);
    renderer.setSize(width, height);
    camera.aspect = width / height;
    camera.updateProjectionMatrix();
    dirty = true;
  }
  window.addEventListener("resize", resize);

  function setTime(t, fromPlots) {
    time = Math.min(end, Math.max(0, t));
    scrub.value = time;
    clock.textContent = time.toFixed(2) + " s";
    runs.forEach(function (run) { pose(run, time); });
    if (!fromPlots) {
      stictionPage.showTime(time);
      stictionPage.announce({ time: time });
    }
    dirty = true;
  }
  function setPlaying(on) {
    playing = on;
    last = null;
    play.textContent = on ? "Pause" : "Play";
  }
  play.addEventListener("click", function () {
    if (!playing && time >= end) setTime(0);
    setPlaying(!playing);
  });
  scrub.addEventListener("input", function () { setPlaying(false); setTime(Number(scrub.value)); });
  pace.addEventListener("change", function () { speed = Number(pace.value); });
  view.tabIndex = 0;
  document.addEventListener("keydown", function (e) {
    if (e.target !== document.body && e.target !== view) return;
    if (e.key === " ") play.click();
    else if (e.key === "ArrowRight" || e.key === "ArrowLeft") setTime(time + (e.key === "ArrowRight" ? 1 : -1) * end / 100);
    else return;
    e.preventDefault();
  });
  stictionPage.onTime(function (t) { if (!playing) setTime(t, true); });

  /* A click, not a drag, on the ball of a joint shows its plots. */
  var pressed = null;
  renderer.domElement.addEventListener("pointerdown", function (e) { pressed = [e.clientX, e.clientY]; });
  renderer.domElement.addEventListener("pointerup", function (e) {
    if (!pressed || Math.abs(e.clientX - pressed[0]) + Math.abs(e.clientY - pressed[1]) > 4) return;
    var frame = renderer.domElement.getBoundingClientRect(), ray = new THREE.Raycaster();
    ray.setFromCamera({ x: 2 * (e.clientX - frame.left) / frame.width - 1, y: 1 - 2 * (e.clientY - frame.top) / frame.height }, camera);
    var hit = ray.intersectObjects([].concat.apply([], runs.map(function (run) { return run.marks.map(function (m) { return m.mesh; }); })))[0];
    if (hit) stictionPage.choose("joint", hit.object.userData.joint);
  });

  stictionPage.onColours(function () { paint(); dirty = true; });
  window.addEventListener("beforeprint", function () { renderer.render(world, camera); });

  function frame(now) {
    requestAnimationFrame(frame);
    if (playing) {
      if (last !== null) {
        setTime(time + speed * (now - last) / 1000);
        if (time >= end) setPlaying(false);
      }
      last = now;
    }
    if (!dirty) return;
    dirty = false;
    renderer.render(world, camera);
  }
  resize();
  setTime(0);
  renderer.render(world, camera);
  document.body.dataset.replay = runs.length;
  requestAnimationFrame(frame);

  /* The position of a joint as it is drawn, from its group in the scene. */
  function drawnPosition(n, name) {
    var p = runs[n].robot.pivots[name], q = p.pivot.quaternion, moved;
    if (p.joint.slides) moved = p.pivot.position.clone().sub(new THREE.Vector3().fromArray(p.joint.anchor)).dot(p.axis);
    else moved = 2 * Math.atan2(p.axis.dot(new THREE.Vector3(q.x, q.y, q.z)), q.w);
    return moved + p.joint.zero[0];
  }
  function draw() { renderer.render(world, camera); }
  return { setTime: setTime, draw: draw, time: function () { return time; }, drawnPosition: drawnPosition, runs: runs, renderer: renderer, camera: camera };
})();
