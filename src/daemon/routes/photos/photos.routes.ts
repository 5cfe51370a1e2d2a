import {
  getPhotoAlbum,
  getPhoto,
  getSlideshow,
  listPhotoAlbums,
  listPhotosOfMonth,
  listPhotoMonths,
  listPhotos,
} from '../../../core/photos/index.ts'
import type { RoutePlugin } from '../../http/app-types.ts'
import { sendListReply } from '../../http/list-reply-cache.ts'
import { IdParameters } from '../../http/schemas.ts'
import { createPathFormatter } from '../../http/path-formatter.ts'
import { signedInAccount } from '../../http/signed-in-account.ts'
import {
  AlbumList,
  AlbumListQuery,
  AlbumQuery,
  MonthParameters,
  OneAlbum,
  OnePhoto,
  PhotoList,
  PhotoListQuery,
  Slideshow,
  SlideshowQuery,
  Timeline,
  TimelineMonth,
} from './photos.schemas.ts'
import {
  albumListView,
  albumView,
  photoDetailView,
  photoListView,
  slideshowView,
  timelineMonthView,
  timelineView,
} from './photos.view.ts'

const DEFAULT_INTERVAL_SECONDS = 5
const MAX_INTERVAL_SECONDS = 3600

/** Photo albums (the photos of one day), photos and slideshows. */
export const photoRoutes: RoutePlugin = (app, { services, listReplies }) => {
  app.route({
    method: 'GET',
    url: '/albums',
    config: { access: 'user', reveals: 'items' },
    schema: { querystring: AlbumListQuery, response: { 200: AlbumList } },
    handler: (request, reply) =>
      sendListReply(listReplies, { request, reply }, async () => {
        const { library_id: libraryId, ...page } = request.query
        return albumListView(await listPhotoAlbums(services, { libraryId, ...page }), services.signer)
      }),
  })

  app.route({
    method: 'GET',
    url: '/albums/:id',
    config: { access: 'user', reveals: 'items' },
    schema: { params: IdParameters, querystring: AlbumQuery, response: { 200: OneAlbum } },
    handler: async ({ params: { id }, query: { library_id: libraryId } }) =>
      albumView(await getPhotoAlbum(services, { id, libraryId }), services.signer),
  })

  app.route({
    method: 'GET',
    url: '/photos',
    config: { access: 'user', reveals: 'items' },
    schema: { querystring: PhotoListQuery, response: { 200: PhotoList } },
    handler: (request, reply) =>
      sendListReply(listReplies, { request, reply }, async () => {
        const { library_id: libraryId, album_id: albumId, ...page } = request.query
        return photoListView(await listPhotos(services, { libraryId, albumId, ...page }), services.signer)
      }),
  })

  app.route({
    method: 'GET',
    url: '/photos/:id',
    config: { access: 'user', reveals: 'items' },
    schema: { params: IdParameters, response: { 200: OnePhoto } },
    handler: async (request) => {
      const showPath = await createPathFormatter(services, signedInAccount(request))
      return photoDetailView(await getPhoto(services, request.params.id), { signer: services.signer, showPath })
    },
  })

  app.route({
    method: 'GET',
    url: '/timeline',
    config: { access: 'user', reveals: 'items' },
    schema: { querystring: AlbumQuery, response: { 200: Timeline } },
    handler: async ({ query: { library_id: libraryId } }) =>
      timelineView(await listPhotoMonths(services, { libraryId })),
  })

  app.route({
    method: 'GET',
    url: '/timeline/:month',
    config: { access: 'user', reveals: 'items' },
    schema: { params: MonthParameters, querystring: AlbumListQuery, response: { 200: TimelineMonth } },
    handler: async ({ params: { month }, query: { library_id: libraryId, ...page } }) =>
      timelineMonthView(month, await listPhotosOfMonth(services, { month, libraryId, ...page }), services.signer),
  })

  app.route({
    method: 'GET',
    url: '/slideshow',
    config: { access: 'user', reveals: 'items' },
    schema: { querystring: SlideshowQuery, response: { 200: Slideshow } },
    handler: async ({ query: { library_id: libraryId, album_id: albumId, interval = DEFAULT_INTERVAL_SECONDS } }) => {
      const shown = await getSlideshow(services, { albumId, libraryId })
      return slideshowView(shown, Math.min(Math.max(interval, 1), MAX_INTERVAL_SECONDS), services.signer)
    },
  })
}
