# SPDX-License-Identifier: MIT
"""Two robots that `export` gave friction, merged as mc_mujoco merges models: it copies the attributes of
each <extension><plugin>, of the same one again for each robot, and drops what is in them; it merges the
defaults and options of all robots, prefixes all names in bodies, and of sensors only their own attributes.
It loads the files of objects by themselves, too. The merged model rests in MuJoCo 3 under gravity, each
robot on its own friction, and falls without it.

usage: merge.py STICTION AT_REST PLUGIN
"""
import copy
import pathlib
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET

ARM = """<mujoco><extension><plugin plugin="stiction.sticks"/></extension><option timestep="0.001"/><default><joint damping="0.2"/></default><worldbody>
<body name="base" pos="%d 0 1"><joint name="shoulder" axis="0 1 0" armature="0.2"/>
<geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.03"/>
<body name="lower" pos="0.3 0 0"><joint name="elbow" axis="0 1 0" armature="0.1"/>
<geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.02"/></body></body></worldbody>
<sensor><plugin name="sticks" plugin="stiction.sticks"><config key="joints" value="*elbow"/></plugin></sensor>
</mujoco>"""
FRICTION = """{stiction: 1, joints: {"*": {law: coulomb, coulomb_torque: 30, stiffness: 5000, damping: 50}}}"""
PREFIXED = ("name", "childclass", "class", "material", "hfield", "mesh", "target")


def child(parent, tag):
    found = parent.find(tag)
    return ET.SubElement(parent, tag) if found is None else found


def merge_extension(source, target):
    """Of each plugin the attributes, and not what is in it."""
    merged = child(target, "extension")
    for plugin in source.find("extension").findall("plugin"):
        ET.SubElement(merged, "plugin", plugin.attrib)


def merge_attributes(source, target):
    """The first value of an attribute prevails."""
    for key, value in source.attrib.items():
        target.attrib.setdefault(key, value)


def merge_globals(source, target):
    """<option> and what is in <default> outside classes."""
    merge_attributes(source.find("option"), child(target, "option"))
    for element in source.find("default"):
        merge_attributes(element, child(child(target, "default"), element.tag))


def merge_sensors(source, target, robot):
    """What is in a sensor stays as it is."""
    merged = child(target, "sensor")
    for sensor in source.find("sensor"):
        sensor = copy.deepcopy(sensor)
        for key in ("name", "site", "joint", "actuator", "tendon", "objname", "body"):
            if sensor.get(key) is not None:
                sensor.set(key, f"{robot}_{sensor.get(key)}")
        merged.append(sensor)


def merge_world(source, target, robot):
    """Bodies with prefixed names."""
    world = child(target, "worldbody")
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
        path.write_bytes(exported)
        root = ET.fromstring(exported)
        merge_globals(root, merged)
        merge_extension(root, merged)
        merge_world(root, merged, robot)
        merge_sensors(root, merged, robot)
    ET.ElementTree(merged).write(folder / "merged.xml")
    for body in merged.find("worldbody"):
        body.remove(body.find("plugin"))
    ET.ElementTree(merged).write(folder / "free.xml")

    def rests(name):
        return subprocess.run([at_rest, plugin, folder / name], cwd=work).returncode == 0

    sys.exit(not (rests("left.xml") and rests("merged.xml") and not rests("free.xml")))
