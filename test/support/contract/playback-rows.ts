import { CONSOLE, MOBILE, PLACE, ROKU, ROW, WEB, type ClientRow } from './client-row.ts'
import type { Filled } from './filled-server.ts'

/** Playback, positions and recommendations, in an executable order. */
export function playbackRows({ otherFilm, film, sessionId }: Filled): ClientRow[] {
  const report = {
    media_item_id: otherFilm,
    position_ticks: 300_000_000,
    duration_ticks: 1_000_000_000,
    is_paused: false,
  }
  return [
    { clients: 'web', ask: 'POST /sessions', body: { device_id: 'd' }, reads: ['session_id'] },
    {
      clients: 'console mobile roku',
      ask: 'POST /sessions',
      body: { device_id: 'd', device_name: 'Living room', device_type: 'roku' },
      headers: ROKU,
      reads: ['session_id'],
    },
    {
      clients: 'web console mobile roku',
      ask: `POST /sessions/${sessionId}/progress`,
      body: report,
      reads: ['message'],
    },
    { clients: 'none', ask: `GET /sessions/${sessionId}/progress`, reads: ['progress.position_ticks'] },
    { clients: 'none', ask: 'GET /me/sessions', reads: ['sessions.session_id'] },
    ...['/users/me/continue-watching', '/me/continue-watching'].map((path): ClientRow => ({
      clients: 'web console mobile roku',
      ask: `GET ${path}`,
      reads: [...ROW, ...PLACE],
    })),
    {
      clients: 'web console',
      ask: 'GET /users/me/next-up?limit=20',
      reads: [...ROW, 'items.series_id', 'items.series_name'],
    },
    {
      clients: 'web console mobile roku',
      ask: 'GET /users/me/recently-watched',
      reads: [...ROW, ...PLACE, 'items.playback_status', 'items.progress_percent', 'items.updated_at'],
    },
    {
      clients: 'web',
      ask: 'GET /me/history',
      reads: ['items.id', 'items.progress', 'items.updated_at', 'items.media.name'],
    },
    {
      clients: 'web roku console',
      ask: 'GET /me/recommendations?limit=20',
      reads: ['recommendations.id', 'recommendations.title', 'recommendations.posterUrl', 'recommendations.computedAt'],
    },
    { clients: 'web', ask: `DELETE /me/recommendations/${film}`, headers: WEB, reads: ['message'] },
    {
      clients: 'web console mobile roku',
      ask: 'GET /users/me/favorites?limit=20&offset=0',
      reads: [...ROW, 'limit', 'offset', 'items.user_data.favorite'],
    },
    {
      clients: 'console roku',
      ask: `POST /sessions/${sessionId}/complete`,
      headers: ROKU,
      reads: ['message', 'reached_end'],
    },
    {
      clients: 'web',
      ask: `POST /sessions/${sessionId}/complete`,
      body: { media_item_id: otherFilm, reached_end: true },
      reads: ['reached_end'],
    },
    { clients: 'console mobile roku', ask: `DELETE /sessions/${sessionId}`, headers: WEB, reads: ['message'] },
    { clients: 'web', ask: `DELETE /users/me/history/${otherFilm}`, headers: WEB, reads: ['message'] },
    { clients: 'web', ask: 'DELETE /users/me/history', headers: WEB, reads: ['message'] },
    { clients: 'mobile', ask: 'PUT /users/me/settings', body: { theme: 'dark' }, headers: MOBILE, reads: ['message'] },
    {
      clients: 'mobile',
      ask: 'GET /users/me/settings',
      headers: MOBILE,
      reads: [
        'settings.max_streams',
        'settings.max_bitrate',
        'settings.subtitle_mode',
        'settings.theme',
        'settings.transcoding_preferences',
      ],
    },
    { clients: 'console', ask: 'PUT /me/settings', body: { columns: 3 }, headers: CONSOLE, reads: [] },
    { clients: 'console', ask: 'GET /me/settings', headers: CONSOLE, reads: ['columns'] },
    {
      clients: 'roku',
      ask: 'PUT /me/playback/preferences',
      body: { preferences: { crossfade: 4 } },
      headers: ROKU,
      reads: [],
    },
    { clients: 'roku', ask: 'GET /me/playback/preferences', headers: ROKU, reads: ['preferences.crossfade'] },
  ]
}
