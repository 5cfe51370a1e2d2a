/** An error of the files of a run; `text` is ffmpeg's message. */
export type FileFault = { kind: 'disk_full' | 'write' | 'read'; text: string }

const DISK_FULL = /No space left on device|Disk quota exceeded/
/** `Invalid data` means a damaged packet of the source that cannot be copied; everything written before it is complete. */
const WRITE =
  /Read-only file system|File too large|av_interleaved_write_frame\(\)(?!: Invalid data)|Error writing trailer|Error muxing a packet|Failure occurred when ending segment/
const READ = /Input\/output error|Stale file handle|Transport endpoint is not connected/

/**
 * The first file error in ffmpeg's output, or null. The exit code is not sufficient: it is 0 when the disk fills up while ffmpeg writes
 * (measured). Errors about damaged pictures are ignored, because the rest is played.
 * @param paths of the run; a file may be named `No space left on device.mkv`
 */
export function findFileFault(errorOutput: string, paths: readonly string[]): FileFault | null {
  const lines = withoutPaths(errorOutput, paths).split('\n')
  // A full disk causes several messages; the specific one takes precedence.
  for (const [kind, pattern] of [
    ['disk_full', DISK_FULL],
    ['write', WRITE],
    ['read', READ],
  ] as const) {
    const text = lines.find((line) => pattern.test(line))
    if (text !== undefined) return { kind, text: text.trim() }
  }
  return null
}

/** The output of a program without the names of its files, which are not under our control. */
export function withoutPaths(output: string, paths: readonly string[]): string {
  return paths.reduce((text, path) => text.replaceAll(path, ''), output)
}
