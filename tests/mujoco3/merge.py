# SPDX-License-Identifier: MIT
"""Two robots that `export` gave friction, merged as mc_mujoco merges models: it copies the attributes of
<extension><plugin> and drops what is in them, and puts ROBOT_ before the names of bodies and joints.
The merged model rests in MuJoCo 3 under gravity, each robot on its own friction.

usage: merge.py STICTION AT_REST PLUGIN
"""
import copy
import pathlib
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET

ARM = """<mujoco><option timestep="0.001"/><default><joint damping="0.2"/></default><worldbody>
<body name="base" pos="%d 0 1"><joint name="shoulder" axis="0 1 0" armature="0.2"/>
<geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.03"/>
<body name="lower" pos="0.3 0 0"><joint name="elbow" axis="0 1 0" armature="0.1"/>
<geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.02"/></body></body></worldbody></mujoco>"""
FRICTION = """{stiction: 1, joints: {"*": {law: coulomb, coulomb_torque: 30, stiffness: 5000, damping: 50}}}"""
PREFIXED = ("name", "childclass", "class", "material", "hfield", "mesh", "target")


def merge_extension(source, target):
    """Of each plugin the attributes, and not what is in it."""
    for extension in source.findall("extension"):
        merged = target.find("extension")
        merged = ET.SubElement(target, "extension") if merged is None else merged
        for plugin in extension.findall("plugin"):
            if not any(p.get("plugin") == plugin.get("plugin") for p in merged):
                ET.SubElement(merged, "plugin", plugin.attrib)


def merge_world(source, target, robot):
    """Bodies with prefixed names."""
    world = target.find("worldbody")
    world = ET.SubElement(target, "worldbody") if world is None else world
    for body in source.find("worldbody"):
        body = copy.deepcopy(body)
        for element in body.iter():
            for key in PREFIXED:
                if element.get(key) is not None:
                    element.set(key, f"{robot}_{element.get(key)}")
        world.append(body)


stiction, at_rest, plugin = sys.argv[1:]
with tempfile.TemporaryDirectory() as work:
    folder = pathlib.Path(work)
    (folder / "friction.yaml").write_text(FRICTION)
    merged = ET.Element("mujoco")
    for k, robot in enumerate(("left", "right")):
        path = folder / f"{robot}.xml"
        path.write_text(ARM % k)
        exported = subprocess.run(
            [stiction, "export", folder / "friction.yaml", "--robot", path, "--to", "mjcf", "--prefix", robot + "_"],
            check=True,
            capture_output=True,
        ).stdout
        root = ET.fromstring(exported)
        merge_extension(root, merged)
        merge_world(root, merged, robot)
    ET.SubElement(merged, "option", timestep="0.001")
    ET.ElementTree(merged).write(folder / "merged.xml")
    sys.exit(subprocess.run([at_rest, plugin, folder / "merged.xml"], cwd=work).returncode)
