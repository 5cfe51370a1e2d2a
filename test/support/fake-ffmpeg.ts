import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Runs the real ffmpeg with `libx264` under the name of a hardware encoder, and without the arguments for its device. */
export const STAND_IN = `
words=()
while [ $# -gt 0 ]; do
  case "$1" in
    -vaapi_device|-init_hw_device) shift 2; continue;;
    *_vaapi|*_qsv|*_nvenc|*_amf|*_v4l2m2m|*_videotoolbox) words+=(libx264 -preset ultrafast);;
    hwupload) words+=(null);;
    *) words+=("$1");;
  esac
  shift
done
exec "$FFMPEG" "\${words[@]}"`

/**
 * Writes a script that behaves like an ffmpeg with some hardware encoders. The real ffmpeg decodes, and encodes with other encoders. The
 * generated picture is small, because its size does not matter.
 * @param encoders maps names to what the script does when it encodes with them
 * @returns the path of the script
 */
export function fakeFfmpeg(folder: string, encoders: Readonly<Record<string, string>>): string {
  const path = join(folder, 'ffmpeg')
  const list = Object.keys(encoders).map((name) => ` V....D ${name.padEnd(20)} Encoder (codec ${name.split('_')[0]})`)
  const cases = Object.entries(encoders).map(([name, script]) => `*" -c:v ${name} "*) ${script}\n;;`)
  const script = `#!/bin/bash
FFMPEG=ffmpeg
set -- "\${@/size=1280x720/size=160x90}"
case " $* " in
*" -version "*) echo "ffmpeg version 7.1-fake Copyright"; exit 0;;
*" -encoders "*) cat <<'END'
Encoders:
 V..... = Video
 ------
 V....D libx264              libx264 H.264 (codec h264)
${list.join('\n')}
 A....D aac                  AAC (Advanced Audio Coding)
END
exit 0;;
${cases.join('\n')}
esac
exec "$FFMPEG" "$@"
`
  writeFileSync(path, script)
  chmodSync(path, 0o755)
  return path
}

/** A script that prints to stderr and fails, as ffmpeg does. */
export function failing(...messages: string[]): string {
  const lines = [...messages, 'Conversion failed!'].map((line) => `'${line.replaceAll("'", String.raw`'\''`)}'`)
  return `printf '%s\\n' ${lines.join(' ')} >&2; exit 1`
}
