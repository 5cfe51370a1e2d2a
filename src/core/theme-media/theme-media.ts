import { z } from 'zod'

export const THEME_KINDS = ['audio', 'video'] as const

export type ThemeKind = (typeof THEME_KINDS)[number]

/** The stored form of a theme file; what probing could not tell is null. */
export const ThemeFileShape = z.strictObject({
  /** Absolute. */
  path: z.string(),
  durationSeconds: z.int().nonnegative().nullable(),
  /** Of a video, as shown. */
  width: z.int().positive().nullable(),
  height: z.int().positive().nullable(),
  /** The extension: `mp3`. */
  format: z.string(),
})

export type ThemeFile = Readonly<z.infer<typeof ThemeFileShape>>

/** What a library sounds and looks like (document 2, Theme media). */
export type ThemeMedia = Readonly<{
  libraryId: string
  audio: ThemeFile | null
  video: ThemeFile | null
  /** Null when nobody has looked. */
  scannedAt: Date | null
}>

/** Names by kind, the preferred first. */
const NAMES: Readonly<Record<ThemeKind, readonly string[]>> = {
  audio: ['theme.mp3', 'theme.ogg', 'theme.mp4'],
  video: ['backdrop.mp4', 'backdrop.webm'],
}

/**
 * Where the theme of a kind may be, the preferred place first: in the library's own folders, then in those of its series. Pure.
 * @param folders absolute
 */
export function themePaths(kind: ThemeKind, folders: readonly string[]): string[] {
  return folders.flatMap((folder) => NAMES[kind].map((name) => `${folder === '/' ? '' : folder}/${name}`))
}

/** Whether a file of this name in a folder that is looked into is a theme. */
export function isThemeName(name: string): boolean {
  return THEME_KINDS.some((kind) => NAMES[kind].includes(name))
}

/** What a signature for a theme is made for, and what its address is. */
export function themeResource({ libraryId, kind }: { libraryId: string; kind: ThemeKind }): string {
  return `/stream/theme-media/${libraryId}/${kind}`
}
