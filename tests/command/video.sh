#!/bin/sh
# SPDX-License-Identifier: MIT
# video.sh STICTION: a video of a run as MP4, GIF or frames. Skipped (77) without OpenGL or ffmpeg.
. "$(dirname "$0")/lib.sh"
project=$sources/sample_projects/wrist/wrist.cnoid
film() { "$STICTION" run "$project" --set duration=0.5 --no-report --video 10 --video-size 65x48 "$@" >out 2>err; }

film --out frames --video-format png || {
    grep -q 'OpenGL\|has no video' err && { echo "skipped: $(cat err)"; exit 77; }
    fail "no frames: $(cat err)"
}
[ "$(ls frames/wrist/video | wc -l)" -eq 6 ] || fail "not 6 frames"
refuses 2 '--video-format avi: must be mp4, gif or png' run "$project" --video 10 --video-format avi
refuses 2 '--video-format is for --video' run "$project" --video-format gif

# without ffmpeg: frames, or an error that says what to install
mkdir bin
(PATH=$work/bin; film --out default) || fail "without ffmpeg: $(cat err)"
[ -e default/wrist/video/frame_00005.png ] || fail "no frames without ffmpeg"
(PATH=$work/bin; film --out none --video-format mp4) && fail "mp4 without ffmpeg"
says err 'install the Debian package ffmpeg'
[ -e none/wrist/summary.json ] || fail "no results beside a video that failed"

command -v ffprobe >/dev/null || { echo "skipped: ffmpeg is not there (Debian package ffmpeg)"; [ "$failures" -eq 0 ] && exit 77; }
film --out mp4 || fail "mp4: $(cat err)"
film --out gif --video-format gif || fail "gif: $(cat err)"
for name in mp4 gif; do
    [ ! -e $name/wrist/video ] || fail "$name: its frames are still there"
    grep -q "video.$name" $name/wrist/SHA256SUMS || fail "$name is not in the list"
    ffprobe -v error -count_frames -show_entries stream=width,height,nb_read_frames -of csv=p=0 $name/wrist/video.$name >shape
done
is shape '65,48,6'
[ "$(ffprobe -v error -count_frames -show_entries stream=width,height,nb_read_frames -of csv=p=0 mp4/wrist/video.mp4)" = 64,48,6 ] ||
    fail "the MP4 has another shape"
[ "$failures" -eq 0 ]
