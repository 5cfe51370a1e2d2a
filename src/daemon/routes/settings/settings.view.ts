/** What the interface knows by name, and what holds while the user has said nothing (document 4, 1.6). */
const DEFAULTS = {
  max_streams: null,
  max_bitrate: null,
  preferred_audio_language: null,
  preferred_subtitle_language: null,
  subtitle_mode: 'default',
  default_content_rating: null,
  transcoding_preferences: {},
  theme: 'system',
} as const

/** All names, and beside them whatever else the user's clients keep. */
export function userSettingsView(settings: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return { ...DEFAULTS, ...settings }
}
