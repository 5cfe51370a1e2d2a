import {
  changeSmartPlaylist,
  createSmartPlaylist,
  deleteSmartPlaylist,
  getSmartPlaylist,
  previewSmartPlaylist,
  streamPlaylistPage,
} from '../../../core/smart-playlists/index.ts'
import { findListedItems } from '../../../core/catalogue/index.ts'
import { smartPlaylistText, smartPlaylistView } from '../../../core/views/index.ts'
import type { RoutePlugin } from '../../http/app-types.ts'
import { IdParameters, PageQuery } from '../../http/schemas.ts'
import { readInBatches, sendInBatches } from '../../http/send-in-batches.ts'
import { createPathFormatter } from '../../http/path-formatter.ts'
import { signedInAccount } from '../../http/signed-in-account.ts'
import type { MediaRows } from '../media/media-rows.ts'
import {
  Preview,
  PreviewBody,
  SmartPlaylistBody,
  SmartPlaylistList,
  SmartPlaylistRow,
} from './smart-playlists.schemas.ts'

/** More than the longest text of rules that is accepted. A refusal by the length costs less than by the content. */
const BODY_LIMIT_BYTES = 256 * 1024

/** Smart playlists. */
export const smartPlaylistRoutes =
  (rows: MediaRows): RoutePlugin =>
  (app, { services }) => {
    app.route({
      method: 'GET',
      url: '',
      config: { access: 'user', reveals: 'items' },
      schema: { querystring: PageQuery, response: { 200: SmartPlaylistList } },
      handler: ({ query }, reply) =>
        sendInBatches(reply, {
          key: 'smart_playlists',
          batches: streamPlaylistPage(services, query),
          serialize: (playlist) => [smartPlaylistText(playlist)],
        }),
    })

    app.route({
      method: 'POST',
      url: '',
      config: { access: 'user', reveals: 'items' },
      bodyLimit: BODY_LIMIT_BYTES,
      schema: { body: SmartPlaylistBody, response: { 201: SmartPlaylistRow } },
      handler: async (request, reply) => {
        const input = readFields(request.body)
        const playlist = await createSmartPlaylist(services, { by: signedInAccount(request), input })
        return reply.code(201).send(smartPlaylistView(playlist))
      },
    })

    app.route({
      method: 'GET',
      url: '/:id',
      config: { access: 'user', reveals: 'items' },
      schema: { params: IdParameters, response: { 200: SmartPlaylistRow } },
      handler: async (request) => smartPlaylistView(await getSmartPlaylist(services, request.params.id)),
    })

    app.route({
      method: 'PUT',
      url: '/:id',
      config: { access: 'user', reveals: 'items' },
      bodyLimit: BODY_LIMIT_BYTES,
      schema: { params: IdParameters, body: SmartPlaylistBody, response: { 200: SmartPlaylistRow } },
      handler: async (request) => {
        const changes = readFields(request.body)
        const input = { id: request.params.id, by: signedInAccount(request), changes }
        return smartPlaylistView(await changeSmartPlaylist(services, input))
      },
    })

    app.route({
      method: 'DELETE',
      url: '/:id',
      config: { access: 'user', reveals: 'items' },
      schema: { params: IdParameters },
      handler: async (request, reply) => {
        await deleteSmartPlaylist(services, { id: request.params.id, by: signedInAccount(request) })
        return reply.code(204).send()
      },
    })

    app.route({
      method: 'POST',
      url: '/:id/preview',
      config: { access: 'user', reveals: 'items' },
      bodyLimit: BODY_LIMIT_BYTES,
      schema: { params: IdParameters, body: PreviewBody, response: { 200: Preview } },
      handler: async (request, reply) => {
        const input = readFields(request.body)
        const preview = await previewSmartPlaylist(services, { id: request.params.id, input })
        const showPath = await createPathFormatter(services, signedInAccount(request))
        return sendInBatches(reply, {
          key: 'items',
          batches: readInBatches(preview.itemIds, (ids) => findListedItems(services, ids, { mayEvict: false })),
          serialize: async (items) => (await rows.rowsOf(services, items, { showPath })).map(rows.textOf),
          others: JSON.stringify({ playlist_id: preview.playlistId, matched_count: preview.matchedCount }),
        })
      },
    })
  }

type Body = { library_id?: unknown; rules_json?: unknown; sort_by?: unknown; sort_desc?: unknown }

function readFields<Given extends Body>({
  library_id: libraryId,
  rules_json: rules,
  sort_by: sortBy,
  sort_desc: isDescending,
  ...rest
}: Given) {
  return { ...rest, libraryId, rules, sortBy, isDescending }
}
