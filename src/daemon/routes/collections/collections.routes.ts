import {
  addToCollection,
  changeCollection,
  createCollection,
  createPlaylist,
  deleteCollection,
  listCollections,
  listLibraryCollections,
  getCollectionWithItems,
  refreshCollection,
  removeFromCollection,
  type Collection,
} from '../../../core/collections/index.ts'
import { findCachedItems } from '../../../core/catalogue/index.ts'
import type { RoutePlugin } from '../../http/app-types.ts'
import { IdParameters, MessageReply, PageQuery } from '../../http/schemas.ts'
import { splitIntoBatches, readInBatches, sendInBatches, createSerializer } from '../../http/send-in-batches.ts'
import { createPathFormatter } from '../../http/path-formatter.ts'
import { signedInAccount } from '../../http/signed-in-account.ts'
import type { MediaRows } from '../media/media-rows.ts'
import {
  AddedItems,
  CollectionBody,
  CollectionChangesBody,
  CollectionContent,
  CollectionItem,
  CollectionItemParameters,
  CollectionList,
  CollectionRow,
  ItemsBody,
  OneCollection,
  PlaylistBody,
  PlaylistItemBody,
} from './collections.schemas.ts'
import { collectionItemsView, collectionRowView } from './collections.view.ts'

/** Collections. */
export const collectionRoutes =
  (rows: MediaRows): RoutePlugin =>
  (app, { services }) => {
    const sendCollections = createCollectionSender()
    const serializeItem = createSerializer(CollectionItem)
    app.route({
      method: 'GET',
      url: '',
      config: { access: 'user', reveals: 'items' },
      schema: { querystring: PageQuery, response: { 200: CollectionList } },
      handler: async ({ query }, reply) => sendCollections(reply, await listCollections(services, query)),
    })

    app.route({
      method: 'POST',
      url: '',
      config: { access: 'user', reveals: 'items' },
      schema: { body: CollectionBody, response: { 201: OneCollection } },
      handler: async (request, reply) => {
        const input = readFields(request.body)
        const collection = await createCollection(services, { by: signedInAccount(request), input })
        return reply.code(201).send({ collection: collectionRowView(collection) })
      },
    })

    app.route({
      method: 'GET',
      url: '/:id',
      config: { access: 'user', reveals: 'items' },
      schema: { params: IdParameters, querystring: PageQuery, response: { 200: CollectionContent } },
      handler: async (request, reply) => {
        const page = await getCollectionWithItems(services, { id: request.params.id, ...request.query })
        const showPath = await createPathFormatter(services, signedInAccount(request))
        return sendInBatches(reply, {
          key: 'items',
          batches: readInBatches(page.itemIds, (ids) => findCachedItems(services, ids, { mayEvict: false })),
          serialize: async (items) =>
            (await collectionItemsView(rows, services, { items, showPath })).map(serializeItem),
          others: JSON.stringify({ collection: collectionRowView(page.collection), total: page.total }),
        })
      },
    })

    app.route({
      method: 'PUT',
      url: '/:id',
      config: { access: 'user', reveals: 'items' },
      schema: { params: IdParameters, body: CollectionChangesBody, response: { 200: OneCollection } },
      handler: async (request) => {
        const { media_item_ids: itemIds, ...body } = request.body
        const changes = { ...readFields(body), itemIds }
        const input = { id: request.params.id, by: signedInAccount(request), changes }
        return { collection: collectionRowView(await changeCollection(services, input)) }
      },
    })

    app.route({
      method: 'DELETE',
      url: '/:id',
      config: { access: 'user', reveals: 'items' },
      schema: { params: IdParameters, response: { 200: MessageReply } },
      handler: async (request) => {
        await deleteCollection(services, { id: request.params.id, by: signedInAccount(request) })
        return { message: 'Collection deleted' }
      },
    })
  }

/** Items of a collection. */
export const collectionItemRoutes: RoutePlugin = (app, { services }) => {
  app.route({
    method: 'POST',
    url: '/:id/items/:itemId',
    config: { access: 'user', reveals: 'items' },
    schema: { params: CollectionItemParameters, response: { 200: MessageReply } },
    handler: async (request) => {
      const { id, itemId } = request.params
      await addToCollection(services, { id, by: signedInAccount(request), itemIds: [itemId] })
      return { message: 'Item added to collection' }
    },
  })

  app.route({
    method: 'DELETE',
    url: '/:id/items/:itemId',
    config: { access: 'user', reveals: 'items' },
    schema: { params: CollectionItemParameters, response: { 200: MessageReply } },
    handler: async (request) => {
      await removeFromCollection(services, { ...request.params, by: signedInAccount(request) })
      return { message: 'Item removed from collection' }
    },
  })

  app.route({
    method: 'POST',
    url: '/:id/bulk-add',
    config: { access: 'user', reveals: 'items' },
    schema: { params: IdParameters, body: ItemsBody, response: { 200: AddedItems } },
    handler: async (request) => {
      const { media_item_ids: itemIds, query } = request.body
      const input = { id: request.params.id, by: signedInAccount(request), itemIds, query }
      return { message: 'Items added to collection', added_count: await addToCollection(services, input) }
    },
  })

  app.route({
    method: 'POST',
    url: '/:id/refresh',
    config: { access: 'user', reveals: 'items' },
    schema: { params: IdParameters, response: { 200: MessageReply } },
    handler: async (request) => {
      const which = { id: request.params.id, by: signedInAccount(request) }
      const { added, removed } = await refreshCollection(services, which)
      return { message: `Collection refreshed: ${added} added, ${removed} removed` }
    },
  })
}

/** The routes of collections under other paths: the collections of one library. */
export const libraryCollectionRoutes: RoutePlugin = (app, { services }) => {
  const sendCollections = createCollectionSender()
  app.route({
    method: 'GET',
    url: '/:id/collections',
    config: { access: 'user', reveals: 'items' },
    schema: { params: IdParameters, querystring: PageQuery, response: { 200: CollectionList } },
    handler: async (request, reply) =>
      sendCollections(reply, await listLibraryCollections(services, request.params.id, request.query)),
  })
}

/** Collections under the path that some clients use for playlists. */
export const playlistRoutes: RoutePlugin = (app, { services }) => {
  app.route({
    method: 'POST',
    url: '',
    config: { access: 'user', reveals: 'items' },
    schema: { body: PlaylistBody, response: { 201: OneCollection } },
    handler: async (request, reply) => {
      const { name, library_id: libraryId, media_id: mediaItemId } = request.body
      const input = { name, libraryId, mediaItemId }
      const collection = await createPlaylist(services, { by: signedInAccount(request), input })
      return reply.code(201).send({ collection: collectionRowView(collection) })
    },
  })

  app.route({
    method: 'POST',
    url: '/:id/items',
    config: { access: 'user', reveals: 'items' },
    schema: { params: IdParameters, body: PlaylistItemBody, response: { 200: AddedItems } },
    handler: async (request) => {
      const input = { id: request.params.id, by: signedInAccount(request), itemIds: [request.body.media_id] }
      return { message: 'Item added to playlist', added_count: await addToCollection(services, input) }
    },
  })
}

/** Returns a function that sends a list of collections in batches. */
function createCollectionSender() {
  const serialize = createSerializer(CollectionRow)
  return <Answer>(reply: Parameters<typeof sendInBatches>[0], collections: readonly Collection[]): Promise<Answer> =>
    sendInBatches(reply, {
      key: 'collections',
      batches: splitIntoBatches(collections),
      serialize: (part) => part.map((collection) => serialize(collectionRowView(collection))),
    })
}

type Body = { library_id?: unknown; smart_playlist_id?: unknown; parent_id?: unknown; sort_order?: unknown }

function readFields<Given extends Body>({
  library_id: libraryId,
  smart_playlist_id: smartPlaylistId,
  parent_id: parentId,
  sort_order: sortOrder,
  ...rest
}: Given) {
  return { ...rest, libraryId, smartPlaylistId, parentId, sortOrder }
}
