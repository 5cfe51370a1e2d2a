import { Type } from 'typebox'
import { Nullable } from '../../http/schemas.ts'

export const ThemeParameters = Type.Object({ libraryId: Type.String() })

const NullableWhole = Nullable(Type.Integer())

const ThemeSong = {
  path: Type.String(),
  url: Type.String(),
  /** Seconds. */
  duration: NullableWhole,
  format: Type.String(),
}

const BackdropVideo = { ...ThemeSong, width: NullableWhole, height: NullableWhole }

export const ThemeMediaRecord = Type.Object({
  library_id: Type.String(),
  audio: Nullable(Type.Object(ThemeSong)),
  video: Nullable(Type.Object(BackdropVideo)),
  has_theme: Type.Boolean(),
  /** Null before the first search. */
  scanned_at: Nullable(Type.String()),
})
