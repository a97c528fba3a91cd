// SPDX-License-Identifier: MIT
// MuJoCo 3 in node, from its official WebAssembly package, for mujoco_node.c. Reads requests from
// file 3 and answers on file 4: four integers (what, world, number, first degree of freedom), then
// numbers or text.
import fs from 'node:fs';

const load = (await import(process.argv[2])).default;
const mujoco = await load({ print: console.error, printErr: console.error });
const worlds = [];

function receive(size) {
  const bytes = Buffer.alloc(size);
  for (let at = 0; at < size;) {
    const more = fs.readSync(3, bytes, at, size - at, null);
    if (more === 0) process.exit(0);
    at += more;
  }
  return bytes;
}
const doubles = (count) => new Float64Array(new Uint8Array(receive(8 * count)).buffer);
const send = (numbers) => fs.writeSync(4, new Uint8Array(Float64Array.from(numbers).buffer));

for (;;) {
  const head = receive(16);
  const [what, id, count, first] = [0, 4, 8, 12].map((at) => head.readInt32LE(at));
  const w = worlds[id];
  if (what === 0) { // version
    send([Number(mujoco.mj_versionString().split('.').reduce((sum, part) => sum * 1000 + Number(part), 0))]);
  } else if (what === 1) { // open, from MJCF
    try {
      const model = mujoco.from_xml_string(receive(count).toString());
      worlds.push({ model, data: new mujoco.MjData(model), failed: false });
      send([worlds.length - 1]);
    } catch (error) {
      console.error(`peers: ${error.message}`);
      send([-1]);
    }
  } else if (what === 2) { // step `count` times, then read
    const joints = w.joints;
    const torque = doubles(count * joints);
    for (let k = 0; k < count; k++) {
      const before = w.data.time;
      w.data.qfrc_applied.set(torque.subarray(k * joints, (k + 1) * joints), first);
      mujoco.mj_step(w.model, w.data);
      if (!(w.data.time > before)) w.failed = true; // it starts again when it diverges
    }
    const end = first + joints;
    send([...w.data.qpos.subarray(first, end), ...w.data.qvel.subarray(first, end)]
      .map((number) => (w.failed ? NaN : number)));
  } else if (what === 3) { // place `count` joints
    const numbers = doubles(2 * count);
    mujoco.mj_resetData(w.model, w.data);
    w.data.qpos.set(numbers.subarray(0, count), first);
    w.data.qvel.set(numbers.subarray(count), first);
    w.failed = false;
    w.joints = count;
  } else if (what === 4) { // friction
    w.model.dof_frictionloss.fill(doubles(1)[0], first, first + count);
  } else { // close
    w.data.delete();
    w.model.delete();
    worlds[id] = undefined;
  }
}
