/** Something that went wrong with the files of a run, in ffmpeg's own words. */
export type FileFault = { kind: 'disk_full' | 'write' | 'read'; text: string }

const DISK_FULL = /No space left on device|Disk quota exceeded/
/** `Invalid data` is a damaged packet of the source that a copy cannot take; what was written before it is whole. */
const WRITE =
  /Read-only file system|File too large|av_interleaved_write_frame\(\)(?!: Invalid data)|Error writing trailer|Error muxing a packet|Failure occurred when ending segment/
const READ = /Input\/output error|Stale file handle|Transport endpoint is not connected/

/**
 * The first complaint about files in what ffmpeg printed, or null. The exit code is no proof: it is 0 when the disk fills while
 * ffmpeg writes (measured, M1). Complaints about damaged pictures are no fault: what is there is played.
 * @param paths of the run; a file may be called `No space left on device.mkv`
 */
export function findFileFault(errorOutput: string, paths: readonly string[]): FileFault | null {
  const lines = withoutPaths(errorOutput, paths).split('\n')
  // A full disk makes several lines; the one that says so must win.
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

/** What a program printed, without the names of its files: those are somebody else's words. */
export function withoutPaths(output: string, paths: readonly string[]): string {
  return paths.reduce((text, path) => text.replaceAll(path, ''), output)
}
