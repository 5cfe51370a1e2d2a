import { readArtworkAddresses } from '../../../core/artwork/index.ts'
import { getAlbum, getArtist, getTrack, listAlbums, listArtists, listTracks } from '../../../core/music/index.ts'
import type { RoutePlugin } from '../../http/app-types.ts'
import { sendListReply } from '../../http/list-reply-cache.ts'
import { IdParameters } from '../../http/schemas.ts'
import {
  AlbumList,
  AlbumListQuery,
  AlbumQuery,
  ArtistList,
  MusicListQuery,
  NameParameters,
  NowPlaying,
  OneAlbum,
  OneArtist,
  OneTrack,
  TrackList,
} from './music.schemas.ts'
import { albumView, artistView, trackView } from './music.view.ts'

/** Artists and albums by name, and tracks. */
export const musicRoutes: RoutePlugin = (app, context) => {
  artistRoutes(app, context)
  albumRoutes(app, context)
  trackRoutes(app, context)

  app.route({
    method: 'GET',
    url: '/now-playing',
    config: { access: 'user', reveals: 'items' },
    schema: { response: { 200: NowPlaying } },
    handler: () => ({ now_playing: null }),
  })
}

const artistRoutes: RoutePlugin = (app, { services, listReplies }) => {
  app.route({
    method: 'GET',
    url: '/artists',
    config: { access: 'user', reveals: 'items' },
    schema: { querystring: MusicListQuery, response: { 200: ArtistList } },
    handler: (request, reply) =>
      sendListReply(listReplies, { request, reply }, async () => {
        const { artists, ...page } = await listArtists(services, request.query)
        const itemIds = artists.flatMap(({ pictureIds }) => pictureIds)
        const pictures = await readArtworkAddresses(services, { itemIds })
        return { artists: artists.map((artist) => artistView(artist, pictures)), ...page }
      }),
  })

  app.route({
    method: 'GET',
    url: '/artists/:mbid',
    config: { access: 'user', reveals: 'items' },
    schema: { params: NameParameters, response: { 200: OneArtist } },
    handler: async ({ params: { mbid: name } }) => {
      const artist = await getArtist(services, name)
      const pictures = await readArtworkAddresses(services, { itemIds: artist.pictureIds })
      return { artist: artistView(artist, pictures) }
    },
  })
}

const albumRoutes: RoutePlugin = (app, { services, listReplies }) => {
  app.route({
    method: 'GET',
    url: '/albums',
    config: { access: 'user', reveals: 'items' },
    schema: { querystring: AlbumListQuery, response: { 200: AlbumList } },
    handler: (request, reply) =>
      sendListReply(listReplies, { request, reply }, async () => {
        const { albums, ...page } = await listAlbums(services, request.query)
        const pictures = await readArtworkAddresses(services, { itemIds: albums.map(({ id }) => id) })
        return { albums: albums.map((album) => albumView(album, pictures, services.signer)), ...page }
      }),
  })

  app.route({
    method: 'GET',
    url: '/albums/:mbid',
    config: { access: 'user', reveals: 'items' },
    schema: { params: NameParameters, querystring: AlbumQuery, response: { 200: OneAlbum } },
    handler: async ({ params: { mbid: title }, query }) => {
      const album = await getAlbum(services, { title, ...query })
      const pictures = await readArtworkAddresses(services, { itemIds: [album.id] })
      return { album: albumView(album, pictures, services.signer) }
    },
  })
}

const trackRoutes: RoutePlugin = (app, { services, listReplies }) => {
  app.route({
    method: 'GET',
    url: '/tracks',
    config: { access: 'user', reveals: 'items' },
    schema: { querystring: MusicListQuery, response: { 200: TrackList } },
    handler: (request, reply) =>
      sendListReply(listReplies, { request, reply }, async () => {
        const { tracks, ...page } = await listTracks(services, request.query)
        return { tracks: tracks.map((track) => trackView(track, services.signer)), ...page }
      }),
  })

  app.route({
    method: 'GET',
    url: '/tracks/:id',
    config: { access: 'user', reveals: 'items' },
    schema: { params: IdParameters, response: { 200: OneTrack } },
    handler: async ({ params: { id } }) => ({ track: trackView(await getTrack(services, id), services.signer) }),
  })
}
