/** How a 3D film packs its two pictures into one frame: side by side, top and bottom; in full or half size. */
type Format3d = 'hsbs' | 'fsbs' | 'sbs' | 'sbs3d' | 'htab' | 'ftab' | 'tab' | 'hou' | 'ou' | 'mvc'

/** Format words that no title contains. */
const CERTAIN =
  /(?<![\p{L}\p{N}])(half-?sbs|h-?sbs|full-?sbs|f-?sbs|sbs3d|half-?ou|h-?ou|h-?tab|half-?tab|f-?tab|sbs|mvc)(?![\p{L}\p{N}])/iu
/** Format words that count only after `3D` or between dots or brackets: The Tab. */
const BESIDE_3D = /(?<![\p{L}\p{N}])3d[ ._-](tab|ou)(?![\p{L}\p{N}])/iu
const ENCLOSED = /[.[(](tab|ou)[.\])]/i

/**
 * The 3D format in the name of a film, or undefined. `3D` alone is not sufficient, because a player needs the format. Verified with test
 * rows of Jellyfin's Format3DTests.
 */
export function detect3dFormat(name: string): Format3d | undefined {
  const word = (CERTAIN.exec(name) ?? BESIDE_3D.exec(name) ?? ENCLOSED.exec(`${name}.`))?.[1]
  return word
    ?.toLowerCase()
    .replace(/^half-?/, 'h')
    .replace(/^full-?/, 'f')
    .replace('-', '') as Format3d | undefined
}
