#!/bin/sh
# usage: scripts/make-sample-library.sh FOLDER
#
# Creates a small sample library: Movies, Series, Music, Audiobooks, Photos. ffmpeg generates every picture and sound, so nothing is
# downloaded and no copyright is affected. Existing files are not changed.
set -eu
[ $# -eq 1 ] || { echo 'usage: scripts/make-sample-library.sh FOLDER' >&2; exit 2; }
mkdir -p "$1"
cd "$1"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

run_ffmpeg() { "${PHLIX_FFMPEG:-ffmpeg}" -hide_banner -loglevel error -nostdin -y "$@"; }

# place FINISHED FILE: moves FINISHED to FILE atomically, so that an interrupted script leaves no partial FILE.
place() {
  mkdir -p "$(dirname -- "$2")"
  mv -- "$1" "$2.part"
  mv -- "$2.part" "$2"
}

# make FILE FFMPEG_ARGUMENTS...
make() {
  file=$1
  shift
  [ ! -e "$file" ] || return 0
  echo "  making $file" >&2
  run_ffmpeg "$@" "$work/made.${file##*.}"
  place "$work/made.${file##*.}" "$file"
}

moving_picture() { echo "testsrc2=size=$1:rate=24:duration=$2"; }
fractal() { echo "mandelbrot=size=$1:rate=24:maxiter=200,trim=duration=$2"; }
tone() { echo "sine=frequency=$1:beep_factor=4:sample_rate=48000:duration=$2"; }
h264='-c:v libx264 -preset ultrafast -pix_fmt yuv420p -g 48'
aac='-c:a aac -b:a 96k -ac 2'

# shellcheck disable=SC2086 # the codec settings are lists of arguments
{
  make 'Movies/The Counting Clock (2024)/The Counting Clock (2024).mp4' \
    -f lavfi -i "$(moving_picture 640x360 60)" -f lavfi -i "$(tone 330 60)" $h264 -crf 30 $aac -movflags +faststart
  make 'Movies/Deep Zoom (2023).mkv' \
    -f lavfi -i "$(fractal 854x480 20)" -f lavfi -i "$(tone 220 20)" -f lavfi -i "$(tone 440 20)" \
    -map 0 -map 1 -map 2 $h264 -crf 34 -c:a:0 ac3 -b:a:0 192k -ac 2 -c:a:1 flac \
    -metadata:s:a:0 language=eng -metadata:s:a:1 language=deu -shortest
  for episode in 1 2; do
    make "Series/Test Patterns/Season 01/Test Patterns - S01E0$episode.mp4" \
      -f lavfi -i "$(moving_picture 320x180 20)" -f lavfi -i "$(tone $((200 * episode)) 20)" $h264 -crf 32 $aac -movflags +faststart
  done
  track=0
  for title in Dawn Noon Dusk; do
    track=$((track + 1))
    make "Music/The Oscillators/Three Tones (2022)/0$track - $title.mp3" \
      -f lavfi -i "$(tone $((220 * track)) 15)" -c:a libmp3lame -b:a 128k -metadata "title=$title" -metadata 'artist=The Oscillators' \
      -metadata 'album_artist=The Oscillators' -metadata 'album=Three Tones' -metadata "track=$track/3" -metadata 'date=2022' -metadata 'genre=Electronic'
  done
}

chapters=$work/chapters.txt
{
  printf ';FFMETADATA1\ntitle=A Short History of Beeps\nartist=Ada Sample\ngenre=Audiobook\n'
  printf '[CHAPTER]\nTIMEBASE=1/1\nSTART=0\nEND=20\ntitle=The First Beep\n'
  printf '[CHAPTER]\nTIMEBASE=1/1\nSTART=20\nEND=40\ntitle=The Second Beep\n'
} >"$chapters"
make 'Audiobooks/Ada Sample/A Short History of Beeps.m4b' \
  -f lavfi -i "$(tone 300 40)" -f ffmetadata -i "$chapters" -map 0 -map_metadata 1 -map_chapters 1 -c:a aac -b:a 48k -ac 1 -f ipod

# ffmpeg writes no EXIF, so the segment is inserted after the JPEG's start marker: a TIFF header, IFD0 with the pointer to the Exif
# IFD (0x8769), which contains DateTimeOriginal (0x9003), 20 bytes of text.
# photograph FILE 'YYYY:MM:DD HH:MM:SS' LAVFI_SOURCE
photograph() {
  [ ! -e "$1" ] || return 0
  echo "  making $1" >&2
  run_ffmpeg -f lavfi -i "$3" -frames:v 1 -q:v 4 -update 1 "$work/plain.jpg"
  {
    printf '\377\330\377\341\000\110Exif\000\000II*\000\010\000\000\000'
    printf '\001\000\151\207\004\000\001\000\000\000\032\000\000\000\000\000\000\000'
    printf '\001\000\003\220\002\000\024\000\000\000\054\000\000\000\000\000\000\000%s\000' "$2"
    tail -c +3 "$work/plain.jpg"
  } >"$work/dated.jpg"
  place "$work/dated.jpg" "$1"
}
photograph 'Photos/2024/Spiral.jpg' '2024:05:17 14:03:09' 'mandelbrot=size=1200x800'
photograph 'Photos/2024/Bars.jpg' '2024:05:17 18:45:30' 'smptehdbars=size=1200x800'
photograph 'Photos/2024/Gradient.jpg' '2024:08:02 09:12:00' 'gradients=size=800x1200'
