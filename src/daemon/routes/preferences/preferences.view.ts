/** The settings that the user interface knows, with their defaults. */
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

/** All known settings, and any others that the user's clients have stored. */
export function userPreferencesView(settings: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return { ...DEFAULTS, ...settings }
}
