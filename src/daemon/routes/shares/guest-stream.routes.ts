import { basename } from 'node:path'
import {
  analysisErrors,
  findFilmTrickplay,
  gridFileName,
  openSetFile,
  parseTrickplayFile,
} from '../../../core/analysis/index.ts'
import { contentTypeOfFile } from '../../../core/platform/files/index.ts'
import { hasBrowserPlayableExtension, shareErrors, type GuestTarget } from '../../../core/shares/index.ts'
import {
  limitPlaylistBandwidth,
  parseStreamFile,
  readPlaylist,
  readStreamSubtitle,
  streamingErrors,
} from '../../../core/streaming/index.ts'
import type { PathParameters, RoutePlugin } from '../../http/app-types.ts'
import { attachmentHeader } from '../../http/attachment-header.ts'
import { requireBandwidthForItem } from '../../http/limit-item-bandwidth.ts'
import { requireBandwidthForQuality } from '../../http/limit-quality-bandwidth.ts'
import { sendFile } from '../../http/send-file.ts'
import { connectionClosedSignal } from '../../http/connection-closed-signal.ts'
import { storyboardWithAddresses } from '../trickplay/trickplay.view.ts'
import { GuestFileParameters, GuestItemParameters, GuestStreamParameters } from './guest.schemas.ts'
import { requireRequestGuest } from './guest.routes.ts'

/** What a browser keeps can be seen after the end of the link, but not longer than this. */
const BYTES_CACHE_CONTROL = 'private, max-age=300'
const CACHE_CONTROL = 'private, no-cache'

/** Disables active content in a file that is opened as a page of its own. */
const SANDBOX_POLICY = "default-src 'none'; sandbox"

const ofItem = ({ id = '' }: PathParameters): GuestTarget => ({ kind: 'item', id })
const ofJob = ({ jobId = '' }: PathParameters): GuestTarget => ({ kind: 'job', id: jobId })

/** The bytes that guests of a share link read. The guard has checked that the item, or that of the stream, is part of the link. */
export const guestStreamRoutes: RoutePlugin = (app, { services }) => {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/:share/items/:id/stream',
    config: { access: 'guest', reveals: 'items', playback: 'item', hasOwnLimit: true, guestTarget: ofItem },
    schema: { params: GuestItemParameters },
    handler: async (request, reply) => {
      await requireBandwidthForItem(services, request, request.params.id)
      const { handle, path } = await services.openMediaFile(request.params.id)
      request.needsDownloads = !hasBrowserPlayableExtension(path)
      if (request.needsDownloads && !requireRequestGuest(request).allowsDownload) {
        await handle.close()
        throw shareErrors.share_file_not_offered()
      }
      reply.header('content-security-policy', SANDBOX_POLICY)
      return sendFile(request, reply, {
        handle,
        contentType: contentTypeOfFile(path),
        cacheControl: BYTES_CACHE_CONTROL,
      })
    },
  })

  app.route({
    method: ['GET', 'HEAD'],
    url: '/:share/items/:id/download',
    config: {
      access: 'guest',
      reveals: 'items',
      playback: 'item',
      saves: true,
      hasOwnLimit: true,
      guestTarget: ofItem,
    },
    schema: { params: GuestItemParameters },
    handler: async (request, reply) => {
      await requireBandwidthForItem(services, request, request.params.id)
      const { handle, path } = await services.openMediaFile(request.params.id)
      reply.headers({
        'content-disposition': attachmentHeader(basename(path)),
        'content-security-policy': SANDBOX_POLICY,
      })
      return sendFile(request, reply, { handle, contentType: contentTypeOfFile(path), cacheControl: CACHE_CONTROL })
    },
  })

  app.route({
    method: ['GET', 'HEAD'],
    url: '/:share/hls/:jobId/:file',
    config: { access: 'guest', reveals: 'items', playback: 'job', hasOwnLimit: true, guestTarget: ofJob },
    schema: { params: GuestStreamParameters },
    handler: async (request, reply) => {
      const { jobId } = request.params
      const file = parseStreamFile(request.params.file)
      if (file === undefined) throw streamingErrors.stream_file_not_found()
      const contentType = contentTypeOfFile(request.params.file)
      await requireBandwidthForQuality(services, request, { jobId, file })
      if (file.kind === 'segment') {
        const handle = await services.openSegment({ jobId, ...file }, connectionClosedSignal(reply))
        return sendFile(request, reply, { handle, contentType, cacheControl: BYTES_CACHE_CONTROL })
      }
      // Addresses in playlists are relative: they stay below the link.
      const text =
        file.kind === 'subtitle'
          ? await readStreamSubtitle(services, { jobId, index: file.index, part: file.part })
          : await readPlaylist(services, { jobId, file })
      const { maxKbps } = request
      const offered = file.kind === 'master' && maxKbps !== null ? limitPlaylistBandwidth(text, maxKbps) : text
      return reply.type(contentType).header('cache-control', CACHE_CONTROL).send(offered)
    },
  })

  app.route({
    method: ['GET', 'HEAD'],
    url: '/:share/trickplay/:id/:file',
    config: { access: 'guest', reveals: 'items', hasOwnLimit: true, guestTarget: ofItem },
    schema: { params: GuestFileParameters },
    handler: async (request, reply) => {
      const { id } = request.params
      const { shareId } = requireRequestGuest(request)
      const file = parseTrickplayFile(request.params.file)
      if (file?.kind === 'storyboard') {
        const film = await findFilmTrickplay(services, id)
        const text = storyboardWithAddresses(
          film,
          (one) => `/s/${shareId}/trickplay/${one.id}/${one.name}?v=${one.version}`,
        )
        return reply.type(contentTypeOfFile(request.params.file)).header('cache-control', CACHE_CONTROL).send(text)
      }
      if (file?.kind !== 'grid') throw analysisErrors.trickplay_picture_not_found()
      const set = (await services.trickplay.find([id])).get(id.toLowerCase())
      if (set === undefined) throw analysisErrors.trickplay_not_found()
      const name = gridFileName(file.grid)
      const handle = await openSetFile(set, name)
      return sendFile(request, reply, {
        handle,
        contentType: contentTypeOfFile(name),
        cacheControl: BYTES_CACHE_CONTROL,
      })
    },
  })
}
