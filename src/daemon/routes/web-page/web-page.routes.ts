import { fileURLToPath } from 'node:url'
import type { RoutePlugin } from '../../http/app-types.ts'
import { createWebFile, webFilePath } from '../../http/web-file.ts'

type Asset = { url: string; path: string; contentType: string }

const SCRIPT = 'text/javascript; charset=utf-8'
const STYLE = 'text/css; charset=utf-8'

/** All static files, by URL. A file name from a request is never used as a path. */
const ASSETS: readonly Asset[] = [
  { url: '/', path: webFilePath('index.html'), contentType: 'text/html; charset=utf-8' },
  { url: '/assets/page.css', path: webFilePath('page.css'), contentType: STYLE },
  { url: '/assets/page.js', path: webFilePath('page.js'), contentType: SCRIPT },
  { url: '/assets/close-on-back.js', path: webFilePath('close-on-back.js'), contentType: SCRIPT },
  { url: '/assets/registration.js', path: webFilePath('registration.js'), contentType: SCRIPT },
  { url: '/assets/link-offer.js', path: webFilePath('link-offer.js'), contentType: SCRIPT },
  { url: '/assets/single-sign-on.js', path: webFilePath('single-sign-on.js'), contentType: SCRIPT },
  { url: '/assets/api.js', path: webFilePath('api.js'), contentType: SCRIPT },
  { url: '/assets/kept-sign-in.js', path: webFilePath('kept-sign-in.js'), contentType: SCRIPT },
  { url: '/assets/icon.svg', path: webFilePath('icon.svg'), contentType: 'image/svg+xml' },
  ...listAssets(),
  ...playerAssets(),
  ...watchAssets(),
  ...accountAssets(),
  ...shareAssets(),
  ...audiobookAssets(),
  { url: '/assets/hls.js', path: modulePath('hls.js/dist/hls.min.mjs'), contentType: SCRIPT },
  { url: '/assets/hls.worker.js', path: modulePath('hls.js/dist/hls.worker.js'), contentType: SCRIPT },
]

/** The built-in web page: sign-in, search and playback, and the assets of the audiobook page. */
export const webPageRoutes: RoutePlugin = (app) => {
  for (const asset of ASSETS) {
    const file = createWebFile(asset)
    app.route({
      method: 'GET',
      url: asset.url,
      config: { access: 'public', reveals: 'none' },
      handler: (request, reply) => file.send(request, reply),
    })
  }
}

/** The list of titles, and the viewer of photos. */
function listAssets(): Asset[] {
  return [
    { url: '/assets/photos/photo-viewer.css', path: webFilePath('photos/photo-viewer.css'), contentType: STYLE },
    ...scriptsOf('list', ['continue-row', 'list-entry', 'title-list']),
    ...scriptsOf('photos', ['photo-addresses', 'photo-viewer']),
  ]
}

function playerAssets(): Asset[] {
  const state = ['allowed-qualities', 'film-player', 'progress-report', 'resume-choice', 'still-allowed']
  const film = ['player', 'hls-recovery', 'next-item', 'can-play-file', 'keyboard', 'menus', 'subtitles', 'full-screen']
  const timeLine = ['time-line', 'preview', 'storyboard', 'skip-markers', 'skip-button']
  return [
    { url: '/assets/player/player.css', path: webFilePath('player/player.css'), contentType: STYLE },
    ...scriptsOf('player', [...film, ...state, ...timeLine]),
  ]
}

/** The client for watch groups. */
function watchAssets(): Asset[] {
  const scripts = [
    'browse-mode',
    'clock-sync',
    'copy-link',
    'drift-control',
    'group-client',
    'group-list',
    'group-panel',
    'new-group',
    'open-socket',
    'playback-sync',
    'remote-control',
    'renew-socket-token',
    'timeline',
  ]
  return [
    { url: '/assets/watch/watch.css', path: webFilePath('watch/watch.css'), contentType: STYLE },
    ...scriptsOf('watch', [...scripts, 'watch-together']),
  ]
}

/** Sign-in by a code, and the dialog of the account. */
function accountAssets(): Asset[] {
  return [
    { url: '/assets/account/account.css', path: webFilePath('account/account.css'), contentType: STYLE },
    ...scriptsOf('account', [
      'account',
      'device-list',
      'enter-code',
      'key-list',
      'list-parts',
      'profiles',
      'sign-in-by-code',
    ]),
    ...scriptsOf('account', [
      'limit-words',
      'own-account',
      'own-password',
      'pin-warning',
      'profile-limits',
      'sign-in-ways',
    ]),
  ]
}

/** Downloads, and share links: the dialog and the list of the account, and the page of guests. The page itself is served by the share routes. */
function shareAssets(): Asset[] {
  return [
    { url: '/assets/share/share-dialog.css', path: webFilePath('share/share-dialog.css'), contentType: STYLE },
    { url: '/assets/share/share.css', path: webFilePath('share/share.css'), contentType: STYLE },
    ...scriptsOf('download', ['download-menu']),
    ...scriptsOf('share', [
      'gallery',
      'guest-api',
      'guest-film',
      'link-watch',
      'save-link',
      'share',
      'share-dialog',
      'share-list',
      'songs',
    ]),
  ]
}

/** Assets of the audiobook page. The page itself is served by the audiobook routes. */
function audiobookAssets(): Asset[] {
  const scripts = ['listen', 'book-audio', 'bookmarks', 'chapter-list', 'keyboard', 'sleep-timer', 'times', 'waveform']
  return [
    { url: '/assets/listen/listen.css', path: webFilePath('listen/listen.css'), contentType: STYLE },
    ...scriptsOf('listen', scripts),
  ]
}

/** Scripts in one folder of daemon/web. */
function scriptsOf(folder: string, names: readonly string[]): Asset[] {
  return names.map((name) => ({
    url: `/assets/${folder}/${name}.js`,
    path: webFilePath(`${folder}/${name}.js`),
    contentType: SCRIPT,
  }))
}

function modulePath(name: string): string {
  return fileURLToPath(import.meta.resolve(name))
}
