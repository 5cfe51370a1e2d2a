import type { z } from 'zod'
import type { TmdbConfiguration } from './replies.ts'

type Sizes = z.infer<typeof TmdbConfiguration>['images']

export type PictureKind = 'poster' | 'backdrop' | 'logo' | 'profile' | 'still'

/** Converts the path of a picture in a reply to its URL; null for an invalid path, and for null. */
export type PictureUrlBuilder = (kind: PictureKind, path: string | null) => string | null

/** Large enough for a television, small enough to be fetched for every row of a list. */
const WANTED_SIZES: Readonly<Record<PictureKind, string>> = {
  poster: 'w780',
  backdrop: 'w1280',
  logo: 'w500',
  profile: 'w185',
  still: 'original',
}

const PATH = /^\/[\w-]{1,100}\.(?:jpe?g|png|webp)$/i

const DEFAULT_BASE_URL = 'https://image.tmdb.org/t/p/'

/** Builds picture URLs from the configuration of the provider (its `/3/configuration`). */
export function createPictureUrlBuilder(sizes: Sizes): PictureUrlBuilder {
  const base = sizes.secure_base_url ?? DEFAULT_BASE_URL
  return (kind, path) => {
    if (path === null || !PATH.test(path)) return null
    const wanted = WANTED_SIZES[kind]
    const size = sizes[`${kind}_sizes`].includes(wanted) ? wanted : 'original'
    return `${base}${size}${path}`
  }
}
