# SPDX-License-Identifier: MIT
# The first walk of docs/choreonoid.md, as far as it goes without a window: PA10 of Choreonoid's samples
# with a file from `stiction init`, J2 sticking harder than it slides, headless on MuJoCo's item.
. "$(dirname "$0")/lib.sh"
[ -e "$SHARE/project/PA10Pickup.cnoid" ] || {
    echo "skipped: this Choreonoid has no sample projects"
    exit 77
}
(needs_item MuJoCo) && item=MuJoCo || item=AIST
export STICTION_CHOREONOID="$CHOREONOID" CNOID_PLUGIN_PATH="$PLUGINS" XDG_RUNTIME_DIR="$work" LANG=C
cd "$work"
"$STICTION" init "$SHARE/model/PA10/PA10.body" --out pa10.yaml >log 2>&1 || fail "init: $?"
"$STICTION" check pa10.yaml --body "$SHARE/model/PA10/PA10.body" >log 2>&1 || fail "check: $?"

# the lines of the document in the place of J2's law
sed -n '/^     J2:$/,/^   ```$/p' "$SOURCES/docs/choreonoid.md" | sed '/```/d; s/^   //' >j2.yaml
[ "$(grep -c . j2.yaml)" -eq 5 ] || fail "the document's lines were not found"
awk '/^  J2:$/ { while ((getline line < "j2.yaml") > 0) print line; inside = 1; next }
     inside && /law:|coulomb_torque:/ { next }
     /^  J3:$/ { inside = 0 }
     { print }' pa10.yaml >stribeck.yaml
"$STICTION" run "$SHARE/project/PA10Pickup.cnoid" --engine choreonoid \
    --simulator ${item}Simulator --set configuration=stribeck.yaml --set duration=5 --no-report \
    >log 2>&1 || fail "run: $?"

# what the document's graph shows: 50 N m where it breaks away, 34 N m while it slides
awk -F, 'NR == 1 { for (k = 1; k <= NF; k++) if ($k == "J2.friction_torque") f = k; else if ($k == "J2.velocity") v = k }
    NR > 1 { a = $f < 0 ? -$f : $f; s = $v < 0 ? -$v : $v; if (a > most) most = a
             if (s > 1) { sum += a; n++ } }
    END { printf "%.2f %.2f\n", most, n ? sum / n : 0 }' results/PA10Pickup/joints.csv >torques
read -r most sliding <torques
near "break-away torque of J2 on $item, N m" "$most" 50 0.5
near "sliding torque of J2, N m" "$sliding" 34 0.1
finish
