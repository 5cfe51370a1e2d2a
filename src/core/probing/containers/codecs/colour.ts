/** Names of the transfer characteristics of ITU-T H.273 table 3, by their numbers; 2 means unspecified. */
const TRANSFERS: Readonly<Record<number, string>> = {
  1: 'bt709',
  4: 'bt470m',
  5: 'bt470bg',
  6: 'smpte170m',
  7: 'smpte240m',
  8: 'linear',
  9: 'log100',
  10: 'log316',
  11: 'iec61966-2-4',
  12: 'bt1361e',
  13: 'iec61966-2-1',
  14: 'bt2020-10',
  15: 'bt2020-12',
  16: 'smpte2084',
  17: 'smpte428',
  18: 'arib-std-b67',
}

/** Returns ffmpeg's name of a transfer function; undefined for unspecified and reserved numbers. */
export function transferName(number: number | undefined): string | undefined {
  return number === undefined ? undefined : TRANSFERS[number]
}

/** Sample layouts: 0 grey, 1 is 4:2:0, 2 is 4:2:2, 3 is 4:4:4 (`chroma_format_idc` of ITU-T H.264 and H.265). */
const CHROMAS = ['gray', 'yuv420p', 'yuv422p', 'yuv444p']

/** Returns ffmpeg's name of a planar format; undefined for depths that ffmpeg does not support. */
export function planarFormat(chroma: number, bitDepth: number): string | undefined {
  const base = CHROMAS[chroma]
  if (base === undefined) return undefined
  if (bitDepth === 8) return base
  return [9, 10, 12, 14].includes(bitDepth) ? `${base}${bitDepth}le` : undefined
}
