import type { FastifyRequest } from 'fastify'
import { listMarkers } from '../../../core/analysis/index.ts'
import { renderItemPicture } from '../../../core/artwork/index.ts'
import { getItem, listItemParts } from '../../../core/catalogue/index.ts'
import { renderThumbnail } from '../../../core/photos/index.ts'
import { contentTypeOfFile } from '../../../core/platform/files/index.ts'
import { listSharedItems, shareErrors, type Guest, type GuestTarget } from '../../../core/shares/index.ts'
import { previewLadder, startTranscode } from '../../../core/streaming/index.ts'
import { listSubtitleTracks, parseTrackIndex, readItemSubtitle } from '../../../core/subtitles/index.ts'
import type { PathParameters, RoutePlugin } from '../../http/app-types.ts'
import { guestCookie, isSecurePage, readGuestCookie } from '../../http/guest-cookie.ts'
import { readDeviceType } from '../../http/device-type.ts'
import { sendPicture } from '../../http/send-picture.ts'
import {
  GuestItemParameters,
  GuestLinkState,
  GuestList,
  GuestPlayback,
  GuestSubtitleParameters,
  GuestTranscode,
  PictureQuery,
  ShareParameters,
} from './guest.schemas.ts'
import { guestListView, guestPlaybackView, guestTranscodeView } from './guest.view.ts'

/** Browsers must ask again: a link may have been revoked. */
const CACHE_CONTROL = 'private, no-cache'
const PICTURE_CACHE_CONTROL = 'private, max-age=300'

const DEFAULT_PICTURE_PIXELS = 400
/** Few sizes of photos, so that guests do not fill the shared cache with pictures that are requested only once. */
const PHOTO_PIXELS = [16, 64, 160, 400, 800, 1280, 2000]

const ofItem = ({ id = '' }: PathParameters): GuestTarget => ({ kind: 'item', id })

/**
 * The guest of a request to a route for guests.
 * @throws AppError `share_not_open`
 */
export function requireRequestGuest({ guest }: Pick<FastifyRequest, 'guest'>): Guest {
  if (guest === null) throw shareErrors.share_not_open()
  return guest
}

/** A photo in its own shape, of which no side is longer than `size` pixels. */
async function renderPhoto(
  services: Parameters<typeof renderThumbnail>[0],
  { id, size }: { id: string; size: number },
): ReturnType<typeof renderThumbnail> {
  const side = PHOTO_PIXELS.findLast((pixels) => pixels <= size)
  return renderThumbnail(services, { id, width: side, height: side, fit: 'inside' })
}

/** What guests of a share link read. The guard has checked that the item is part of the link. */
export const guestRoutes: RoutePlugin = (app, { services }) => {
  app.route({
    method: 'GET',
    url: '/:share',
    config: { access: 'guest', reveals: 'items', guestTarget: () => ({ kind: 'link' }) },
    schema: { params: ShareParameters, response: { 200: GuestList } },
    handler: async (request, reply) => {
      const guest = requireRequestGuest(request)
      const { shareId: id, expiresAt } = guest
      const cookie = services.guests.renewCookie(id, readGuestCookie(request.headers.cookie, id))
      if (cookie !== undefined) {
        const isSecure = isSecurePage(request.headers)
        reply.header('set-cookie', guestCookie({ id, cookie, expiresAt, isSecure }))
      }
      return guestListView(guest, await listSharedItems(services, guest.shareId))
    },
  })

  // Pages ask it while something plays: what is buffered would play on after the end of the link.
  app.route({
    method: 'GET',
    url: '/:share/state',
    config: { access: 'guest', reveals: 'none', playback: 'nothing', guestTarget: () => ({ kind: 'link' }) },
    schema: { params: ShareParameters, response: { 200: GuestLinkState } },
    handler: (request) => ({ allow_download: requireRequestGuest(request).allowsDownload }),
  })

  app.route({
    method: 'GET',
    url: '/:share/items/:id/playback',
    config: { access: 'guest', reveals: 'items', playback: 'nothing', guestTarget: ofItem },
    schema: { params: GuestItemParameters, response: { 200: GuestPlayback } },
    handler: async (request) => {
      const item = await getItem(services, request.params.id)
      const parts = await listItemParts(services, item.id)
      const target = { profile: undefined, deviceType: readDeviceType(request) }
      const [ladder, subtitles, markers, pictureSets] = await Promise.all([
        previewLadder(services, { item, parts }, target),
        listSubtitleTracks(services, item),
        listMarkers(services, { item, parts }),
        services.trickplay.find([item, ...parts].map(({ id }) => id)),
      ])
      const { maxKbps } = request
      const facts = { parts, ladder, subtitles, markers, hasStoryboard: pictureSets.size > 0, maxKbps }
      return guestPlaybackView(requireRequestGuest(request), item, facts)
    },
  })

  app.route({
    method: 'POST',
    url: '/:share/items/:id/transcode',
    config: { access: 'guest', reveals: 'items', playback: 'item', surface: 'guest_stream', guestTarget: ofItem },
    schema: { params: GuestItemParameters, response: { 200: GuestTranscode } },
    handler: async (request) => {
      const progress = await startTranscode(services, {
        itemId: request.params.id,
        deviceType: readDeviceType(request),
      })
      return guestTranscodeView(requireRequestGuest(request), progress)
    },
  })

  app.route({
    method: ['GET', 'HEAD'],
    url: '/:share/items/:id/picture',
    config: { access: 'guest', reveals: 'items', guestTarget: ofItem },
    schema: { params: GuestItemParameters, querystring: PictureQuery },
    handler: async (request, reply) => {
      const { params, query } = request
      const { size = DEFAULT_PICTURE_PIXELS } = query
      const { id, type } = await getItem(services, params.id)
      const picture =
        type === 'image'
          ? await renderPhoto(services, { id, size })
          : await renderItemPicture(services, { itemId: id, width: size })
      return sendPicture(request, reply, { picture, cacheControl: PICTURE_CACHE_CONTROL })
    },
  })

  app.route({
    method: ['GET', 'HEAD'],
    url: '/:share/items/:id/subtitles/:index',
    config: { access: 'guest', reveals: 'items', guestTarget: ofItem },
    schema: { params: GuestSubtitleParameters },
    handler: async (request, reply) => {
      const index = parseTrackIndex(request.params.index)
      const item = await getItem(services, request.params.id)
      const text = await readItemSubtitle(services, { item, index })
      return reply.type(contentTypeOfFile('subtitles.vtt')).header('cache-control', CACHE_CONTROL).send(text)
    },
  })
}
