#!/bin/sh
# SPDX-License-Identifier: MIT
# Makes an animation (GIF or MP4) of the replay in a report, with marks, targets and forces.
# Needs chromium and ffmpeg.
set -eu
usage='usage: sh tools/animation.sh PAGE OUT.gif|OUT.mp4 [FPS [SECONDS [WIDTH]]]'
[ $# -ge 2 ] || { echo "$usage" >&2; exit 2; }
page=$1 out=$2 fps=${3:-15} seconds=${4:-5} width=${5:-640}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
{
    cat "$page"
    cat <<END
<script>
window.addEventListener("load", function () {
  var frames = [], place = document.createElement("pre"), box = document.querySelector(".replay .bar input[type=checkbox]");
  if (box && /target/.test(box.parentNode.textContent) && !box.checked) box.click();
  for (var k = 0; k <= $fps * $seconds; k++) {
    stictionReplay.setTime(k / $fps);
    stictionReplay.draw();
    frames.push("frame " + stictionReplay.renderer.domElement.toDataURL("image/png").split(",")[1]);
  }
  place.textContent = "\n" + frames.join("\n") + "\n";
  document.body.appendChild(place);
});
</script>
END
} >"$work/page.html"
chromium --headless --no-sandbox --disable-gpu --enable-unsafe-swiftshader --user-data-dir="$work/profile" \
    --window-size="$((width + 40)),900" --dump-dom "file://$work/page.html" 2>"$work/log" | sed -n 's/^frame //p' >"$work/frames"
n=0
while read -r frame; do
    printf '%s' "$frame" | base64 -d >"$work/$(printf 'frame_%05d.png' $n)"
    n=$((n + 1))
done <"$work/frames"
[ "$n" -gt 1 ] || { echo "no frames: $(tail -1 "$work/log")" >&2; exit 1; }
case $out in
*.gif) filter='split[a][b];[a]palettegen[p];[b][p]paletteuse=dither=none' ;;
*) filter='crop=trunc(iw/2)*2:trunc(ih/2)*2,format=yuv420p' ;;
esac
ffmpeg -nostdin -v error -y -framerate "$fps" -i "$work/frame_%05d.png" -vf "$filter" "$out"
echo "$out: $n frames, $(wc -c <"$out") bytes"
