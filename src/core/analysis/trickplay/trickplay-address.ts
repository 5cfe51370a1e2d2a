/** The names of the files of an item, except its grids. */
export const TRICKPLAY_NAMES = {
  index: 'index.xml',
  sprite: 'sprite.jpg',
  timeline: 'timeline.json',
  storyboard: 'storyboard.vtt',
  playlist: 'images.m3u8',
  bif: 'trickplay.bif',
} as const

type NamedFile = { [Kind in keyof typeof TRICKPLAY_NAMES]: { kind: Kind } }[keyof typeof TRICKPLAY_NAMES]

/** The meaning of a file name below `/trickplay/{id}/`. */
export type TrickplayFile = { kind: 'grid'; grid: number } | NamedFile

const GRID = /^thumb-(0|[1-9]\d{0,4})\.jpg$/

/** Parses a requested file name; undefined for every name that does not match exactly. Only matching names are joined to a path. */
export function parseTrickplayFile(name: string): TrickplayFile | undefined {
  const grid = GRID.exec(name)?.[1]
  if (grid !== undefined) return { kind: 'grid', grid: Number(grid) }
  for (const [kind, known] of Object.entries(TRICKPLAY_NAMES) as [keyof typeof TRICKPLAY_NAMES, string][]) {
    if (name === known) return { kind }
  }
  return undefined
}

/** The resource that a signature for the pictures of an item or a transcode job covers: all its files. */
export function trickplayResource(id: string): string {
  return `/trickplay/${id}/`
}
