import { textOption, webAddressOption, type Option } from './option-kinds.ts'

/** The keys of this server for services that keep the history of listeners and viewers. */
export const SCROBBLING_OPTIONS = {
  'scrobbling.lastfm.api_key': textOption(undefined, {
    env: ['PHLIX_LASTFM_API_KEY'],
    secret: true,
    doc: 'API key of this server for Last.fm (https://www.last.fm/api/account/create). Unset: accounts cannot connect Last.fm.',
  }),
  'scrobbling.lastfm.secret': textOption(undefined, {
    env: ['PHLIX_LASTFM_SECRET'],
    secret: true,
    doc: 'Shared secret that belongs to the API key of Last.fm.',
  }),
  'scrobbling.lastfm.base_url': webAddressOption('https://ws.audioscrobbler.com/2.0', {
    env: ['PHLIX_LASTFM_URL'],
    doc: 'Address of the API of Last.fm, or of a service with the same API.',
  }),
  'scrobbling.listenbrainz.base_url': webAddressOption('https://api.listenbrainz.org', {
    env: ['PHLIX_LISTENBRAINZ_URL'],
    doc: 'Address of the API of ListenBrainz, or of a service with the same API, for example Maloja.',
  }),
  'scrobbling.trakt.client_id': textOption(undefined, {
    env: ['PHLIX_TRAKT_CLIENT_ID'],
    secret: true,
    doc: 'Client id of this server for Trakt (https://trakt.tv/oauth/applications). Unset: accounts cannot connect Trakt.',
  }),
  'scrobbling.trakt.client_secret': textOption(undefined, {
    env: ['PHLIX_TRAKT_CLIENT_SECRET'],
    secret: true,
    doc: 'Client secret that belongs to the client id of Trakt.',
  }),
  'scrobbling.trakt.base_url': webAddressOption('https://api.trakt.tv', {
    env: ['PHLIX_TRAKT_URL'],
    doc: 'Address of the API of Trakt.',
  }),
} as const satisfies Record<string, Option>
