import { z } from 'zod'

export const THEME_KINDS = ['audio', 'video'] as const

export type ThemeKind = (typeof THEME_KINDS)[number]

/** The JSON of a stored theme file; values that probing did not find are null. */
export const ThemeFileShape = z.strictObject({
  /** Absolute. */
  path: z.string(),
  durationSeconds: z.int().nonnegative().nullable(),
  /** Width of a video, as it is shown. */
  width: z.int().positive().nullable(),
  height: z.int().positive().nullable(),
  /** The file extension: `mp3`. */
  format: z.string(),
})

export type ThemeFile = Readonly<z.infer<typeof ThemeFileShape>>

/** The theme song and the backdrop video of a library. */
export type ThemeMedia = Readonly<{
  libraryId: string
  audio: ThemeFile | null
  video: ThemeFile | null
  /** Null before the first scan. */
  scannedAt: Date | null
}>

/** Names by kind, the preferred first. */
const NAMES: Readonly<Record<ThemeKind, readonly string[]>> = {
  audio: ['theme.mp3', 'theme.ogg', 'theme.mp4'],
  video: ['backdrop.mp4', 'backdrop.webm'],
}

/**
 * The possible paths of a theme of a kind, the preferred one first: in the library's own folders, then in the folders of its series. Pure.
 * @param folders absolute
 */
export function themePaths(kind: ThemeKind, folders: readonly string[]): string[] {
  return folders.flatMap((folder) => NAMES[kind].map((name) => `${folder === '/' ? '' : folder}/${name}`))
}

/** Whether a file name in a searched folder is the name of a theme. */
export function isThemeName(name: string): boolean {
  return THEME_KINDS.some((kind) => NAMES[kind].includes(name))
}

/** The resource that the signature of a theme covers. It is also the path of its address. */
export function themeResource({ libraryId, kind }: { libraryId: string; kind: ThemeKind }): string {
  return `/stream/theme-media/${libraryId}/${kind}`
}
