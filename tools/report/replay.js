// SPDX-License-Identifier: MIT
/* The replay of runs: links as groups of three.js, moved by the positions of the series. The page
 * has the data as JSON; times of the plots and of the replay are one. */
"use strict";
var stictionReplay = (function () {
  var place = document.querySelector("section.replay"), data = document.getElementById("replay-runs");
  if (!place || !data) return null;
  var element = stictionPage.element, runs = JSON.parse(data.textContent);
  var STICKS = 0x0072b2, SLIPS = 0xd55e00, LIMIT = 0x8b008b;

  function bytesOf(text) {
    var binary = atob(text), bytes = new Uint8Array(binary.length);
    for (var k = 0; k < bytes.length; k++) bytes[k] = binary.charCodeAt(k);
    return bytes;
  }
  function floatsOf(text) { return text === undefined ? null : new Float32Array(bytesOf(text).buffer); }

  /* ---- the drawing ---- */

  var renderer;
  try {
    renderer = new THREE.WebGLRenderer({ antialias: true });
  } catch (e) {
    element("p", place, "note", "This browser has no WebGL, which the 3D replay needs. The plots below work without it.");
    document.body.dataset.replay = "none";
    return null;
  }
  var world = new THREE.Scene(), camera = new THREE.PerspectiveCamera(40, 2, 0.01, 1000);
  var dark = window.matchMedia && window.matchMedia("(prefers-color-scheme: dark)").matches &&
    getComputedStyle(document.body).backgroundColor !== "rgb(255, 255, 255)";
  camera.up.set(0, 0, 1);
  world.background = new THREE.Color(dark ? 0x20262d : 0xeef2f6);
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
    return new THREE.MeshLambertMaterial({ color: look.ghost ? look.ghost : new THREE.Color(colour[0], colour[1], colour[2]),
      transparent: opacity < 1, opacity: opacity, depthWrite: opacity === 1, side: THREE.DoubleSide });
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
      run.marks.push({ mesh: mark, joint: joint, pivot: p, size: 0.02 * run.size });
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
  /* What surrounds a robot is drawn once: what does not move and is larger than it. */
  function hideSurroundings(run) {
    run.scene.links.forEach(function (link, k) {
      if (run.moves[k] || !link.shapes.length) return;
      var box = new THREE.Box3().expandByObject(run.robot.groups[k]);
      if (link.parent < 0 || box.getSize(new THREE.Vector3()).length() > 2 * run.size)
        run.robot.groups[k].children.forEach(function (child) { if (child.userData.shape) child.visible = false; });
    });
  }

  runs.forEach(function (run, n) {
    run.time = floatsOf(run.time);
    run.joints.forEach(function (joint) {
      ["position", "target", "friction"].forEach(function (key) { joint[key] = floatsOf(joint[key]); });
      if (joint.slips) joint.slips = bytesOf(joint.slips);
    });
    run.bases.forEach(function (base) {
      ["x", "y", "z", "qw", "qx", "qy", "qz"].forEach(function (key) { base[key] = floatsOf(base[key]); });
    });
    run.robot = build(run, {});
    measure(run);
    if (n) hideSurroundings(run);
    addMarks(run);
    run.hasTarget = run.joints.some(function (joint) { return joint.target && joint.target.some(function (v) { return !isNaN(v); }); });
    run.arrows = run.pushes.map(function () {
      var arrow = new THREE.ArrowHelper(new THREE.Vector3(1, 0, 0), new THREE.Vector3(), 1, 0xb00020);
      arrow.visible = false;
      world.add(arrow);
      return arrow;
    });
  });

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
      arrow.visible = link >= 0 && t >= push.time && t <= end;
      if (!arrow.visible) return;
      var force = new THREE.Vector3().fromArray(push.force), tip = new THREE.Vector3();
      run.robot.root.updateMatrixWorld(true);
      run.robot.groups[link].getWorldPosition(tip);
      arrow.setDirection(force.clone().normalize());
      arrow.setLength(0.4 * run.size);
      arrow.position.copy(tip).addScaledVector(force.normalize(), -0.4 * run.size);
    });
  }

  /* ---- the controls ---- */

  var end = Math.max.apply(null, runs.map(function (run) { return run.time[run.time.length - 1]; }));
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
  var ghosts = runs.some(function (run) { return run.hasTarget; }) && box("target", false, function (on) {
    runs.forEach(function (run) {
      if (on && run.hasTarget && !run.ghost) run.ghost = build(run, { ghost: 0x009e73 });
      if (run.ghost) run.ghost.root.visible = on;
      pose(run, time);
    });
    arrange();
  });
  if (runs.some(function (run) { return run.marks.length; }))
    box("joints", true, function (on) {
      runs.forEach(function (run) { run.marks.forEach(function (m) { m.mesh.visible = on; }); });
    });
  var besides = runs.length > 1 && box("side by side", true, arrange);
  var key = element("p", place, "note");
  key.innerHTML = "<i class='key dot' style='background:#0072b2'></i>sticks <i class='key dot' style='background:#d55e00'></i>slips " +
    "<i class='key dot' style='background:#8b008b'></i>at its limit. A larger ball has more friction torque. Drag to turn, " +
    "wheel to zoom; click a joint to see its plots.";
  if (runs.length > 1)
    element("p", place, "note", "From left to right: " + runs.map(function (run) { return run.name; }).join(", ") + ".");

  function arrange() {
    runs.forEach(function (run, n) {
      var y = besides && besides.checked ? n * 1.2 * run.size : 0;
      run.robot.root.position.y = y;
      if (run.ghost) run.ghost.root.position.y = y;
    });
    dirty = true;
  }
  arrange();

  var middle = runs[0].box.getCenter(new THREE.Vector3()), size = runs[0].size, wide = besides ? 0.6 * (runs.length - 1) * 1.2 * size : 0;
  var target = new THREE.Vector3(middle.x, middle.y + wide, middle.z);
  camera.position.set(target.x + 1.9 * size + 1.2 * wide, target.y - 1.3 * size, target.z + 0.7 * size);
  camera.near = size / 200;
  camera.far = 100 * size;
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
    if (!fromPlots) stictionPage.showTime(time);
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
  view.addEventListener("keydown", function (e) {
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
  return { setTime: setTime, time: function () { return time; }, drawnPosition: drawnPosition, runs: runs, renderer: renderer };
})();
