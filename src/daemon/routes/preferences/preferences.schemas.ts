import { Type } from 'typebox'
import { FreeObject } from '../../http/schemas.ts'

export const UserSettings = Type.Object({ settings: FreeObject })

export const PlaybackPreferences = Type.Object({ preferences: FreeObject })

/** The preferences, at the top level or under `preferences`. */
export const PlaybackPreferencesBody = Type.Unsafe<{ preferences?: Record<string, unknown> }>({
  type: 'object',
  additionalProperties: true,
  properties: { preferences: { type: 'object', additionalProperties: true } },
})
