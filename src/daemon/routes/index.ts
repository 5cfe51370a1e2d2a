import { SERVER_IDENTITY_PATH } from '../../core/hub-protocol/index.ts'
import type { RouteEntry } from '../http/app-types.ts'
import { WEB_SESSION_PATH } from '../http/web-session-cookie.ts'
import { accountRoutes } from './accounts/accounts.routes.ts'
import { webSessionRoutes } from './accounts/web-session.routes.ts'
import { adminUserRoutes } from './admin-users/admin-users.routes.ts'
import { adminHealthRoutes } from './health/admin-health.routes.ts'
import { healthRoutes } from './health/health.routes.ts'
import { networkHealthRoutes } from './health/network-health.routes.ts'
import { audiobookPlayerRoutes } from './audiobooks/audiobook-player.routes.ts'
import { audiobookProgressRoutes } from './audiobooks/audiobook-progress.routes.ts'
import { audiobookRoutes } from './audiobooks/audiobooks.routes.ts'
import { backupRoutes } from './backups/backups.routes.ts'
import { avatarRoutes } from './avatars/avatars.routes.ts'
import { bookFileRoutes } from './books/book-files.routes.ts'
import { bookProgressRoutes } from './books/book-progress.routes.ts'
import { bookRoutes } from './books/books.routes.ts'
import {
  collectionItemRoutes,
  collectionRoutes,
  libraryCollectionRoutes,
  playlistRoutes,
} from './collections/collections.routes.ts'
import { continueWatchingRoutes, historyRoutes, watchedRoutes } from './continue-watching/continue-watching.routes.ts'
import { allUsersHistoryRoutes } from './continue-watching/all-users-history.routes.ts'
import { adminDeviceRoutes, ownDeviceRoutes } from './devices/devices.routes.ts'
import { duplicateRoutes } from './duplicates/duplicates.routes.ts'
import { extraRoutes } from './extras/extras.routes.ts'
import { folderRoutes } from './folders/folders.routes.ts'
import { dashRoutes, hlsRoutes } from './hls/hls.routes.ts'
import { downloadFileRoutes, downloadRoutes } from './downloads/downloads.routes.ts'
import { homeRoutes } from './home/home.routes.ts'
import { hubLinkRoutes } from './hub-link/hub-link.routes.ts'
import { serverIdentityRoutes } from './hub-link/server-identity.routes.ts'
import { inviteRoutes } from './invites/invites.routes.ts'
import { integrationRoutes } from './integrations/integrations.routes.ts'
import { adminApiKeyRoutes, ownApiKeyRoutes } from './api-keys/api-keys.routes.ts'
import { artworkRoutes } from './artwork/artwork.routes.ts'
import { keySetRoutes } from './key-set/key-set.routes.ts'
import { libraryRoutes } from './libraries/libraries.routes.ts'
import { logRoutes } from './logs/logs.routes.ts'
import { maintenanceRoutes, updateRoutes } from './maintenance/maintenance.routes.ts'
import { markerRoutes, showMarkerRoutes } from './markers/markers.routes.ts'
import { matchingRoutes } from './matching/matching.routes.ts'
import { metadataSourceRoutes } from './matching/metadata-sources.routes.ts'
import { browseRoutes } from './media/browse.routes.ts'
import { mediaFileRoutes } from './media/media-file.routes.ts'
import { createMediaRows } from './media/media-rows.ts'
import { mediaRoutes } from './media/media.routes.ts'
import { itemSubresourceRoutes } from './media/item-subresource.routes.ts'
import { shuffleRoutes } from './media/shuffle.routes.ts'
import { adminMetricsRoutes } from './admin-metrics/admin-metrics.routes.ts'
import { musicRoutes } from './music/music.routes.ts'
import { ownAccountRoutes, ownLinkRoutes } from './own-account/own-account.routes.ts'
import { oidcRoutes, signInOptionRoutes } from './oidc/oidc.routes.ts'
import { ownPasskeyRoutes, passkeyCeremonyRoutes } from './passkeys/passkeys.routes.ts'
import { photoFileRoutes } from './photos/photo-files.routes.ts'
import { photoRoutes } from './photos/photos.routes.ts'
import { portForwardingRoutes } from './port-forwarding/port-forwarding.routes.ts'
import { adminProfileRoutes, adminProfilesOfUserRoutes } from './profiles/admin-profiles.routes.ts'
import { profileRoutes } from './profiles/profiles.routes.ts'
import { adminPlaybackLimitRoutes, playbackLimitRoutes } from './playback-limits/playback-limits.routes.ts'
import { playerRoutes } from './players/players.routes.ts'
import { guestRoutes } from './shares/guest.routes.ts'
import { guestStreamRoutes } from './shares/guest-stream.routes.ts'
import { adminShareRoutes, ownShareRoutes } from './shares/own-shares.routes.ts'
import { sharePageRoutes } from './shares/share-page.routes.ts'
import { scrobblerRoutes } from './scrobblers/scrobblers.routes.ts'
import { playbackRoutes } from './playback/playback.routes.ts'
import { pluginCatalogueRoutes } from './plugins/plugin-catalogues.routes.ts'
import { pluginRoutes } from './plugins/plugins.routes.ts'
import { quickConnectRoutes } from './quick-connect/quick-connect.routes.ts'
import { relayLinkRoutes } from './relay-link/relay-link.routes.ts'
import { recommendationRoutes } from './recommendations/recommendations.routes.ts'
import { adminRequestRoutes, ownRequestRoutes } from './requests/requests.routes.ts'
import { mySessionRoutes, playbackSessionRoutes } from './playback-sessions/playback-sessions.routes.ts'
import { searchRoutes } from './search/search.routes.ts'
import { serverControlRoutes } from './server-control/server-control.routes.ts'
import { serverSettingsRoutes } from './server-settings/server-settings.routes.ts'
import { scanRoutes } from './scans/scans.routes.ts'
import { ownPreferenceRoutes, userPreferenceRoutes } from './preferences/preferences.routes.ts'
import { smartPlaylistRoutes } from './smart-playlists/smart-playlists.routes.ts'
import { dashboardRoutes, statisticsRoutes } from './statistics/statistics.routes.ts'
import { subtitleRoutes } from './subtitles/subtitles.routes.ts'
import { watchGroupRoutes } from './watch-groups/watch-groups.routes.ts'
import { themeRoutes } from './themes/themes.routes.ts'
import { themeMediaRoutes, themeStreamRoutes } from './theme-media/theme-media.routes.ts'
import { transcodeStartRoutes, transcodeStatusRoutes } from './transcodes/transcodes.routes.ts'
import { transcodingSettingsRoutes } from './transcoding-settings/transcoding-settings.routes.ts'
import { favouriteListRoutes, userItemRoutes } from './user-items/user-items.routes.ts'
import { itemTrickplayRoutes, trickplayRoutes } from './trickplay/trickplay.routes.ts'
import { consoleWebhookRoutes } from './webhooks/console-webhooks.routes.ts'
import { webhookLogRoutes, webhookRoutes } from './webhooks/webhooks.routes.ts'
import { webPageRoutes } from './web-page/web-page.routes.ts'

/** All routes of the daemon: URL prefix and plugin. The routes that list media items share one cache of their rows. */
export function createRoutes(): readonly RouteEntry[] {
  const rows = createMediaRows()
  return [
    ['', webPageRoutes],
    ['', healthRoutes],
    ['/.well-known', keySetRoutes],
    ['/media', mediaFileRoutes],
    ['/media', downloadFileRoutes],
    ['/hls', hlsRoutes],
    ['/dash', dashRoutes],
    ['/trickplay', trickplayRoutes],
    ['/stream/theme-media', themeStreamRoutes],
    ['/api/v1/health', networkHealthRoutes],
    ['/api/v1/auth', accountRoutes],
    ['/api/v1/auth', signInOptionRoutes],
    [WEB_SESSION_PATH, webSessionRoutes],
    ['/api/v1/auth/oidc', oidcRoutes],
    ['/api/v1/auth/webauthn', passkeyCeremonyRoutes],
    ['/api/v1/auth/quick-connect', quickConnectRoutes],
    ['/api/v1/me/webauthn', ownPasskeyRoutes],
    ['/api/v1/libraries', libraryRoutes(rows)],
    ['/api/v1/libraries', scanRoutes],
    ['/api/v1/libraries', themeMediaRoutes],
    ['/api/v1', searchRoutes(rows)],
    ['/api/v1/media', browseRoutes(rows)],
    ['/api/v1/media', mediaRoutes(rows)],
    ['/api/v1/media', itemSubresourceRoutes(rows)],
    ['/api/v1/media', markerRoutes],
    ['/api/v1/shows', showMarkerRoutes],
    ['/api/v1/shuffle', shuffleRoutes],
    ['/api/v1/media', matchingRoutes],
    ['/api/v1/media', userItemRoutes],
    ['/api/v1/media', playbackRoutes],
    ['/api/v1/media', subtitleRoutes],
    ['/api/v1/media', itemTrickplayRoutes],
    ['/api/v1/media', downloadRoutes],
    ['/api/v1/media', extraRoutes],
    ['/api/v1/media', transcodeStartRoutes],
    ['/api/v1/transcode', transcodeStatusRoutes],
    ['/api/v1/me/requests', ownRequestRoutes],
    ['/api/v1/admin/requests', adminRequestRoutes],
    ['/api/v1/admin', serverSettingsRoutes],
    ['/api/v1/admin/users', adminUserRoutes],
    ['/api/v1/admin/users', adminDeviceRoutes],
    ['/api/v1/admin/users', adminProfilesOfUserRoutes],
    ['/api/v1/admin/profiles', adminProfileRoutes],
    ['/api/v1/admin/profiles', adminPlaybackLimitRoutes],
    ['/api/v1/profiles', profileRoutes],
    ['/api/v1/profiles', playbackLimitRoutes],
    ['/api/v1/admin/api-keys', adminApiKeyRoutes],
    ['/api/v1/admin/invites', inviteRoutes],
    ['/api/v1/admin', folderRoutes],
    ['/api/v1/admin', duplicateRoutes],
    ['/api/v1/admin', serverControlRoutes],
    ['/api/v1/admin', adminHealthRoutes],
    ['/api/v1/admin/backup', backupRoutes],
    ['/api/v1/admin/logs', logRoutes],
    ['/api/v1/admin/maintenance', maintenanceRoutes],
    ['/api/v1/admin/updates', updateRoutes],
    ['/api/v1/admin/metrics', adminMetricsRoutes],
    ['/api/v1/admin/transcoding', transcodingSettingsRoutes],
    ['/api/v1/admin/webhooks', webhookRoutes],
    ['/api/v1/admin/webhooks/logs', webhookLogRoutes],
    ['/api/v1/admin/webhooks/subscriptions', consoleWebhookRoutes],
    ['/api/v1/admin/metadata', metadataSourceRoutes],
    ['/api/v1/admin/plugins', pluginRoutes],
    ['/api/v1/admin/plugins', pluginCatalogueRoutes],
    ['/api/v1/admin/remote/hub', hubLinkRoutes],
    [SERVER_IDENTITY_PATH, serverIdentityRoutes],
    ['/api/v1/admin/remote/portforward', portForwardingRoutes],
    ['/api/v1/admin/remote/relay', relayLinkRoutes],
    ['/api/v1/admin/watch-history', allUsersHistoryRoutes],
    ['/api/v1/syncplay', watchGroupRoutes],
    ['/api/v1/themes', themeRoutes],
    ['/api/v1/integrations', integrationRoutes],
    ['/api/v1/users', avatarRoutes],
    ['/api/v1/users/me', ownAccountRoutes],
    ['/api/v1/me', ownLinkRoutes],
    ['/api/v1/users/me', favouriteListRoutes(rows)],
    ['/api/v1/sessions', playbackSessionRoutes],
    ['/api/v1/me', ownDeviceRoutes],
    ['/api/v1/me/api-keys', ownApiKeyRoutes],
    ['/api/v1/me/shares', ownShareRoutes],
    ['/api/v1/admin/shares', adminShareRoutes],
    ['/s', sharePageRoutes],
    ['/s', guestRoutes],
    ['/s', guestStreamRoutes],
    ['/api/v1/me', mySessionRoutes],
    ['/api/v1/me', playerRoutes],
    ['/api/v1/me', scrobblerRoutes],
    ['/api/v1/me', continueWatchingRoutes(rows)],
    ['/api/v1/users/me', continueWatchingRoutes(rows)],
    ['/api/v1/users/me', watchedRoutes(rows)],
    ['/api/v1/me', historyRoutes(rows)],
    ['/api/v1/me', homeRoutes(rows)],
    ['/api/v1/me/recommendations', recommendationRoutes(rows)],
    ['/api/v1/users/me', userPreferenceRoutes],
    ['/api/v1/me', ownPreferenceRoutes],
    ['/api/v1/audiobooks', audiobookRoutes],
    ['/api/v1/audiobooks', audiobookProgressRoutes],
    ['/api/v1/audiobooks', audiobookPlayerRoutes],
    ['/api/v1/books', bookRoutes],
    ['/api/v1/books', bookFileRoutes],
    ['/api/v1/books', bookProgressRoutes],
    ['/api/v1/artwork', artworkRoutes],
    ['/api/v1/photo', photoRoutes],
    ['/api/v1/photo', photoFileRoutes],
    ['/api/v1/music', musicRoutes],
    ['/api/v1/collections', collectionRoutes(rows)],
    ['/api/v1/collections', collectionItemRoutes],
    ['/api/v1/libraries', libraryCollectionRoutes],
    ['/api/v1/playlists', playlistRoutes],
    ['/api/v1/smart-playlists', smartPlaylistRoutes(rows)],
    ['/api/v1/admin/stats', statisticsRoutes],
    ['/api/v1/admin/dashboard', dashboardRoutes],
  ]
}
