import { Type } from 'typebox'
import { listMetadataSources } from '../../../core/metadata/index.ts'
import type { RoutePlugin } from '../../http/app-types.ts'

const SourceList = Type.Object({ sources: Type.Array(Type.String()) })

/** The source names that `metadata_priority` of a library can order. */
export const metadataSourceRoutes: RoutePlugin = (app, { services }) => {
  app.route({
    method: 'GET',
    url: '/sources',
    config: { access: 'admin', reveals: 'none' },
    schema: { response: { 200: SourceList } },
    handler: async () => ({ sources: listMetadataSources(services.metadata) }),
  })
}
