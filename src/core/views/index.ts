export { profileDetailView, profileView, sessionProfileView } from './profile.ts'
export {
  accessView,
  accountLimitsView,
  accountView,
  accountExportHeadView,
  limitedAccountView,
  streamLimitsView,
  userView,
} from './account.ts'
export { backupView, createdBackupView, tableDetailsView } from './backup.ts'
export { channelView } from './channel.ts'
export { collectionView } from './collection.ts'
export { healthFindingView } from './health-finding.ts'
export { inviteSummaryView, inviteView } from './invite.ts'
export { chapterView, itemDetailView, itemFileView, itemRowView, itemView, streamView } from './item.ts'
export { libraryView } from './library.ts'
export { maintenanceJobView } from './maintenance-job.ts'
export { markerView } from './marker.ts'
export { appliedMatchView, matchCandidateView } from './match.ts'
export {
  metadataExternalIds,
  metadataCompanyNames,
  metadataPeople,
  metadataText,
  metadataTexts,
  metadataWebAddress,
} from './metadata-values.ts'
export { mappingView, networkStatusView } from './network.ts'
export { passkeyDetailView, passkeyView } from './passkey.ts'
export { playerView } from './player.ts'
export { pluginDetailView, pluginView } from './plugin.ts'
export {
  appliedUpdatesView,
  pluginCatalogueErrorsView,
  cataloguePluginView,
  pluginUpdateView,
} from './plugin-catalogue.ts'
export { renditionView } from './rendition.ts'
export { requestView } from './request.ts'
export { scanJobView } from './scan-job.ts'
export { scrobblerView, scrobbleServiceView } from './scrobbler.ts'
export { sharedItemView, shareView } from './share.ts'
export { downloadCacheView, segmentCacheView, trickplayCacheView } from './caches.ts'
export { serverKeyView } from './server-key.ts'
export { serverStatusView } from './server-status.ts'
export { scheduleView } from './schedule.ts'
export { settingView } from './setting.ts'
export { apiKeyView } from './api-key.ts'
export { deviceView } from './device.ts'
export { loginSessionView } from './login-session.ts'
export { signInLinkView } from './sign-in-link.ts'
export { smartPlaylistText, smartPlaylistView } from './smart-playlist.ts'
export { snakeCaseKeys } from './snake-case-keys.ts'
export { namedTopItemView, namedTopUserView, playDayView, topItemView, topUserView } from './statistics.ts'
export { transcodeSummaryView } from './transcode.ts'
export { watchGroupListingView, watchGroupView, watchQueueView, watchTimelineView } from './watch-group.ts'
export { deliveryView, webhookView } from './webhook.ts'
