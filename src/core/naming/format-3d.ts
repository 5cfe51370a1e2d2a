/** How the two pictures of a film in three dimensions lie in one: side by side, top and bottom; in full or half size. */
type Format3d = 'hsbs' | 'fsbs' | 'sbs' | 'sbs3d' | 'htab' | 'ftab' | 'tab' | 'hou' | 'ou' | 'mvc'

/** Forms that no title uses as a word. */
const CERTAIN =
  /(?<![\p{L}\p{N}])(half-?sbs|h-?sbs|full-?sbs|f-?sbs|sbs3d|half-?ou|h-?ou|h-?tab|half-?tab|f-?tab|sbs|mvc)(?![\p{L}\p{N}])/iu
/** Forms that count behind `3D` or between dots or brackets only: The Tab. */
const BESIDE_3D = /(?<![\p{L}\p{N}])3d[ ._-](tab|ou)(?![\p{L}\p{N}])/iu
const ENCLOSED = /[.[(](tab|ou)[.\])]/i

/**
 * The format of a film in three dimensions, as its name says it, or undefined. `3D` alone tells no format, and a player needs
 * one. Source: design, scanning 3; rows of Jellyfin's Format3DTests.
 */
export function format3dOf(name: string): Format3d | undefined {
  const word = (CERTAIN.exec(name) ?? BESIDE_3D.exec(name) ?? ENCLOSED.exec(`${name}.`))?.[1]
  return word
    ?.toLowerCase()
    .replace(/^half-?/, 'h')
    .replace(/^full-?/, 'f')
    .replace('-', '') as Format3d | undefined
}
