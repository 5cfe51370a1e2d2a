import { createRoutes } from '../src/daemon/routes/index.ts'

/**
 * Prints the TypeScript types of the replies that the web app reads, from the schemas of the routes. `npm run docs` writes them; a changed
 * schema therefore fails the type check of the app. A schema says what the serializer sends, so a reply has exactly these keys.
 */

/** The routes by the name of the type of their reply. */
const REPLIES: Readonly<Record<string, string>> = {
  Home: '/api/v1/me/home',
  Libraries: '/api/v1/libraries',
  MediaList: '/api/v1/media',
  MediaDetail: '/api/v1/media/:id',
  FilterValues: '/api/v1/media/facets',
  LetterIndex: '/api/v1/media/letter-index',
  SearchResults: '/api/v1/search',
  ArtistList: '/api/v1/music/artists',
  OneArtist: '/api/v1/music/artists/:mbid',
  AlbumList: '/api/v1/music/albums',
  OneAlbum: '/api/v1/music/albums/:mbid',
  OneTrack: '/api/v1/music/tracks/:id',
  Timeline: '/api/v1/photo/timeline',
  TimelineMonth: '/api/v1/photo/timeline/:month',
}

type Schema = {
  type?: string | string[]
  const?: unknown
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  additionalProperties?: boolean | Schema
}

type Route = { method: string | string[]; url: string; schema?: { response?: Record<string, Schema> } }

/** The file of the types, which are checked with the app. */
export const API_TYPES_PATH = 'src/daemon/web/app/api-types.d.ts'

/**
 * @returns the text of the file
 * @throws Error if a route is unknown or has no schema of its reply
 */
export function apiTypes(): string {
  const schemas = replySchemas()
  const types = Object.entries(REPLIES).map(([name, url]) => {
    const schema = schemas.get(url)
    if (schema === undefined) throw new Error(`GET ${url} has no schema of its reply`)
    return `/** \`GET ${url}\` */\nexport type ${name} = ${printed(schema, '')}\n`
  })
  return `// Written by \`npm run docs\` from the schemas of the routes (scripts/write-api-types.ts).\n\n${types.join('\n')}`
}

/** Declares the routes to a recorder instead of a server: they read their services only in handlers. */
function replySchemas(): Map<string, Schema> {
  const found = new Map<string, Schema>()
  const isWanted = (prefix: string): boolean => Object.values(REPLIES).some((url) => url.startsWith(prefix))
  for (const [prefix, plugin] of createRoutes()) {
    if (prefix === '' || !isWanted(prefix)) continue
    const app = anything({
      route: ({ method, url, schema }: Route) => {
        const reply = schema?.response?.['200']
        if (method === 'GET' && reply !== undefined) found.set(`${prefix}${url}`, reply)
      },
    })
    plugin(app as never, anything({}) as never)
  }
  return found
}

/** An object with some known keys; every other key is a function or an object of the same kind. */
function anything(known: Record<string, unknown>): unknown {
  return new Proxy(() => undefined, {
    get: (_, key) => {
      if (typeof key === 'string' && key in known) return known[key]
      if (key === Symbol.toPrimitive) return () => 1
      return key === 'then' ? undefined : anything({})
    },
    apply: () => anything({}),
  })
}

function printed(schema: Schema, indent: string): string {
  const { type, anyOf, const: value } = schema
  if (value !== undefined) return JSON.stringify(value)
  if (anyOf !== undefined) return anyOf.map((one) => printed(one, indent)).join(' | ')
  if (Array.isArray(type)) return type.map((one) => printed({ ...schema, type: one }, indent)).join(' | ')
  switch (type) {
    case 'object':
      return printedObject(schema, indent)
    case 'array':
      return `Array<${printed(schema.items ?? {}, indent)}>`
    case 'integer':
      return 'number'
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
      return type
    case undefined:
    default:
      return 'unknown'
  }
}

function printedObject({ properties, required = [], additionalProperties }: Schema, indent: string): string {
  if (properties === undefined) {
    const value = typeof additionalProperties === 'object' ? printed(additionalProperties, indent) : 'unknown'
    return `Record<string, ${value}>`
  }
  const lines = Object.entries(properties).map(([key, schema]) => {
    const name = /^[a-z_]\w*$/i.test(key) ? key : JSON.stringify(key)
    return `${indent}  ${name}${required.includes(key) ? '' : '?'}: ${printed(schema, `${indent}  `)}\n`
  })
  return `{\n${lines.join('')}${indent}}`
}
